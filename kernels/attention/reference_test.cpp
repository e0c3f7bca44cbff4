#include "kernels/attention/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "cupel/verify/compare.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/common/test_gradients.hpp"

namespace cupel::kernels::attention::reference {
namespace {

using test::by_differences;
using Values = std::vector<double>;

constexpr std::int64_t kSequence = 5, kSize = 3;
constexpr double kScale = 0.7;

void expect_close(const Values& expected, const Values& actual, double absolute = 1e-12) {
  const auto comparison = verify::compare(expected, actual, {.absolute = absolute});
  EXPECT_TRUE(comparison.passed()) << comparison.message();
}

Values random(std::uint64_t seed) {
  Values values(static_cast<std::size_t>(kSequence * kSize));
  verify::fill_uniform<double>(values, seed, -1, 1);
  return values;
}

Values forward_of(const Values& q, const Values& k, const Values& v, bool causal) {
  Values out(q.size());
  forward({q, k, v, kSequence, kSize, causal, kScale}, out);
  return out;
}

TEST(Attention, WeighsValuesByTheShareOfTheirScores) {
  // Scores log 1 and log 3 for query 0, 0 and 0 for query 1.
  const Values q = {1, 0}, k = {std::log(1.0) / 2, std::log(3.0) / 2}, v = {8, 16};
  Values out(2);

  forward({q, k, v, 2, 1, false, 2}, out);

  expect_close({0.25 * 8 + 0.75 * 16, 12}, out);
}

TEST(CausalAttention, SeesNothingBehindTheQuery) {
  const Values q = {1, 1}, k = {0, 0}, v = {8, 16};
  Values out(2);

  forward({q, k, v, 2, 1, true, 1}, out);

  expect_close({8, 12}, out);
}

class Gradients : public testing::TestWithParam<bool> {};

TEST_P(Gradients, AreWhatDifferencesShow) {
  const bool causal = GetParam();
  const Values q = random(1), k = random(2), v = random(3), d_out = random(4);
  Values d_q(q.size()), d_k(q.size()), d_v(q.size());

  backward({q, k, v, kSequence, kSize, causal, kScale}, d_out, d_q, d_k, d_v);

  constexpr double kDifferences = 1e-8;
  expect_close(by_differences(q, d_out, [&](const Values& x) { return forward_of(x, k, v, causal); }), d_q,
               kDifferences);
  expect_close(by_differences(k, d_out, [&](const Values& x) { return forward_of(q, x, v, causal); }), d_k,
               kDifferences);
  expect_close(by_differences(v, d_out, [&](const Values& x) { return forward_of(q, k, x, causal); }), d_v,
               kDifferences);
}

INSTANTIATE_TEST_SUITE_P(Masks, Gradients, testing::Bool());

TEST(Statistics, AreTheLogarithmOfTheSumAndTheSlopesMeanRootMeanSquareAndNorm) {
  // Both shares of query 1 are a half; its slopes are 3 and 5.
  const Values q = {2, 0}, k = {1, 1}, v = {3, 5}, d_out = {1, 1};

  const auto found = statistics({q, k, v, 2, 1, true, 1}, d_out);

  expect_close({2, 3, 3, 3}, {found[0].log_sum, found[0].mean_slope, found[0].rms_slope, found[0].norm_slope});
  expect_close({std::log(2.0), 4, std::sqrt(17.0), std::sqrt(8.5)},
               {found[1].log_sum, found[1].mean_slope, found[1].rms_slope, found[1].norm_slope});
}

}  // namespace
}  // namespace cupel::kernels::attention::reference
