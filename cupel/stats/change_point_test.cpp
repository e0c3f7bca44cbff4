#include "cupel/stats/change_point.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cupel/stats/effect.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/measured.hpp"

namespace cupel::stats {
namespace {

constexpr double kOnePercent = 0.01;
constexpr double kNoise = 0.005;
const ChangeRule kRule{.smallest_shift = kOnePercent};

// Student's t of four degrees of freedom, scaled to unit variance: heavier tails than a normal.
double student4(Random& random) {
  double chi_squared = 0;
  for (int i = 0; i < 4; ++i) chi_squared += std::pow(random.normal(), 2);
  return random.normal() / std::sqrt(chi_squared / 4) / std::sqrt(2.0);
}

enum class Noise { normal, heavy };

std::vector<double> nightly(std::size_t n, Noise noise, Random& random) {
  std::vector<double> values(n);
  for (double& x : values) x = kNoise * (noise == Noise::normal ? random.normal() : student4(random));
  return values;
}

void add_step(std::vector<double>& values, std::size_t from, double size) {
  for (std::size_t i = from; i < values.size(); ++i) values[i] += size;
}

struct Tally {
  double located = 0;  ///< share of histories with one change, within one commit of the truth
  double false_changes_per_history = 0;
};

Tally simulate(Noise noise, int histories) {
  Random random(noise == Noise::normal ? 1 : 2);
  Tally tally;
  for (int i = 0; i < histories; ++i) {
    std::vector<double> values = nightly(60, noise, random);
    tally.false_changes_per_history += static_cast<double>(change_points(values, kRule).size()) / histories;
    add_step(values, 30, 0.02);
    const std::vector<ChangePoint> found = change_points(values, kRule);
    const bool near = found.size() == 1 && found[0].index >= 29 && found[0].index <= 31;
    tally.located += near ? 1.0 / histories : 0;
  }
  return tally;
}

TEST(ChangePoints, LocatesAStepOfTwoPercentWithinOneCommit) {
  for (const Noise noise : {Noise::normal, Noise::heavy}) {
    const Tally tally = simulate(noise, 1000);
    const std::string name = noise == Noise::normal ? "normal" : "heavy-tailed";
    reference::report("2 % step located within one commit, " + name, tally.located);
    reference::report("false steps of 1 % or more per history, " + name, tally.false_changes_per_history);

    EXPECT_GE(tally.located, 0.95);
    EXPECT_LE(tally.false_changes_per_history, 0.01);
  }
}

TEST(ChangePoints, SaysWhereAndByHowMuch) {
  std::vector<double> values{1.0, 1.1, 1.0, 0.9, 1.0, 1.1, 0.9, 1.0, 3.0, 3.1, 2.9, 3.0, 3.0, 3.1, 2.9, 3.0};

  const std::vector<ChangePoint> found = change_points(values);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index, 8u);
  EXPECT_NEAR(found[0].shift, 2.0, 1e-12);
  EXPECT_LT(found[0].p_two_sided, 0.001);
}

TEST(ChangePoints, FindsSeveralSteps) {
  Random random(3);
  std::vector<double> values = nightly(90, Noise::normal, random);
  add_step(values, 30, 0.03);
  add_step(values, 60, -0.02);

  const std::vector<ChangePoint> found = change_points(values, kRule);

  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(static_cast<double>(found[0].index), 30, 1);
  EXPECT_NEAR(static_cast<double>(found[1].index), 60, 1);
  EXPECT_GT(found[0].shift, 0);
  EXPECT_LT(found[1].shift, 0);
}

TEST(ChangePoints, IgnoresOneWildNight) {
  Random random(4);
  std::vector<double> values = nightly(60, Noise::normal, random);
  values[20] += 0.5;

  EXPECT_TRUE(change_points(values, kRule).empty());
}

TEST(ChangePoints, IgnoresAStepSmallerThanTheRuleAsksFor) {
  Random random(5);
  std::vector<double> values = nightly(60, Noise::normal, random);
  add_step(values, 30, 0.006);

  EXPECT_TRUE(change_points(values, kRule).empty());
}

TEST(ChangePoints, FindsAStepInValuesWithoutNoise) {
  std::vector<double> values(20, 1.0);
  add_step(values, 8, 1);

  const std::vector<ChangePoint> found = change_points(values);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].index, 8u);
}

TEST(ChangePoints, OfFewOrEqualValuesAreNone) {
  EXPECT_TRUE(change_points({}).empty());
  EXPECT_TRUE(change_points(std::vector{1.0, 2.0, 3.0, 9.0, 9.0}).empty());
  EXPECT_TRUE(change_points(std::vector<double>(30, 2.0)).empty());
}

TEST(ChangePoints, DoNotDependOnTheUnit) {
  Random random(6);
  std::vector<double> values = nightly(60, Noise::normal, random);
  add_step(values, 25, 0.02);
  std::vector<double> scaled = values;
  for (double& x : scaled) x = 1e-6 * x;

  const auto found = change_points(values);
  const auto found_scaled = change_points(scaled);

  ASSERT_EQ(found.size(), found_scaled.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].index, found_scaled[i].index);
}

// Steps of 0.9 %, each under the tolerance of 1 %: against the level of the last release they add up. After two steps
// the shift is 1.8 %.
TEST(Ratchet, SeesFiveSmallStepsByTheThird) {
  Random random(7);
  int seen = 0;
  int false_alarms = 0;
  constexpr int kHistories = 1000;
  constexpr std::size_t kNights = 10;
  const auto worse = [](std::span<const double> release, std::span<const double> now) {
    return hodges_lehmann(release, now).estimate >= kOnePercent && mann_whitney(release, now).p_greater < 0.001;
  };
  for (int history = 0; history < kHistories; ++history) {
    std::vector<double> values = nightly(4 * kNights, Noise::normal, random);
    const std::vector<double> level(values.begin(), values.end());
    for (std::size_t step = 1; step <= 3; ++step) add_step(values, step * kNights, 0.009);
    const auto nights = [&values](std::size_t i) { return std::span(values).subspan(i * kNights, kNights); };
    seen += worse(nights(0), nights(1)) || worse(nights(0), nights(2)) || worse(nights(0), nights(3));
    false_alarms += worse(std::span(level).first(kNights), std::span(level).last(kNights));
  }

  EXPECT_GE(seen, 990);
  EXPECT_LE(false_alarms, 1);
}

}  // namespace
}  // namespace cupel::stats
