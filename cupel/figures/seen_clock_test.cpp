#include "cupel/figures/seen_clock.hpp"

#include <gtest/gtest.h>

#include "cupel/record/telemetry.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::figures {
namespace {

record::Telemetry telemetry(double hz, std::optional<bool> under_load = std::nullopt) {
  record::Telemetry seen;
  seen.sm_clock_hz = hz;
  seen.sm_clock_under_load = under_load;
  return seen;
}

SeenClock clock_of(std::initializer_list<record::Telemetry> processes) {
  SeenClock clock;
  for (const record::Telemetry& process : processes) clock.add(process);
  return clock;
}

TEST(SeenClock, IsTheMedianOverProcesses) {
  EXPECT_EQ(clock_of({telemetry(1.8e9), telemetry(1.6e9), telemetry(1.7e9)}).hz(), 1.7e9);
}

TEST(SeenClock, IsThatUnderLoadWhereOneProcessReadIt) {
  const SeenClock clock = clock_of({telemetry(1.98e9, false), telemetry(1.6e9, true), telemetry(1.98e9, false)});

  EXPECT_EQ(clock.hz(), 1.6e9);
  EXPECT_EQ(clock.under_load(), true);
}

TEST(SeenClock, SaysThatItWasReadBesideTheWork) {
  EXPECT_EQ(clock_of({telemetry(1.98e9, false)}).under_load(), false);
  EXPECT_EQ(clock_of({telemetry(1.98e9)}).under_load(), std::nullopt) << "an older file does not say";
}

TEST(SeenClock, IsAShareOfThatOfALimitWhereItIsTheWorks) {
  const record::Limit peak{"fp16 at 2000 MHz", "flops", 1e15, "invented", 2e9};

  EXPECT_DOUBLE_EQ(clock_of({telemetry(1.6e9, true)}).share_of(peak), 0.8);
  EXPECT_DOUBLE_EQ(clock_of({telemetry(1.6e9)}).share_of(peak), 0.8) << "an older file";
  EXPECT_EQ(clock_of({telemetry(1.6e9, false)}).share_of(peak), 1) << "read beside the work";
  EXPECT_EQ(clock_of({}).share_of(peak), 1);
  EXPECT_EQ(clock_of({telemetry(1.6e9, true)}).share_of(record::Limit{"device memory", "bytes", 1e12, "invented"}), 1);
  EXPECT_EQ(clock_of({telemetry(1.6e9, true)}).share_of(std::nullopt), 1);
}

TEST(SeenClock, IsNoneWhereNoneCouldBeRead) {
  EXPECT_EQ(clock_of({}).hz(), std::nullopt);
  EXPECT_EQ(clock_of({record::Telemetry{}, telemetry(0)}).hz(), std::nullopt);
}

}  // namespace
}  // namespace cupel::figures
