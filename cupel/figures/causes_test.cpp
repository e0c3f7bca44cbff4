#include "cupel/figures/causes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/synthetic_advice.hpp"

namespace cupel::figures {
namespace {

using record::ResultSet;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// A quiet machine: three rows, nothing to say.
ResultSet quiet() {
  ResultSet results{synthetic::context(), {}};
  synthetic::add(results, {"transfer/h2d/memory:pinned/bytes:1048576", {}, 1e-3});
  for (record::Row& row : results.rows) row.telemetry.emplace().sm_clock_hz = 1e9;
  return results;
}

std::vector<std::string> ids(const ResultSet& results) {
  std::vector<std::string> found;
  for (const Cause& cause : causes(results)) found.push_back(cause.id);
  return found;
}

// The rows' copies move this many bytes a second over a link of generation 5.
void copies_reach(ResultSet& results, double bytes_per_s) {
  for (record::Row& row : results.rows) {
    row.workload.bytes_moved = static_cast<std::int64_t>(bytes_per_s * 1e-3);
    row.limit = record::Limit{"PCIe 5.0 x16", "bytes", 63e9, "made up"};
  }
}

TEST(Causes, AreNoneOnAQuietMachine) { EXPECT_THAT(ids(quiet()), IsEmpty()); }

TEST(Causes, NameFamiliesWhoseCodeIsNotOptimised) {
  ResultSet results = quiet();
  results.context.run.unoptimised = {"sorting", "searching"};

  const std::vector<Cause> found = causes(results);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "unoptimised");
  EXPECT_THAT(found[0].what, testing::HasSubstr("The code of sorting and searching was compiled without optimisation"));
}

TEST(Causes, NameHeatWithItsReasonsAndHowOften) {
  ResultSet results = quiet();
  results.rows[1].telemetry->throttle_reasons = {"hw_thermal", "sw_power_cap"};

  const std::vector<Cause> found = causes(results);

  ASSERT_EQ(found.size(), 1u);  // one process of three at the power limit is none
  EXPECT_EQ(found[0].id, "throttled");
  EXPECT_EQ(found[0].what,
            "The GPU was slowed in 1 of 3 measurements (hw_thermal). Heat or a power brake holds the clocks down: such "
            "results are marked as disturbed.");
}

TEST(Causes, CountBenchmarksThatArePowerLimitedByThemselves) {
  ResultSet results = quiet();
  synthetic::add(results, {"gemm/square/n:8192", {}, 1e-3});
  for (record::Row& row : results.rows) {
    if (row.name == "gemm/square/n:8192" && row.process > 0)
      row.telemetry.emplace().throttle_reasons = {"sw_power_cap"};
  }

  const std::vector<Cause> found = causes(results);

  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].id, "at-power-limit");
  EXPECT_EQ(found[0].what, "50 % of the benchmarks ran at the power limit (1 of 2).");
  EXPECT_THAT(found[0].remedy, testing::HasSubstr("That is normal"));
}

TEST(Causes, TellALimitThatWasLoweredFromWorkThatReachesIt) {
  ResultSet results = quiet();
  results.context.device->power_limit_w = 500;
  results.context.device->power_limit_default_w = 700;
  for (record::Row& row : results.rows) row.telemetry.emplace().throttle_reasons = {"sw_power_cap"};

  const std::vector<Cause> found = causes(results);

  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].id, "power-limit");
  EXPECT_THAT(found[0].what, testing::HasSubstr("500 W, 700 W by default"));
  EXPECT_EQ(found[1].id, "at-power-limit");
}

TEST(Causes, NameOtherProcesses) {
  ResultSet results = quiet();
  results.rows[0].telemetry->foreign_processes = 1;

  EXPECT_THAT(ids(results), ElementsAre("foreign-process"));
}

TEST(Causes, NameANarrowLink) {
  ResultSet results = quiet();
  results.context.device->pcie_width = 8;
  results.context.device->pcie_width_max = 16;

  EXPECT_THAT(ids(results), ElementsAre("pcie-width"));
}

TEST(Causes, DoNotBelieveTheGenerationOfALinkThatCopiedFaster) {
  ResultSet idle = quiet(), slow = quiet();
  for (ResultSet* results : {&idle, &slow}) {
    record::DeviceInfo& device = *results->context.device;
    device.pcie_generation = 1;
    device.pcie_generation_max = 5;
    device.pcie_width = device.pcie_width_max = 16;
  }
  copies_reach(idle, 55e9);
  copies_reach(slow, 3.5e9);

  EXPECT_THAT(ids(idle), IsEmpty());
  EXPECT_THAT(ids(slow), ElementsAre("pcie-generation"));
}

TEST(Causes, NameMemoryOnTheFarNode) {
  ResultSet results = quiet();
  synthetic::add(results, {"transfer/a", {"bandwidth", record::Role::variant, "h2d", "pinned"}, 2e-3});
  synthetic::add(results, {"transfer/b", {"bandwidth", record::Role::variant, "h2d", "pinned_near"}, 1e-3});

  EXPECT_THAT(ids(results), ElementsAre("far-numa-node"));
}

TEST(Causes, NameWhatIsWrongWithTheBuildAndTheHost) {
  ResultSet results = quiet();
  results.context.build.benchmark_debug = true;
  results.context.build.type = "Debug";
  results.context.host.governor = "powersave";
  results.context.device->persistence = false;
  results.context.run.interrupted = true;

  EXPECT_THAT(ids(results), ElementsAre("debug-library", "debug-build", "governor", "interrupted", "persistence"));
}

TEST(Causes, NameAMachineOnWhichThreadsHadToWait) {
  ResultSet results = quiet();
  for (record::Row& row : results.rows) row.series.front().mode = record::Mode::host;
  results.rows[0].counters[record::kCpuWait] = {0.05, "1", record::Better::none, false};
  EXPECT_THAT(ids(results), IsEmpty());

  results.rows[0].counters[record::kCpuWait].value = 0.06;

  EXPECT_THAT(ids(results), ElementsAre("busy-host"));
  EXPECT_THAT(causes(results)[0].what, testing::HasSubstr("1 of 1 host times"));
}

TEST(Causes, NameUnsettledClocksAndFailures) {
  ResultSet results = quiet();
  results.rows[0].telemetry->settled = false;
  results.rows[1].status = record::Status::failed;

  EXPECT_THAT(ids(results), ElementsAre("unsettled", "failed"));
}

TEST(Causes, AreOfTheRowsThatCount) {
  ResultSet results = quiet();
  results.rows[0].telemetry->throttle_reasons = {"hw_thermal"};

  EXPECT_THAT(ids(results), ElementsAre("throttled"));
  EXPECT_THAT(
      causes(results, [](const std::string& name) { return name != "transfer/h2d/memory:pinned/bytes:1048576"; }),
      IsEmpty());
}

}  // namespace
}  // namespace cupel::figures
