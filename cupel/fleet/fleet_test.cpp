#include "cupel/fleet/fleet.hpp"

#include <gtest/gtest.h>

#include "cupel/figures/synthetic.hpp"

namespace cupel::fleet {
namespace {

using figures::append;
using figures::noisy_times;
using figures::rows_of;

// A machine whose times of family f are `factor` of the others', give or take `sigma`.
figures::Suite machine(const std::string& label, const std::string& gpu, double factor, stats::Random& random) {
  record::ResultSet results;
  results.context.device = record::DeviceInfo{};
  results.context.device->name = gpu;
  for (int i = 0; i < 6; ++i) {
    append(results, rows_of("f/" + std::to_string(i), noisy_times(random, 3, factor, 0.003)));
    append(results, rows_of("g/" + std::to_string(i), noisy_times(random, 3, 1, 0.003)));
  }
  return figures::suite_of(results, label);
}

std::vector<figures::Suite> eight_machines(double factor_of_third) {
  stats::Random random(9);
  std::vector<figures::Suite> suites;
  for (int i = 0; i < 8; ++i) {
    suites.push_back(machine("m" + std::to_string(i), "NVIDIA H200", i == 3 ? factor_of_third : 1, random));
  }
  return suites;
}

std::vector<std::string> outliers(const Fleet& fleet) {
  std::vector<std::string> found;
  for (const FleetFigure& figure : fleet.families) {
    if (figure.outlier) found.push_back(figure.name + "@" + std::to_string(figure.machine));
  }
  return found;
}

TEST(Fleets, NameTheMachineAndTheFamilyThatStandOut) {
  const std::vector<Fleet> found = fleets(eight_machines(1.08));

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(outliers(found[0]), std::vector<std::string>{"f@3"});
  EXPECT_EQ(found[0].benchmarks.size(), 6u);
}

TEST(Fleets, NameNoneBelowOnePercentHoweverEvenTheOthersAre) {
  EXPECT_TRUE(outliers(fleets(eight_machines(1.008))[0]).empty());
}

TEST(Fleets, HoldMachinesAgainstThoseOfTheirModelOnly) {
  std::vector<figures::Suite> suites = eight_machines(1);
  stats::Random random(4);
  suites.push_back(machine("other", "NVIDIA H100", 2, random));

  const std::vector<Fleet> found = fleets(suites);

  ASSERT_EQ(found.size(), 2u);
  for (const Fleet& fleet : found) EXPECT_TRUE(outliers(fleet).empty());
  EXPECT_TRUE(found[0].model == "NVIDIA H100" ? found[0].families.empty() : found[1].families.empty());
}

}  // namespace
}  // namespace cupel::fleet
