#include "cupel/fleet/fleet.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"
#include "cupel/fleet/judged.hpp"

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

// A machine of one process: benchmarks f/0, f/1 and so on, the first few of which waited for a CPU.
record::ResultSet machine_with_busy(int busy, int benchmarks) {
  record::ResultSet results;
  for (int i = 0; i < benchmarks; ++i) {
    std::vector<record::Row> rows = rows_of("f/" + std::to_string(i), {1.0});
    if (i < busy) {
      rows[0].series[0].mode = record::Mode::host;
      rows[0].counters[record::kCpuWait] = {0.5, "1"};
    }
    append(results, std::move(rows));
  }
  return results;
}

Judged judged_of(const std::vector<record::ResultSet>& machines) {
  std::vector<figures::Suite> suites;
  for (std::size_t i = 0; i < machines.size(); ++i)
    suites.push_back(figures::suite_of(machines[i], "m" + std::to_string(i)));
  return fleets(suites).at(0).judged;
}

TEST(FleetJudged, CountsWhatBusyMachinesMeasured) {
  const Judged judged = judged_of({3, machine_with_busy(14, 17)});

  EXPECT_EQ(judged.benchmarks, 17);
  EXPECT_EQ(judged.judged, 3);
  EXPECT_EQ(judged.not_judged, (std::map<Unjudged, int>{{Unjudged::busy, 14}}));
  EXPECT_FALSE(judged.is_enough());
}

TEST(FleetJudged, IsEnoughFromHalfOn) {
  EXPECT_TRUE(judged_of({3, machine_with_busy(2, 4)}).is_enough());
  EXPECT_FALSE(judged_of({3, machine_with_busy(3, 4)}).is_enough());
}

TEST(FleetJudged, SaysWhatKeepsTheMostMachinesFromATime) {
  record::ResultSet right = machine_with_busy(0, 1), failed = right, skipped = right;
  failed.rows[0].status = record::Status::failed;
  skipped.rows[0].status = record::Status::skipped;
  const auto why = [&](const std::vector<record::ResultSet>& machines) {
    return judged_of(machines).not_judged.begin()->first;
  };

  EXPECT_EQ(why({right, failed, failed, skipped}), Unjudged::failed);
  EXPECT_EQ(why({right, skipped, skipped, failed}), Unjudged::skipped);
  EXPECT_EQ(why({right, right, record::ResultSet{}}), Unjudged::few);
}

TEST(FleetJudged, DoesNotAskForWhatTooFewMachinesRan) {
  const record::ResultSet more = machine_with_busy(0, 9), fewer = machine_with_busy(0, 2);
  const Judged judged = judged_of({fewer, fewer, fewer, more});

  EXPECT_EQ(judged.not_judged_for(Unjudged::few), 7);
  EXPECT_TRUE(judged.is_enough());
}

TEST(FleetJudged, SaysWhereMachinesTimeByDifferentClocks) {
  record::ResultSet wall = machine_with_busy(0, 1), cpu = wall;
  cpu.rows[0].clock = "cpu";

  EXPECT_EQ(judged_of({wall, wall, cpu, cpu}).not_judged_for(Unjudged::unlike), 1);
}

}  // namespace
}  // namespace cupel::fleet
