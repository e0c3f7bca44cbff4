#include "bench/step/measure.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cupel/harness/run.hpp"
#include "cupel/harness/session.hpp"

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

// Only the first size's batch is another one's: before anything is learnt.
TEST(RequireCurve, RefusesAnotherFirstBatchOfVaryingSizes) {
  Recipe recipe = image_recipe();
  recipe.loading = Loading::pageable;
  recipe.sizes = {16, 12, 14, 12};  // the fifth is as the first
  recipe.options.precision = Precision::tf32;
  const Batch other = make_batch(program_of(recipe, 16), 3);
  Training right(recipe), wrong(recipe);
  wrong.use(other);

  EXPECT_NO_THROW(require_curve(right, recipe));
  EXPECT_THROW(require_curve(wrong, recipe), harness::CheckFailed);
}

Recipe by_adamw(const char* net, std::int64_t batch, Precision precision) {
  Recipe recipe{.net = net, .rule = Rule::adamw, .update = Update::fused};
  recipe.options.batch = batch;
  recipe.options.precision = precision;
  recipe.options.layout = Layout::channels_last;
  return recipe;
}

// The batch is another one, it never changes, the rule is another one. In double these are off by 7e-2 in the first
// step, as much in the second and 3e-2 in the third, where 4e-4 of the first and 2e-2 of later ones are allowed.
TEST(RequireCurve, RefusesWhatLearnsOtherwiseByAdamW) {
  const Recipe recipe = by_adamw("toy_tokens", 16, Precision::fp32);
  Recipe by_sgd = recipe;
  by_sgd.rule = Rule::sgd;
  const Batch other = make_batch(program_of(recipe, 16), 3);
  Training right(recipe), another(recipe), one_only(recipe), another_rule(by_sgd);
  another.use(other);
  one_only.use(batch_of(recipe, 0));

  EXPECT_NO_THROW(require_curve(right, recipe));
  EXPECT_THROW(require_curve(another, recipe), harness::CheckFailed);
  EXPECT_THROW(require_curve(one_only, recipe), harness::CheckFailed);
  EXPECT_THROW(require_curve(another_rule, recipe), harness::CheckFailed);
}

// The real block, in the precision with the widest bound.
TEST(RequireCurve, RefusesATransformerBlockByAnotherRule) {
  const Recipe recipe = by_adamw("transformer_1024", 4, Precision::amp_bf16);
  Recipe by_sgd = recipe;
  by_sgd.rule = Rule::sgd;
  Training right(recipe), wrong(by_sgd);

  EXPECT_NO_THROW(require_curve(right, recipe));
  EXPECT_THROW(require_curve(wrong, recipe), harness::CheckFailed);
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

// Two steps tell both batches and the update between them. Losses that were not taken are none, not 0.
TEST(RequireCurve, LooksAtTwoLossesInALaterProcessAndKeepsNone) {
  harness::Options later;
  later.process = 1;
  harness::set_options(later);
  Training right(image_recipe()), wrong(image_recipe());
  wrong.use(batch_of(image_recipe(), 0));

  EXPECT_FALSE(require_curve(right, image_recipe()));
  EXPECT_THROW(require_curve(wrong, image_recipe()), harness::CheckFailed);
  harness::set_options({});
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

// Refuses a batch in parts, whose curve is not known, and a loss that is no number, since it does not fall.
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
