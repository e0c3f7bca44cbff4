#include "bench/step/pieces.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace cupel::bench::step {
namespace {

// All of a recipe that a piece may change.
auto choices(const Recipe& r) {
  return std::tuple(r.options.precision, r.options.layout, r.options.adds_gradients, r.fills_gradients, r.update,
                    r.launch, r.loading, r.reads_loss_every, r.pool);
}

Recipe rung(const std::string& name) { return with_pieces_up_to("resnet18_32", 8, name); }

TEST(Pieces, EachChangesTheRungBeforeIt) {
  Recipe before = naive("resnet18_32", 8);
  for (const Piece& piece : pieces()) {
    const Recipe after = rung(piece.name);
    EXPECT_NE(choices(after), choices(before)) << piece.name;
    before = after;
  }
}

TEST(Pieces, MakeRecipesThatGoTogether) {
  EXPECT_NO_THROW(checked(naive("resnet18_224", 8)));
  for (const Piece& piece : pieces()) {
    EXPECT_NO_THROW(checked(rung(piece.name))) << piece.name;
    EXPECT_NO_THROW(checked(without_piece("resnet18_32", 8, piece.name))) << piece.name;
  }
}

// TF32 is what mixed precision has beside it: of these nets nothing is left that it would change.
TEST(Pieces, TakenFromTheTunedStepLeaveAnotherOneButForTf32) {
  for (const Piece& piece : pieces()) {
    const bool same = choices(without_piece("resnet18_32", 8, piece.name)) == choices(tuned("resnet18_32", 8));
    EXPECT_EQ(same, std::string(piece.name) == "tf32") << piece.name;
  }
}

TEST(Pieces, GoWithThoseThatNeedThem) {
  const Recipe emptied = without_piece("resnet18_32", 8, "kept_memory");
  const Recipe pageable = without_piece("resnet18_32", 8, "pinned_copies");

  EXPECT_EQ(emptied.pool, Pool::emptied);
  EXPECT_EQ(emptied.launch, Launch::eager);
  EXPECT_EQ(pageable.loading, Loading::pageable);
}

TEST(Pieces, AreKnownByName) {
  EXPECT_THROW(rung("luck"), std::invalid_argument);
  EXPECT_THROW(without_piece("resnet18_32", 8, "luck"), std::invalid_argument);
}

TEST(Recipe, LearnsInProportionToTheSamplesOfASmallUpdate) {
  const auto rate = [](std::int64_t batch, std::int64_t parts = 1) {
    return sgd_of({.options = {.batch = batch, .parts = parts}}).learning_rate;
  };

  EXPECT_DOUBLE_EQ(rate(8), 0.005);
  EXPECT_DOUBLE_EQ(rate(8, 4), 0.02);
  EXPECT_DOUBLE_EQ(rate(32), 0.02);
  EXPECT_DOUBLE_EQ(rate(256), 0.02);
}

TEST(Recipe, RefusesWhatDoesNotGoTogether) {
  EXPECT_THROW(checked({.launch = Launch::graph, .pool = Pool::emptied}), std::invalid_argument);
  EXPECT_NO_THROW(checked({.rule = Rule::adamw, .launch = Launch::graph}));
  EXPECT_THROW(checked({.options = {.fused_attention = true}}), std::invalid_argument) << "of fp32";
  EXPECT_THROW(checked({.options = {.parts = 2}}), std::invalid_argument);
  EXPECT_THROW(checked({.update = Update::foreach, .scaler = Scaler::folded}), std::invalid_argument);
  EXPECT_THROW(checked({.options = {.batch = 8}, .sizes = {4, 8}}), std::invalid_argument);
  EXPECT_THROW(net_of(Recipe{.net = "toy_images", .conv_bias = true}), std::invalid_argument);
}

TEST(Recipe, OfMixedPrecisionTakesLessMemory) {
  const auto bytes = [](Precision precision) {
    return planned_bytes({.options = {.batch = 64, .precision = precision}});
  };

  EXPECT_LT(bytes(Precision::amp_fp16), 0.7 * static_cast<double>(bytes(Precision::fp32)));
  EXPECT_EQ(bytes(Precision::tf32), bytes(Precision::fp32));
}

}  // namespace
}  // namespace cupel::bench::step
