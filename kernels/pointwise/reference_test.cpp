#include "kernels/pointwise/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cupel/verify/compare.hpp"

namespace cupel::kernels::pointwise {
namespace {

using Values = std::vector<double>;

// A few units in the last place: the functions are the C library's.
void expect_near(const Values& expected, const Values& actual, double relative = 1e-14) {
  const auto comparison = verify::compare(expected, actual, {.absolute = 1e-16, .relative = relative});
  EXPECT_TRUE(comparison.passed()) << comparison.message();
}

Values activated(Activation activation, const Values& in) {
  Values out(in.size());
  reference::activate(activation, in, out);
  return out;
}

// Values from tables of erf(1/sqrt 2) = 0.6826894921370859, tanh(1) = 0.7615941559557649 and e = 2.718281828459045.
TEST(Activations, HaveTheirTextbookValuesAtMinusOneZeroAndOne) {
  const Values in = {-1, 0, 1};
  const double sigmoid = 1 / (1 + 1 / 2.718281828459045);

  expect_near({0, 0, 1}, activated(Activation::relu, in));
  expect_near({-0.7615941559557649, 0, 0.7615941559557649}, activated(Activation::tanh, in));
  expect_near({1 - sigmoid, 0.5, sigmoid}, activated(Activation::sigmoid, in));
  expect_near({-(1 - 0.6826894921370859) / 2, 0, (1 + 0.6826894921370859) / 2}, activated(Activation::gelu_erf, in));
  expect_near({-(1 - sigmoid), 0, sigmoid}, activated(Activation::silu, in));
}

TEST(Activations, OfGeluByTanhAreWithinFiveInTenThousandOfGelu) {
  Values in;
  for (int i = -600; i <= 600; ++i) in.push_back(i / 100.0);

  const auto comparison =
      verify::compare(activated(Activation::gelu_erf, in), activated(Activation::gelu_tanh, in), {.absolute = 5e-4});

  EXPECT_TRUE(comparison.passed()) << comparison.message();
  EXPECT_GT(comparison.max_absolute_error, 1e-5) << "they are the same function";
}

TEST(Relu, KeepsNotANumber) { EXPECT_TRUE(std::isnan(Relu()(std::numeric_limits<double>::quiet_NaN()))); }

TEST(AddBias, GivesEveryRowTheSameBias) {
  const Values in = {1, 2, 3, 4, 5, 6}, bias = {10, 20, 30};
  Values out(6);

  reference::add_bias(in, bias, out);

  EXPECT_EQ(out, (Values{11, 22, 33, 14, 25, 36}));
}

TEST(Dropout, DropsTheShareThatIsAskedForAndKeepsTheMean) {
  const Values ones(100'000, 1);
  Values out(ones.size());

  reference::dropout(ones, 0.25f, 3, out);

  double sum = 0;
  int dropped = 0;
  for (const double x : out) {
    sum += x;
    dropped += x == 0;
  }
  // Binomial with n p = 25 000 and deviation 137: five deviations.
  EXPECT_NEAR(dropped, 25'000, 685);
  EXPECT_NEAR(sum, (100'000 - dropped) / 0.75, 0.01);  // the scale is a float
}

TEST(Dropout, WithProbabilityZeroChangesNothingAndOtherSeedsDropOthers) {
  const Values ones(64, 1);
  Values none(64), a(64), b(64);

  reference::dropout(ones, 0, 1, none);
  reference::dropout(ones, 0.5f, 1, a);
  reference::dropout(ones, 0.5f, 2, b);

  EXPECT_EQ(none, ones);
  EXPECT_NE(a, b);
}

TEST(Chain, IsScaleAddGeluMultiplyScaleSiluAddTanhInThisOrder) {
  const Values in = {2}, other = {0.5};
  Values out(1);
  const double gelu = GeluTanh()(2 * 0.75 + 0.5);
  const double scaled = gelu * 0.5 * 0.75;

  reference::chain(in, other, 2, out);
  EXPECT_EQ(out[0], 2.0);
  reference::chain(in, other, 4, out);
  EXPECT_DOUBLE_EQ(out[0], gelu * 0.5);
  reference::chain(in, other, 8, out);
  EXPECT_DOUBLE_EQ(out[0], std::tanh(Silu()(scaled) + 0.5));
}

TEST(Chain, OfEveryLengthIsTheFusedFunctor) {
  const Values in = {-3, -0.5, 0, 1, 4}, other = {0.1, -2, 1, 0.3, 0};
  Values out(in.size());

  reference::chain(in, other, 8, out);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], Chain<8>()(in[i], other[i]));
  reference::chain(in, other, 3, out);
  for (std::size_t i = 0; i < in.size(); ++i) EXPECT_EQ(out[i], Chain<3>()(in[i], other[i]));
}

TEST(BiasActivationResidual, IsTheFourStepsInARow) {
  const Values in = {1, -5, 2, 0.5}, bias = {0.5, 1}, residual = {10, 20, 30, 40};
  Values out(4);

  reference::bias_activation_residual(Activation::relu, in, bias, residual, 0, 1, out);

  EXPECT_EQ(out, (Values{11.5, 20, 32.5, 41.5}));
}

}  // namespace
}  // namespace cupel::kernels::pointwise
