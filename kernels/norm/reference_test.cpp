#include "kernels/norm/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cupel/verify/compare.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/common/test_gradients.hpp"

namespace cupel::kernels::norm::reference {
namespace {

using test::by_differences;
using Values = std::vector<double>;

void expect_close(const Values& expected, const Values& actual, double absolute = 1e-12) {
  const auto comparison = verify::compare(expected, actual, {.absolute = absolute});
  EXPECT_TRUE(comparison.passed()) << comparison.message();
}

Values random(std::size_t count, std::uint64_t seed) {
  Values values(count);
  verify::fill_uniform<double>(values, seed, -1, 1);
  return values;
}

constexpr double kDifferences = 1e-7;

TEST(LayerNorm, OfOneTwoThreeHasMeanTwoAndVarianceTwoThirds) {
  const Values in = {1, 2, 3}, gamma = {1, 1, 2}, beta = {0, 5, 0};
  Values out(3);

  layer_norm(in, gamma, beta, 0, out, 3);

  expect_close({-std::sqrt(1.5), 5, 2 * std::sqrt(1.5)}, out);
}

TEST(LayerNorm, HasTheGradientThatDifferencesShow) {
  const Values in = random(10, 1), gamma = random(5, 2), beta = random(5, 3), d_out = random(10, 4);
  Values d_in(10), d_gamma(5), d_beta(5);
  const auto forward = [&](const Values& x, const Values& g, const Values& b) {
    Values out(10);
    layer_norm(x, g, b, 0.1, out, 5);
    return out;
  };

  layer_norm_backward(in, gamma, d_out, 0.1, d_in, d_gamma, d_beta, 5);

  expect_close(by_differences(in, d_out, [&](const Values& x) { return forward(x, gamma, beta); }), d_in, kDifferences);
  expect_close(by_differences(gamma, d_out, [&](const Values& x) { return forward(in, x, beta); }), d_gamma,
               kDifferences);
  expect_close(by_differences(beta, d_out, [&](const Values& x) { return forward(in, gamma, x); }), d_beta,
               kDifferences);
}

TEST(RmsNorm, OfThreeAndFourDividesByTheRootOfTwelveAndAHalf) {
  const Values in = {3, 4}, gamma = {1, 10};
  Values out(2);

  rms_norm(in, gamma, 0, out, 2);

  expect_close({3 / std::sqrt(12.5), 40 / std::sqrt(12.5)}, out);
}

TEST(RmsNorm, HasTheGradientThatDifferencesShow) {
  const Values in = random(10, 1), gamma = random(5, 2), d_out = random(10, 4);
  Values d_in(10), d_gamma(5);
  const auto forward = [&](const Values& x, const Values& g) {
    Values out(10);
    rms_norm(x, g, 0.1, out, 5);
    return out;
  };

  rms_norm_backward(in, gamma, d_out, 0.1, d_in, d_gamma, 5);

  expect_close(by_differences(in, d_out, [&](const Values& x) { return forward(x, gamma); }), d_in, kDifferences);
  expect_close(by_differences(gamma, d_out, [&](const Values& x) { return forward(in, x); }), d_gamma, kDifferences);
}

TEST(Softmax, OfLogarithmsIsTheNumbersOverTheirSumAndDoesNotOverflow) {
  const Values in = {std::log(1.0), std::log(3.0), 1000 + std::log(1.0), 1000 + std::log(3.0)};
  Values out(4);

  softmax(in, out, 2);

  expect_close({0.25, 0.75, 0.25, 0.75}, out);
}

TEST(Softmax, OfEqualNumbersIsEqualHoweverLargeTheyAre) {
  Values out(4), loss(1);

  softmax(Values(4, 3e38), out, 4);
  cross_entropy(Values(4, 3e38), std::vector<std::int32_t>{2}, loss, 4);

  expect_close({0.25, 0.25, 0.25, 0.25}, out);
  expect_close({std::log(4.0)}, loss);
}

TEST(Softmax, HasTheGradientThatDifferencesShow) {
  const Values in = random(10, 1), d_out = random(10, 4);
  Values out(10), d_in(10);
  softmax(in, out, 5);

  softmax_backward(out, d_out, d_in, 5);

  const auto forward = [](const Values& x) {
    Values y(10);
    softmax(x, y, 5);
    return y;
  };
  expect_close(by_differences(in, d_out, forward), d_in, kDifferences);
}

TEST(CausalSoftmax, OfEachSquareIsTheSoftmaxOfTheColumnsUpToTheRows) {
  const Values in = {std::log(1.0), 100, std::log(1.0), std::log(3.0),
                     std::log(5.0), 100, std::log(4.0), std::log(1.0)};
  Values out(8);

  causal_softmax(in, out, 2);

  expect_close({1, 0, 0.25, 0.75, 1, 0, 0.8, 0.2}, out);
}

TEST(CausalSoftmax, HasTheGradientThatDifferencesShow) {
  const Values in = random(18, 1), d_out = random(18, 4);
  Values out(18), d_in(18);
  causal_softmax(in, out, 3);

  causal_softmax_backward(out, d_out, d_in, 3);

  const auto forward = [](const Values& x) {
    Values y(18);
    causal_softmax(x, y, 3);
    return y;
  };
  expect_close(by_differences(in, d_out, forward), d_in, kDifferences);
}

TEST(CrossEntropy, IsMinusTheLogarithmOfTheLabelsShareAndHasTheGradientThatDifferencesShow) {
  const Values in = {std::log(1.0), std::log(3.0), 0, 0}, both = {0.5, 0.5};
  const std::vector<std::int32_t> label = {1, 0};
  Values loss(2), d_in(4);
  const auto forward = [&](const Values& x) {
    Values y(2);
    cross_entropy(x, label, y, 2);
    return y;
  };

  cross_entropy(in, label, loss, 2);
  cross_entropy_backward(in, label, 0.5, d_in, 2);

  expect_close({-std::log(0.75), std::log(2.0)}, loss);
  expect_close(by_differences(in, both, forward), d_in, kDifferences);
}

TEST(BatchNorm, NormalisesEachColumnOverTheRows) {
  const Values in = {1, 10, 3, 10}, gamma = {1, 1}, beta = {0, -1};
  Values out(4), rectified(4), mean(2), variance(2);

  batch_norm(in, gamma, beta, 0.25, false, out, mean, variance, 2);
  batch_norm(in, gamma, beta, 0.25, true, rectified, mean, variance, 2);

  expect_close({2, 10}, mean);
  expect_close({1, 0}, variance);
  expect_close({-1 / std::sqrt(1.25), -1, 1 / std::sqrt(1.25), -1}, out);
  expect_close({0, 0, 1 / std::sqrt(1.25), 0}, rectified);
}

TEST(BatchNorm, HasTheGradientThatDifferencesShow) {
  const Values in = random(12, 1), gamma = random(3, 2), beta = random(3, 3), d_out = random(12, 4);
  Values d_in(12), d_gamma(3), d_beta(3);
  const auto forward = [&](const Values& x, const Values& g, const Values& b) {
    Values out(12), mean(3), variance(3);
    batch_norm(x, g, b, 0.1, false, out, mean, variance, 3);
    return out;
  };

  batch_norm_backward(in, d_out, gamma, 0.1, d_in, d_gamma, d_beta, 3);

  expect_close(by_differences(in, d_out, [&](const Values& x) { return forward(x, gamma, beta); }), d_in, kDifferences);
  expect_close(by_differences(gamma, d_out, [&](const Values& x) { return forward(in, x, beta); }), d_gamma,
               kDifferences);
  expect_close(by_differences(beta, d_out, [&](const Values& x) { return forward(in, gamma, x); }), d_beta,
               kDifferences);
}

TEST(BatchNorm, WithReluHasTheGradientThatDifferencesShow) {
  const Values in = random(12, 1), gamma = random(3, 2), beta = random(3, 3), d_out = random(12, 4);
  Values d_in(12), d_gamma(3), d_beta(3);
  const auto forward = [&](const Values& x, const Values& g, const Values& b) {
    Values out(12), mean(3), variance(3);
    batch_norm(x, g, b, 0.1, true, out, mean, variance, 3);
    return out;
  };
  const Values out = forward(in, gamma, beta);

  batch_norm_relu_backward(in, out, d_out, gamma, 0.1, d_in, d_gamma, d_beta, 3);

  EXPECT_GT(std::count(out.begin(), out.end(), 0), 0);
  EXPECT_LT(std::count(out.begin(), out.end(), 0), 12);
  expect_close(by_differences(in, d_out, [&](const Values& x) { return forward(x, gamma, beta); }), d_in, kDifferences);
  expect_close(by_differences(gamma, d_out, [&](const Values& x) { return forward(in, x, beta); }), d_gamma,
               kDifferences);
  expect_close(by_differences(beta, d_out, [&](const Values& x) { return forward(in, gamma, x); }), d_beta,
               kDifferences);
}

}  // namespace
}  // namespace cupel::kernels::norm::reference
