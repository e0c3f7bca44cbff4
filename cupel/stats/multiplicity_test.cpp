#include "cupel/stats/multiplicity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "cupel/stats/power.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/test_reference.hpp"

namespace cupel::stats {
namespace {

using reference::expect_equal;

TEST(Holm, EqualsTheReference) {
  for (const auto& c : reference::kMultiplicity) {
    const std::vector<double> by_holm = holm(c.p);

    ASSERT_EQ(by_holm.size(), c.p.size());
    for (std::size_t i = 0; i < c.p.size(); ++i) expect_equal(by_holm[i], c.holm[i]);
  }
}

TEST(Holm, OfNothingIsNothing) { EXPECT_TRUE(holm({}).empty()); }

TEST(Holm, RefusesWhatIsNoProbability) {
  EXPECT_THROW(holm(std::vector{0.5, 1.5}), std::invalid_argument);
  EXPECT_THROW(holm(std::vector{std::nan("")}), std::invalid_argument);
}

TEST(Holm, KeepsTheFamilyWiseLevel) {
  Random random(1);
  int families_with_an_error = 0;
  constexpr int kFamilies = 20'000;
  for (int family = 0; family < kFamilies; ++family) {
    std::vector<double> p(10);
    for (double& x : p) x = random.uniform();
    const std::vector<double> adjusted = holm(p);
    families_with_an_error += *std::ranges::min_element(adjusted) <= 0.05;
  }

  const double expected = 1 - std::pow(1 - 0.005, 10);
  EXPECT_NEAR(families_with_an_error / static_cast<double>(kFamilies), expected, 4 * std::sqrt(expected / kFamilies));
}

TEST(Power, FollowsTheFormulasOfTheDesign) {
  EXPECT_NEAR(minimum_detectable_effect(0.01, 5, kScreenFactor), 2.087 * 0.01, 1e-5);
  EXPECT_NEAR(minimum_detectable_effect(0.005, 12), 5.3 * 0.005 * std::sqrt(2.0 / 12), 1e-15);
  EXPECT_TRUE(gateable(0.015, 0.03));
  EXPECT_FALSE(gateable(0.0151, 0.03));
  EXPECT_THROW(minimum_detectable_effect(0.01, 0), std::invalid_argument);
}

TEST(Power, AsksForAsManyProcessesAsTheEffectTakes) {
  for (const double sigma : {0.001, 0.004, 0.01, 0.03}) {
    const int processes = processes_for(sigma, 0.02).value();

    EXPECT_LE(minimum_detectable_effect(sigma, processes), 0.02 * (1 + 1e-9));
    if (processes > 1) {
      EXPECT_GT(minimum_detectable_effect(sigma, processes - 1), 0.02);
    }
  }
  EXPECT_EQ(processes_for(0, 0.02), 1);
  EXPECT_EQ(processes_for(1, 1e-6), std::nullopt);
  EXPECT_THROW(processes_for(0.01, 0), std::invalid_argument);
}

TEST(Power, ConfirmsWithTheLeastCountThatServes) {
  const double target = std::log(1.03);

  EXPECT_EQ(confirm_processes(0.0, target), 12);
  EXPECT_EQ(confirm_processes(target / 5.3 * std::sqrt(6.0), target), 12);
  EXPECT_EQ(confirm_processes(target / 5.3 * std::sqrt(6.1), target), 16);
  EXPECT_EQ(confirm_processes(1.0, target), 32);
  EXPECT_EQ(confirm_processes(1e6, target), 32);
}

}  // namespace
}  // namespace cupel::stats
