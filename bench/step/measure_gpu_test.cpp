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

Recipe image_recipe() {
  Recipe recipe{.net = "toy_images"};
  recipe.options.batch = 16;
  return recipe;
}

Recipe in_parts() {
  Recipe recipe = image_recipe();
  recipe.options.parts = 4;
  recipe.options.adds_gradients = true;
  return recipe;
}

// As where the copy of the next batch is left out: the first one stays.
TEST(RequireCurve, RefusesATrainingThatTakesOneBatchOnly) {
  Training training(image_recipe());
  training.use(batch_of(image_recipe(), 0));

  EXPECT_THROW(require_curve(training, image_recipe()), harness::CheckFailed);
}

TEST(RequireCurve, RefusesOnePartFourTimes) {
  Training right(in_parts()), wrong(in_parts());
  wrong.use(batch_of(in_parts(), 0));

  EXPECT_NO_THROW(require_curve(right, in_parts()));
  EXPECT_THROW(require_curve(wrong, in_parts()), harness::CheckFailed);
}

// The real net, in the precision with the widest bound.
TEST(RequireCurve, RefusesAResnetThatTakesOneBatchOnly) {
  Recipe recipe{.net = "resnet18_32"};
  recipe.options.batch = 128;
  recipe.options.precision = Precision::amp_bf16;
  recipe.options.layout = Layout::channels_last;
  Training right(recipe), wrong(recipe);
  wrong.use(batch_of(recipe, 0));

  EXPECT_NO_THROW(require_curve(right, recipe));
  EXPECT_THROW(require_curve(wrong, recipe), harness::CheckFailed);
}

TEST(RequireUpdate, TakesEachRuleAndWayOfUpdating) {
  for (const Rule rule : {Rule::sgd, Rule::adamw}) {
    for (const Update update : {Update::loop, Update::foreach, Update::fused}) {
      for (const Precision precision : {Precision::fp32, Precision::amp_fp16}) {
        Recipe recipe = image_recipe();
        recipe.launch = update == Update::fused ? Launch::graph : Launch::eager;
        recipe.rule = rule;
        recipe.update = update;
        recipe.options.precision = precision;
        Training training(recipe);
        training.curve(5);
        EXPECT_NO_THROW(require_update(training, recipe));
      }
    }
  }
}

// The update is held against another rule.
TEST(RequireUpdate, RefusesAnotherRule) {
  Recipe recipe = image_recipe();
  recipe.rule = Rule::adamw;
  Training training(recipe);
  training.curve(5);
  recipe.rule = Rule::sgd;

  EXPECT_THROW(require_update(training, recipe), harness::CheckFailed);
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
