// The training of the child program, with a profiler or without.
#pragma once

#include "bench/step/recipe.hpp"

namespace cupel::bench::step {

/// Small images, launched one kernel after another: where a step is short, what is beside it shows.
inline Recipe profiled_recipe() {
  Recipe recipe{.net = "resnet18_32", .loading = Loading::resident};
  recipe.options.batch = 128;
  recipe.options.precision = Precision::amp_bf16;
  recipe.options.layout = Layout::channels_last;
  return recipe;
}

}  // namespace cupel::bench::step
