#include "cupel/runner/pace.hpp"

#include <gtest/gtest.h>

namespace cupel::runner {
namespace {

const GateName kFast{"fast", "fast"}, kSlow{"slow", "slow"}, kNew{"new/min_time:2.000", "new"};

GateProgram another_program() {
  GateProgram program;
  program.foreign = true;
  program.sampling_flag = "--benchmark_min_time=0.05s";
  program.names = {kFast, kSlow, kNew};
  return program;
}

// So many calls of that time.
record::Row sampled_row(const std::string& name, std::int64_t calls, double call_s) {
  record::Row row;
  row.name = name;
  record::Series& series = row.series.emplace_back();
  series.calls_per_sample = calls;
  series.samples_s = {call_s};
  return row;
}

TEST(Pace, IsForetoldUntilAProcessEnded) {
  GateProgram program = another_program();

  EXPECT_DOUBLE_EQ(Pace().benchmark_s(program, kFast), kWithSearch * kForeignSampling_s);
  EXPECT_DOUBLE_EQ(Pace().benchmark_s(program, {"F/iterations:100/repeats:9", "F"}), 0) << "nobody knows";
  program.listed_s = 3;
  EXPECT_DOUBLE_EQ(Pace().start_s(program), 3) << "listing starts it, too";
}

TEST(Pace, GivesAStartWhatTheBenchmarksDidNotTake) {
  const GateProgram program = another_program();
  Pace pace;

  pace.add(program, {sampled_row("fast", 1000, 50e-6), sampled_row("slow", 1, 1.0)}, 5.1);
  pace.add(program, {sampled_row("fast", 1000, 50e-6)}, 2.1);

  EXPECT_NEAR(pace.benchmark_s(program, kFast), 0.05 * 1.3, 1e-12);
  EXPECT_NEAR(pace.benchmark_s(program, kSlow), 1.3, 1e-12);
  EXPECT_NEAR(pace.start_s(program), (5.1 - 1.05 * 1.3 + 2.1 - 0.05 * 1.3) / 2, 1e-12);
  EXPECT_DOUBLE_EQ(pace.benchmark_s(program, kNew), kWithSearch * 2) << "not measured yet";
}

TEST(Pace, IsNeverMoreThanTheProcessTook) {
  const GateProgram program = another_program();
  Pace pace;

  pace.add(program, {sampled_row("fast", 1000, 1e-3), sampled_row("slow", 1000, 3e-3)}, 2);

  EXPECT_NEAR(pace.benchmark_s(program, kFast), 0.5, 1e-12);
  EXPECT_NEAR(pace.benchmark_s(program, kSlow), 1.5, 1e-12);
  EXPECT_EQ(pace.start_s(program), 0);
}

TEST(Pace, TakesCupelsOwnRowsAtTheirWord) {
  GateProgram program = another_program();
  program.foreign = false;
  record::Row row = sampled_row("fast", 10, 1e-3);
  row.wall_s = 0.5;
  Pace pace;

  pace.add(program, {row}, 2);

  EXPECT_DOUBLE_EQ(pace.benchmark_s(program, kFast), 0.5);
  EXPECT_DOUBLE_EQ(pace.start_s(program), 1.5);
}

}  // namespace
}  // namespace cupel::runner
