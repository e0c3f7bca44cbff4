#include "cupel/fleet/judged.hpp"

#include <gtest/gtest.h>

#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"
#include "cupel/fleet/fleet.hpp"

namespace cupel::fleet {
namespace {

using Rows = std::vector<record::Row>;

// A machine of one process: benchmarks f/0, f/1 and so on, the first few of which waited for a CPU.
record::ResultSet machine_with_busy(int busy, int benchmarks) {
  record::ResultSet results;
  for (int i = 0; i < benchmarks; ++i) {
    Rows rows = figures::rows_of("f/" + std::to_string(i), {1.0});
    if (i < busy) {
      rows[0].series[0].mode = record::Mode::host;
      rows[0].counters[record::kCpuWait] = {0.5, "1"};
    }
    figures::append(results, std::move(rows));
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
