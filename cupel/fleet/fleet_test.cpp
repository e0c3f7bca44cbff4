#include "cupel/fleet/fleet.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"

namespace cupel::fleet {
namespace {

using figures::append;
using figures::noisy_times;
using figures::rows_of;

// How much slower than others a machine is in a benchmark.
using Factor = std::function<double(const std::string& name)>;

// Six benchmarks of each of four families, give or take 0.3 %.
figures::Suite machine(const std::string& label, const std::string& gpu, const Factor& factor, stats::Random& random) {
  record::ResultSet results;
  results.context.device = record::DeviceInfo{};
  results.context.device->name = gpu;
  results.context.device->driver_version = "580";
  for (const char* family : {"f/", "g/", "h/", "i/"}) {
    for (int i = 0; i < 6; ++i) {
      const std::string name = family + std::to_string(i);
      append(results, rows_of(name, noisy_times(random, 3, factor(name), 0.003)));
    }
  }
  return figures::suite_of(results, label);
}

double alike(const std::string&) { return 1; }

Factor slow(const std::string& what, double factor) {
  return [=](const std::string& name) { return name.starts_with(what) ? factor : 1; };
}

constexpr std::size_t kThird = 3;

std::vector<figures::Suite> eight_machines(const Factor& of_third) {
  stats::Random random(9);
  std::vector<figures::Suite> suites;
  for (std::size_t i = 0; i < 8; ++i) {
    suites.push_back(machine("m" + std::to_string(i), "NVIDIA H200", i == kThird ? of_third : alike, random));
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
  const std::vector<Fleet> found = fleets(eight_machines(slow("f/", 1.08)));

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(outliers(found[0]), std::vector<std::string>{"f@3"});
  EXPECT_EQ(found[0].benchmarks.size(), 6u);
}

TEST(Fleets, NameNoneBelowOnePercentHoweverEvenTheOthersAre) {
  EXPECT_TRUE(outliers(fleets(eight_machines(slow("f/", 1.008)))[0]).empty());
}

TEST(Fleets, HoldMachinesAgainstThoseOfTheirModelOnly) {
  std::vector<figures::Suite> suites = eight_machines(alike);
  stats::Random random(4);
  suites.push_back(machine("other", "NVIDIA H100", slow("", 2), random));

  const std::vector<Fleet> found = fleets(suites);

  ASSERT_EQ(found.size(), 2u);
  for (const Fleet& fleet : found) EXPECT_TRUE(outliers(fleet).empty());
  EXPECT_TRUE(found[0].model == "NVIDIA H100" ? found[0].families.empty() : found[1].families.empty());
}

TEST(Fleets, TellAMachineThatIsSlowInOneBenchmark) {
  const Fleet fleet = fleets(eight_machines(slow("f/2", 1.5)))[0];

  ASSERT_EQ(fleet.benchmarks.size(), 1u);
  EXPECT_EQ(fleet.benchmarks[0].name, "f/2");
  EXPECT_EQ(fleet.benchmarks[0].machine, kThird);
  EXPECT_NEAR(fleet.benchmarks[0].ratio, 1.5, 0.02);
  EXPECT_TRUE(outliers(fleet).empty());
  EXPECT_TRUE(fleet.everything.empty());
  EXPECT_TRUE(fleet.kinds.empty());
}

TEST(Fleets, TellAMachineThatIsSlowInEverything) {
  const Fleet fleet = fleets(eight_machines(slow("", 1.08)))[0];

  ASSERT_EQ(fleet.everything.size(), 1u);
  EXPECT_EQ(fleet.everything[0].machine, kThird);
  EXPECT_NEAR(fleet.everything[0].ratio, 1.08, 0.01);
  EXPECT_TRUE(fleet.kinds.empty());
}

TEST(Fleets, TellTwoKindsOfBoardAndWhatDiffersInTheirRecords) {
  stats::Random random(9);
  std::vector<figures::Suite> suites;
  for (int i = 0; i < 16; ++i) {
    suites.push_back(machine("m" + std::to_string(i), "NVIDIA H200", i % 2 == 1 ? slow("f/", 1.05) : alike, random));
    if (i % 2 == 1) suites.back().context.device->driver_version = "570";
  }

  const Fleet fleet = fleets(suites)[0];

  ASSERT_EQ(fleet.kinds.size(), 1u);
  EXPECT_EQ(fleet.kinds[0].family, "f");
  EXPECT_NEAR(fleet.kinds[0].ratio, 1.05, 0.005);
  EXPECT_EQ(fleet.kinds[0].slower, (std::vector<std::size_t>{1, 3, 5, 7, 9, 11, 13, 15}));
  EXPECT_EQ(fleet.kinds[0].differs, std::vector<std::string>{"driver: 580 -> 570"});
  EXPECT_TRUE(outliers(fleet).empty());
}

TEST(Fleets, SayWhatTheRecordOfAMachineThatStandsOutSaysOtherwise) {
  std::vector<figures::Suite> suites = eight_machines(slow("f/", 1.08));
  for (figures::Suite& suite : suites) {
    record::DeviceInfo& device = *suite.context.device;
    device.power_limit_w = 700;
    device.ecc = true;
    device.pcie_generation_max = 5;
    device.pcie_width = 16;
    device.sm_clock_max_hz = 1980e6;
  }
  record::DeviceInfo& odd = *suites[kThird].context.device;
  odd.power_limit_w = 600;
  odd.ecc = false;
  odd.pcie_width = 8;
  odd.sm_clock_max_hz = 1755e6;
  odd.driver_version = "570";

  const Fleet fleet = fleets(suites)[0];

  ASSERT_EQ(fleet.differs.size(), 1u);
  EXPECT_EQ(fleet.differs[0].machine, kThird);
  EXPECT_EQ(fleet.differs[0].what, (std::vector<std::string>{"ECC: on -> off", "PCIe: PCIe 5.0 x16 -> PCIe 5.0 x8",
                                                             "SM clock, maximum: 1980 MHz -> 1755 MHz",
                                                             "driver: 580 -> 570", "power limit: 700 W -> 600 W"}));
}

}  // namespace
}  // namespace cupel::fleet
