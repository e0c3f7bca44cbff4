#include "cupel/figures/power_limit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/figures/suite.hpp"
#include "cupel/record/record.hpp"

namespace cupel::figures {
namespace {

record::Row row(int process, bool bit, double counter_s = 0, const std::string& name = "gemm/square") {
  record::Row row;
  row.name = name;
  row.process = process;
  row.wall_s = 0.5;
  row.telemetry.emplace().throttle_s = {{"sw_power_cap", counter_s}, {"hw_thermal", 3}};
  if (bit) row.telemetry->throttle_reasons = {"sw_power_cap"};
  return row;
}

bool by_itself(const std::vector<record::Row>& rows) {
  PowerLimit limit;
  for (const record::Row& one : rows) limit.add(one);
  return limit.by_itself();
}

TEST(PowerLimit, IsABenchmarksOwnFromHalfOfItsProcessesOn) {
  EXPECT_FALSE(by_itself({row(0, false), row(1, false)}));
  EXPECT_FALSE(by_itself({row(0, true), row(1, false), row(2, false)}));
  EXPECT_TRUE(by_itself({row(0, true), row(1, false)}));
  EXPECT_TRUE(by_itself({row(0, true), row(1, true), row(2, false)}));
}

TEST(PowerLimit, IsMetByTheBitOrByTheCounter) {
  EXPECT_TRUE(by_itself({row(0, true, 0)}));
  EXPECT_TRUE(by_itself({row(0, false, 0.1)}));
  EXPECT_FALSE(by_itself({row(0, false, 0)}));  // its counter of heat says nothing of power
}

TEST(PowerLimit, IsUnknownWithoutTelemetry) {
  record::Row blind = row(1, false);
  blind.telemetry.reset();
  PowerLimit limit;
  limit.add(blind);

  EXPECT_FALSE(limit.share());
  EXPECT_FALSE(limit.by_itself());
  EXPECT_TRUE(by_itself({row(0, true), blind, blind}));  // all that are known met it
}

TEST(PowerLimited, CountsBenchmarksAndTheTimeOfTheCounter) {
  record::ResultSet results;
  results.rows = {row(0, true, 0.2),       row(1, true),           row(2, false), row(0, true, 0, "f/b"),
                  row(1, false, 0, "f/b"), row(2, false, 0, "f/b")};
  record::Row failed = row(0, true, 9, "f/failed");
  failed.status = record::Status::failed;
  results.rows.push_back(failed);

  const PowerLimited counted = power_limited(results);

  EXPECT_EQ(counted.limited, 1);
  EXPECT_EQ(counted.benchmarks, 2);
  EXPECT_DOUBLE_EQ(counted.met_s, 0.2);
  EXPECT_DOUBLE_EQ(counted.wall_s, 3);
  EXPECT_EQ(power_limited_text(counted),
            "50 % of the benchmarks ran at the power limit (1 of 2; 200 ms of 3.0 s, by the driver's counter)");
  EXPECT_EQ(power_limited_text({.limited = 1, .benchmarks = 98}),
            "1 % of the benchmarks ran at the power limit (1 of 98)");
  EXPECT_EQ(power_limited_text({.limited = 1, .benchmarks = 300}),
            "Less than 1 % of the benchmarks ran at the power limit (1 of 300)");
}

TEST(PowerLimited, CountsOnlyWhatIsKept) {
  record::ResultSet results;
  results.rows = {row(0, true), row(0, true, 0, "f/b")};

  const PowerLimited counted = power_limited(results, [](const std::string& name) { return name == "f/b"; });

  EXPECT_EQ(counted.limited, 1);
  EXPECT_EQ(counted.benchmarks, 1);
}

TEST(PowerLimited, SaysNothingWhereNoBenchmarkIs) {
  record::ResultSet results;
  results.rows = {row(0, true), row(1, false), row(2, false)};

  EXPECT_EQ(power_limited_text(power_limited(results)), "");
}

TEST(PowerLimited, AgreesWithTheSharesThatAreCompared) {
  record::ResultSet results;
  results.rows = {row(0, true),           row(1, false, 0.1),      row(2, false),
                  row(0, true, 0, "f/b"), row(1, false, 0, "f/b"), row(2, false, 0, "f/b")};
  int limited = 0;

  for (const Benchmark& benchmark : suite_of(results, "file").benchmarks) {
    limited += benchmark.power_capped_share.value_or(0) >= kPowerLimitedShare ? 1 : 0;
  }

  EXPECT_EQ(limited, power_limited(results).limited);
}

}  // namespace
}  // namespace cupel::figures
