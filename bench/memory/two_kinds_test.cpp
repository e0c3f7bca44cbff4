#include "bench/memory/two_kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace cupel::bench::memory {
namespace {

constexpr int kCount = 1000;

// value(p) of every p from 0 to 1, in an order of its own.
std::vector<double> values(const std::function<double(double)>& value) {
  std::vector<double> all;
  for (int i = 0; i < kCount; ++i) all.push_back(value(i * 617 % kCount / (kCount - 1.0)));
  return all;
}

// As atomics of one multiprocessor of an H200 take them: half of the lines 260 to 320 cycles, the others 440 to 520,
// one in a hundred much longer.
double atomics(double p) { return p < 0.5 ? 260 + 120 * p : p < 0.99 ? 440 + 160 * (p - 0.5) : 1000; }

TEST(TwoKinds, ArePartedBetweenThem) {
  const std::optional<double> border = border_of_two_kinds(values(atomics));

  ASSERT_TRUE(border);
  EXPECT_GT(*border, 320);
  EXPECT_LT(*border, 440);
}

TEST(TwoKinds, NeedNotBeEquallyMany) {
  const auto border = border_of_two_kinds(values([](double p) { return p < 0.3 ? 10 + p : 20 + p; }));

  ASSERT_TRUE(border);
  EXPECT_GT(*border, 10.3);
  EXPECT_LT(*border, 20.3);
}

TEST(TwoKinds, AreNotInAnEvenSpread) {
  EXPECT_FALSE(border_of_two_kinds(values([](double p) { return 260 + 60 * p; })));
}

// The quantile function of the logistic distribution, which is like the normal one's.
TEST(TwoKinds, AreNotInAHump) {
  EXPECT_FALSE(border_of_two_kinds(values([](double p) { return 300 + 10 * std::log((p + 1e-3) / (1 - p + 1e-3)); })));
}

TEST(TwoKinds, AreNotAFewOutliers) {
  EXPECT_FALSE(border_of_two_kinds(values([](double p) { return p < 0.9 ? 260 + 60 * p : 1000 + p; })));
}

TEST(TwoKinds, AreNotInOneValueOrNone) {
  EXPECT_FALSE(border_of_two_kinds({}));
  EXPECT_FALSE(border_of_two_kinds({7}));
  EXPECT_FALSE(border_of_two_kinds(values([](double) { return 7; })));
}

}  // namespace
}  // namespace cupel::bench::memory
