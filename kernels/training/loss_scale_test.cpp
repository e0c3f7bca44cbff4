#include "kernels/training/loss_scale.hpp"

#include <gtest/gtest.h>

namespace cupel::kernels::training {
namespace {

constexpr LossScaleRule kRule{.interval = 3};

TEST(LossScale, GrowsAfterEnoughGoodStepsInARow) {
  LossScale state{.scale = 8};
  for (int i = 0; i < 2; ++i) state.update(false, kRule);
  EXPECT_EQ(state.scale, 8);

  state.update(false, kRule);

  EXPECT_EQ(state.scale, 16);
  EXPECT_EQ(state.inverse, 1.0f / 16);
  EXPECT_EQ(state.good_steps, 0);
}

TEST(LossScale, ShrinksAtAnInfinityAndCountsAnew) {
  LossScale state{.scale = 8};
  for (int i = 0; i < 2; ++i) state.update(false, kRule);

  state.update(true, kRule);
  for (int i = 0; i < 2; ++i) state.update(false, kRule);

  EXPECT_EQ(state.scale, 4);
  EXPECT_EQ(state.inverse, 0.25f);
}

}  // namespace
}  // namespace cupel::kernels::training
