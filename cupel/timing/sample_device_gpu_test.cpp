#include "cupel/timing/sample_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/session.hpp"
#include "cupel/harness/test_loop.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::timing {
namespace {

harness::Options quick() {
  harness::Options options;
  options.noise_goal = 0.005;
  options.min_samples = 21;
  options.max_samples = 120;
  return options;
}

// All rounds of one benchmark. Exceptions of its body pass through.
record::Row measured(const harness::Options& options, const std::function<void(benchmark::State&)>& body) {
  harness::set_options(options);
  harness::Progress progress;
  progress.point.name = progress.row.name = "timing/test";
  progress.point.body = body;
  std::exception_ptr thrown;
  harness::inside_a_benchmark([&](benchmark::State& state) {
    try {
      for (int round = 0; round < options.rounds; ++round) harness::run_body(progress, state);
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  if (thrown) std::rethrow_exception(thrown);
  return progress.row;
}

Work spin(double length_s) {
  const auto cycles = static_cast<long long>(length_s * Rig::get().clock().mark_hz());
  return [=](cudaStream_t s) { test::launch_spin(cycles, s); };
}

// Rounds after the first one went on to their cap while seconds of a batch were held against seconds of a call.
TEST(HotBatches, EndInEveryRoundOnceTheyArePrecise) {
  const Work work = spin(20e-6);
  const record::Row row = measured(quick(), [&](benchmark::State& s) { sample_device(s, {}, work, {.cold = false}); });

  ASSERT_EQ(row.series.size(), 1u);
  const record::Series& hot = row.series[0];
  EXPECT_EQ(hot.stop, record::Stop::precision);
  ASSERT_EQ(hot.round_sizes.size(), 3u);
  EXPECT_LT(hot.round_sizes[0], 14);  // the cap; ten samples at least make an interval
  EXPECT_EQ(hot.round_sizes[1], 7);
  EXPECT_EQ(hot.round_sizes[2], 7);
}

// Waiting for the clock between two bursts emptied the L2 once: of 4 MiB every third sample took 11.3 ms instead
// of 4.65.
TEST(HotBatches, FindWhatTheOnesBeforeLeftInTheL2AfterABurstToo) {
  constexpr int kLines = 32 << 10;  // 4 MiB, some 5 ms: a few walks are a burst
  cuda::DeviceBuffer<int> memory(kLines * 32);
  cuda::check(cudaMemset(memory.data(), 0, memory.size_bytes()));
  harness::Options options = quick();
  options.noise_goal = 1e-6;
  const record::Row row = measured(options, [&](benchmark::State& s) {
    sample_device(s, {}, [&](cudaStream_t stream) { test::launch_walk(memory.data(), kLines, stream); },
                  {.cold = false});
  });

  const std::vector<double>& times_s = row.series.at(0).samples_s;
  const double median_s = stats::median(times_s);
  const auto slow = std::ranges::count_if(times_s, [&](double time_s) { return time_s > 1.2 * median_s; });
  std::printf("a walk through 4 MiB: %.3f ms, %d of %zu slower\n", median_s * 1e3, static_cast<int>(slow),
              times_s.size());
  EXPECT_GT(times_s.size(), 15u);
  EXPECT_LE(slow, 1);
}

TEST(ColdSamples, EndAtTheTickWhereItIsAboveTheGoal) {
  const Work work = spin(2e-6);
  harness::Options options = quick();
  options.noise_goal = 1e-9;
  options.max_samples = 5000;  // more than spins that differ by some ticks need to be known to half of one
  const record::Row row = measured(options, [&](benchmark::State& s) { sample_device(s, {}, work, {.hot = false}); });

  EXPECT_EQ(row.series.at(0).stop, record::Stop::tick);
}

TEST(Sustained, IsOneSeriesOfWorkBackToBack) {
  harness::Options options = quick();
  const Work work = spin(200e-6);
  const record::Row burst =
      measured(options, [&](benchmark::State& s) { sample_device(s, {}, work, {.cold = false}); });
  options.sustained = true;
  const record::Row row = measured(options, [&](benchmark::State& s) { sample_device(s, {}, work, {}); });

  ASSERT_EQ(row.series.size(), 1u);
  EXPECT_EQ(row.series[0].mode, record::Mode::sustained);
  const double sustained_s = harness::location_s(row.series[0]), burst_s = harness::location_s(burst.series[0]);
  std::printf("a spin of 200 us: %.2f us in bursts, %.2f us sustained\n", burst_s * 1e6, sustained_s * 1e6);
  EXPECT_NEAR(sustained_s, burst_s, 0.02 * burst_s);  // one thread draws no power that a limit could meet
  EXPECT_FALSE(Rig::get().take_clocks_hz().empty());
}

TEST(Sustained, IsRefusedToWorkThatIsShorterThanItsLaunch) {
  harness::Options options = quick();
  options.sustained = true;

  EXPECT_THROW(measured(options, [&](benchmark::State& s) { sample_device(s, {}, spin(1e-7), {}); }), harness::Skip);
}

TEST(QuickTime, TellsHowLongTheWorkTakes) {
  const double short_s = quick_time_s([](cudaStream_t s) { test::launch_spin(100'000, s); });
  const double long_s = quick_time_s([](cudaStream_t s) { test::launch_spin(1'000'000, s); });

  EXPECT_GT(short_s, 100'000 / 5e9);  // no clock is faster than 5 GHz
  EXPECT_NEAR(long_s / short_s, 10, 2.5);
}

TEST(QuickTime, PassesOnThatTheWorkWaits) {
  EXPECT_THROW(quick_time_s([](cudaStream_t s) { cuda::check(cudaStreamSynchronize(s)); }), std::runtime_error);
}

}  // namespace
}  // namespace cupel::timing
