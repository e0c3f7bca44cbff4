#include "cupel/stats/dispersion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cupel/stats/random.hpp"

namespace cupel::stats {
namespace {

std::vector<double> drawn(std::size_t count, Random& random, const std::function<double(Random&)>& draw) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(draw(random));
  return values;
}

TEST(FartherOut, CountsTheWaysToDealTheDistancesOut) {
  const std::vector<double> a{-1, 1, 2, -2}, b{30, -30, 40, -40};

  // All four of b beyond all of a: one way of C(8, 4) = 70, at half of the level.
  EXPECT_NEAR(p_farther_out(a, b), 2.0 / 70, 1e-12);
  EXPECT_EQ(p_farther_out(b, a), 1);
}

TEST(FartherOut, SparesAValueThatIsFarOffByItself) {
  const std::vector<double> a{-1, 1, 2, 500}, b{30, -30, 40, -40};

  // At most one of a among the first five: (C(4,4) C(4,1) + 0) of C(8, 5) = 56, at a quarter of the level.
  EXPECT_NEAR(p_farther_out(a, b), 4 * 4.0 / 56, 1e-12);
}

TEST(FartherOut, SeesNoShift) {
  const std::vector<double> a{-0.04, -0.03, -0.02, -0.01, 0.01, 0.02, 0.03, 0.04};
  for (const double shift : {0.01, 0.05, 1.0}) {
    std::vector<double> b = a;
    for (double& value : b) value += shift;
    EXPECT_GT(p_farther_out(a, b), 0.5) << shift;
    EXPECT_GT(p_farther_out(b, a), 0.5) << shift;
  }
}

// Exact: whatever the processes differ by, p is at most the level that often.
TEST(FartherOut, KeepsItsLevelForHeavyTailsSpikesAndTwoLevels) {
  const std::function<double(Random&)> noises[] = {
      [](Random& r) { return r.normal(); },
      [](Random& r) { return r.exponential(); },
      [](Random& r) { return r.normal() / std::sqrt(r.exponential()); },
      [](Random& r) { return 0.003 * r.normal() + (r.uniform() < 0.05 ? 1.1 : 0); },
      [](Random& r) { return 0.001 * r.normal() + (r.uniform() < 0.3 ? 0.05 : 0); },
      [](Random& r) { return r.uniform() < 0.5 ? 0.05 : 0; }};
  Random random(7);
  for (const auto& noise : noises) {
    int below = 0;
    constexpr int kTests = 20'000;
    for (int i = 0; i < kTests; ++i) {
      const std::vector<double> a = drawn(12, random, noise), b = drawn(12, random, noise);
      below += p_farther_out(a, b) <= 0.01;
    }
    EXPECT_LE(below, 200 + 4 * 14);  // 1 %, and four standard deviations of the count
  }
}

TEST(FartherOut, FindsASideThatIsTwiceAsSlowInTwoOfFiveProcesses) {
  Random random(9);
  int found = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::vector<double> a = drawn(32, random, [](Random& r) { return 0.003 * r.normal(); });
    const std::vector<double> b =
        drawn(32, random, [](Random& r) { return 0.003 * r.normal() + (r.uniform() < 0.4 ? std::log(2) : 0); });
    found += p_farther_out(a, b) <= 0.001;
  }
  EXPECT_GE(found, 850);
}

}  // namespace
}  // namespace cupel::stats
