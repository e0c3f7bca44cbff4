#include "cupel/harness/sample_host.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "cupel/harness/session.hpp"
#include "cupel/harness/test_loop.hpp"

namespace cupel::harness {
namespace {

// Each call takes longer than the one before, so that no interval is ever narrow.
void take_longer() {
  static std::chrono::microseconds length{0};
  length += std::chrono::microseconds{1};
  const auto end = std::chrono::steady_clock::now() + length;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// The series of two rounds of 3 to 30 samples, with a goal that none reaches.
record::Series sampled(const HostSampling& how) {
  Options options;
  options.rounds = 2;
  options.min_samples = 6;
  options.max_samples = 60;
  options.noise_goal = 0;
  options.max_wall_s = 100;
  set_options(options);
  Progress progress;
  progress.point.name = progress.row.name = "family/test";
  progress.point.body = [&](benchmark::State& state) { sample_host(state, {.items = 1}, take_longer, how); };
  inside_a_benchmark([&](benchmark::State& state) {
    for (int round = 0; round < options.rounds; ++round) run_body(progress, state);
  });
  return progress.row.series.at(0);
}

TEST(SampleHost, TakesTheMostSamplesWhereTheGoalIsNotReached) {
  const record::Series series = sampled({.calls = 1});

  EXPECT_EQ(series.round_sizes, (std::vector<std::int64_t>{30, 30}));
  EXPECT_EQ(series.stop, record::Stop::count);
}

TEST(SampleHost, TakesTheFewestSamplesWhereMoreWouldTellNoMore) {
  const record::Series series = sampled({.calls = 1, .few = true});

  EXPECT_EQ(series.round_sizes, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(series.stop, record::Stop::count);
}

}  // namespace
}  // namespace cupel::harness
