// A reader's own step, and whether a loader binds it: what is told ahead of single pieces.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cupel/figures/figure.hpp"

namespace cupel::advice {

/// The step of a model of the reader's (`cupel run --model`), as it is and with all changes.
struct OwnStep {
  double before_s = 0, after_s = 0;
};
std::optional<OwnStep> own_step(std::span<const figures::Figure> figures);

/// The most that PyTorch's loader gives, and what a step could take of it, in samples a second.
struct LoaderAndStep {
  double loader_per_s = 0, step_per_s = 0;
  std::string workers;  ///< of that loader
  std::string step;     ///< the tuned step: "net:resnet18_224 batch:64"

  bool loader_binds() const { return loader_per_s < step_per_s; }
};

/// Nothing unless both were measured. The loader's images are those of the step of ResNet-18 at 224 x 224.
std::optional<LoaderAndStep> loader_and_step(std::span<const figures::Figure> figures);

}  // namespace cupel::advice
