#include "bench/step/measure.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cupel/harness/run.hpp"

namespace cupel::bench::step {
namespace {

// The same net on another batch: each of its losses is a good one, of something else.
TEST(RequireCurve, RefusesATrainingThatLearnsOtherwise) {
  Recipe recipe{.net = "toy_images"};
  recipe.options.batch = 16;
  const Batch other = make_batch(program_of(recipe, 16), 2);
  Training training(recipe);
  training.use(other);

  EXPECT_THROW(require_curve(training, recipe), harness::CheckFailed);
}

// Of a batch in parts no curve is known; a loss that is no number does not fall either.
TEST(RequireCurve, RefusesATrainingThatDoesNotLearn) {
  Recipe recipe{.net = "toy_images"};
  recipe.options.batch = 16;
  recipe.options.parts = 2;
  recipe.options.adds_gradients = true;
  Batch broken = make_batch(program_of(recipe, 16), 1);
  for (float& x : broken.images) x = std::numeric_limits<float>::quiet_NaN();
  Training training(recipe);
  training.use(broken);

  EXPECT_THROW(require_curve(training, recipe), harness::CheckFailed);
}

}  // namespace
}  // namespace cupel::bench::step
