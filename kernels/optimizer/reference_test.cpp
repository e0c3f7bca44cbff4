#include "kernels/optimizer/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cupel::kernels::optimizer {
namespace {

using Values = std::vector<double>;

// In the first step both corrections undo the first weights, so that a parameter moves by the learning rate against the
// sign of its gradient, whatever its size (Kingma and Ba (2015), section 2.1).
TEST(AdamReference, MovesByTheLearningRateInItsFirstStep) {
  Values parameter = {1, 1, 1}, m(3), v(3);
  const Values gradient = {0.001, -5, 100};

  reference::adam({.learning_rate = 0.1, .epsilon = 0}, 1, {parameter, gradient, m, v});

  EXPECT_NEAR(parameter[0], 0.9, 1e-12);
  EXPECT_NEAR(parameter[1], 1.1, 1e-12);
  EXPECT_NEAR(parameter[2], 0.9, 1e-12);
  EXPECT_DOUBLE_EQ(m[2], 0.1 * 100);
  EXPECT_NEAR(v[2], 0.001 * 1e4, 1e-12);
}

TEST(AdamReference, DecaysTheParameterWhereDecoupledAndTheGradientWhereNot) {
  Values a = {2}, b = {2}, m(1), v(1), m2(1), v2(1);
  const Values none = {0};

  reference::adam({.learning_rate = 0.1, .weight_decay = 0.5, .decoupled = true}, 1, {a, none, m, v});
  reference::adam({.learning_rate = 0.1, .epsilon = 0, .weight_decay = 0.5, .decoupled = false}, 1, {b, none, m2, v2});

  EXPECT_DOUBLE_EQ(a[0], 2 * (1 - 0.1 * 0.5));
  EXPECT_EQ(m[0], 0);
  EXPECT_NEAR(b[0], 2 - 0.1, 1e-12);  // a gradient of 0.5 * 2, and a first step
  EXPECT_DOUBLE_EQ(m2[0], 0.1);
}

TEST(SgdReference, GathersItsVelocity) {
  Values parameter = {1}, velocity(1), unused(1);
  const Values gradient = {2};
  const Sgd sgd{.learning_rate = 0.5, .momentum = 0.5};

  reference::sgd(sgd, {parameter, gradient, velocity, unused});
  EXPECT_EQ(velocity[0], 2);
  EXPECT_EQ(parameter[0], 0);
  reference::sgd(sgd, {parameter, gradient, velocity, unused});
  EXPECT_EQ(velocity[0], 3);
  EXPECT_EQ(parameter[0], -1.5);
}

TEST(UnscaleReference, DividesAndFindsWhatIsNotFinite) {
  Values gradient = {2, 4}, broken = {2, std::numeric_limits<double>::infinity()};

  EXPECT_FALSE(reference::unscale(0.5, gradient));
  EXPECT_EQ(gradient, (Values{1, 2}));
  EXPECT_TRUE(reference::unscale(0.5, broken));
}

// The functors that the kernels use, evaluated in double, against the papers' formulas. The constants are floats: each
// is off by 2^-24 at most, and the second moment's weight, 1 - 0.999, is the float of the double difference.
TEST(AdamStep, OfTheFunctorsIsThePapersFormula) {
  const Adam adam{.learning_rate = 1e-2, .weight_decay = 0.01, .decoupled = true};
  Element<double> e{0.7, 0.3, 0.05, 0.002, 0};
  Values parameter = {e.parameter}, m = {e.m}, v = {e.v};
  const Values gradient = {e.gradient};

  AdamStep{AdamConstants(adam, 10)}(e);
  reference::adam(adam, 10, {parameter, gradient, m, v});

  EXPECT_NEAR(e.m, m[0], 1e-6 * m[0]);
  EXPECT_NEAR(e.v, v[0], 1e-6 * v[0]);
  EXPECT_NEAR(e.parameter, parameter[0], 1e-6 * parameter[0]);
}

TEST(SgdStep, OfTheFunctorsIsTheReferences) {
  const Sgd sgd{.learning_rate = 0.5, .momentum = 0.25, .weight_decay = 0.125};
  Element<double> e{0.7, 0.3, 0.05, 0, 0};
  Values parameter = {e.parameter}, m = {e.m}, v(1);
  const Values gradient = {e.gradient};

  SgdStep{SgdConstants(sgd)}(e);
  reference::sgd(sgd, {parameter, gradient, m, v});

  EXPECT_DOUBLE_EQ(e.m, m[0]);
  EXPECT_DOUBLE_EQ(e.parameter, parameter[0]);
}

}  // namespace
}  // namespace cupel::kernels::optimizer
