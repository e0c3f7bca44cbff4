// What the family and its child program, which a profiler watches or not, agree on.
#pragma once

#include "bench/step/recipe.hpp"

namespace cupel::bench::step {

inline constexpr int kExitFailed = 4;    ///< it says why on stderr
inline constexpr int kExitNoDevice = 5;  ///< a second process may not use the device
inline constexpr int kExitNoCupti = 6;

/// Small images, launched one kernel after another: where a step is short, what is beside it shows.
inline Recipe profiled_recipe() {
  Recipe recipe{.net = "resnet18_32", .loading = Loading::resident};
  recipe.options.batch = 128;
  recipe.options.precision = Precision::amp_bf16;
  recipe.options.layout = Layout::channels_last;
  return recipe;
}

}  // namespace cupel::bench::step
