#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupel/verify/compare.hpp"
#include "kernels/pointwise/reference.hpp"

namespace cupel::kernels::pointwise {
namespace {

using Values = std::vector<double>;

constexpr Activation kActivations[] = {Activation::relu,     Activation::tanh,      Activation::sigmoid,
                                       Activation::gelu_erf, Activation::gelu_tanh, Activation::silu};

Values activated(Activation activation, const Values& in) {
  Values out(in.size());
  reference::activate(activation, in, out);
  return out;
}

// Central differences of h are off by h^2 / 6 times the third derivative, which is below 3 for all of them, and by the
// rounding of a value below 8 divided by h.
TEST(ActivationGradients, AreTheSlopesOfTheActivations) {
  constexpr double kStep = 1e-5;
  Values in, before, behind;
  for (int i = -80; i <= 80; ++i) {
    const double x = i / 10.0 + 0.05;  // not at 0, where ReLU has no slope
    in.push_back(x);
    before.push_back(x - kStep);
    behind.push_back(x + kStep);
  }
  for (const Activation activation : kActivations) {
    const Values low = activated(activation, before), high = activated(activation, behind);
    Values slope(in.size()), gradient(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) slope[i] = 3 * (high[i] - low[i]) / (2 * kStep);

    reference::activation_gradient(activation, in, Values(in.size(), 3), gradient);

    const auto comparison = verify::compare(slope, gradient, {.absolute = 1e-9});
    EXPECT_TRUE(comparison.passed()) << to_string(activation) << ": " << comparison.message();
  }
}

TEST(ActivationGradients, OfReluAreNothingAtZero) {
  Values gradient(3);

  reference::activation_gradient(Activation::relu, Values{-1, 0, 1}, Values{5, 6, 7}, gradient);

  EXPECT_EQ(gradient, (Values{0, 0, 7}));
}

TEST(BiasGradient, IsTheSumOfEachColumn) {
  Values sums(3, 99);

  reference::bias_gradient(Values{1, 2, 3, 10, 20, 30}, sums);

  EXPECT_EQ(sums, (Values{11, 22, 33}));
}

TEST(BiasGradient, OfNoRowsIsNothing) {
  Values sums(2, 99);

  reference::bias_gradient(Values{}, sums);

  EXPECT_EQ(sums, (Values{0, 0}));
}

}  // namespace
}  // namespace cupel::kernels::pointwise
