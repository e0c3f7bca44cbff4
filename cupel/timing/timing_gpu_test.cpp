#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <numeric>

#include "cupel/cuda/cuda.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/empty_kernel.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::timing {
namespace {

// Loads the kernels, which may wait for the stream and so must not happen behind the gate.
void run_ungated(const Work& work) {
  work(Rig::get().stream());
  cuda::check(cudaStreamSynchronize(Rig::get().stream()));
  cuda::check(cudaStreamSynchronize(Rig::get().beside()));
}

double median_s(const Work& work, const Rig::Preparation& how = {}) {
  run_ungated(work);
  std::vector<double> times_s;
  for (int i = 0; i < 30; ++i) times_s.push_back(Rig::get().once(work, how).events_s);
  return stats::median(times_s);
}

TEST(Calibration, FindsAFloorThatAnEventPairCanCost) {
  const record::Calibration& calibration = Rig::get().calibration();
  std::printf("floor kernel %.3f us, copy %.3f us, resolution %.0f ns\n", calibration.event_floor_kernel_s * 1e6,
              calibration.event_floor_copy_s * 1e6, calibration.event_resolution_s * 1e9);

  EXPECT_GT(calibration.event_floor_kernel_s, 0.2e-6);
  EXPECT_LT(calibration.event_floor_kernel_s, 10e-6);
  EXPECT_GT(calibration.event_floor_copy_s, 0.2e-6);
  EXPECT_LT(calibration.event_floor_copy_s, 10e-6);
  EXPECT_GT(calibration.event_resolution_s, 0);
  EXPECT_LE(calibration.event_resolution_s, 2e-6);
}

TEST(Gate, KeepsLaunchLatencyOutOfTheTime) {
  // Ten launches take the host longer to enqueue than the device to run; without a gate the device would wait for them.
  const Work ten = [](cudaStream_t s) {
    for (int i = 0; i < 10; ++i) launch_empty(s);
  };
  const double gated_s = median_s(ten);

  EXPECT_LT(gated_s, 10 * 4e-6);
}

TEST(Gate, OpensByItselfAndSaysSoWhenTheWorkWaits) {
  const Work waits = [](cudaStream_t s) { cuda::check(cudaStreamSynchronize(s)); };

  EXPECT_THROW(Rig::get().once(waits, {}), HeldUp);
  EXPECT_NO_THROW(Rig::get().once(launch_empty, {}));
}

TEST(Gate, HoldsAsManyOperationsAsTheLargestHotBatchHas) {
  constexpr int kOperations = 500;  // kLaunchesBehindGate of sample_device.cpp
  constexpr std::size_t kMost = 64 << 10;
  cuda::PinnedBuffer<char> host(kMost);
  cuda::DeviceBuffer<char> device(kMost);
  EXPECT_NO_THROW(Rig::get().batch(launch_empty, kOperations, {})) << "kernels";

  for (const std::size_t bytes : {std::size_t{4} << 10, kMost}) {
    const Work up = [&](cudaStream_t s) {
      cuda::check(cudaMemcpyAsync(device.data(), host.data(), bytes, cudaMemcpyHostToDevice, s));
    };
    const Work down = [&](cudaStream_t s) {
      cuda::check(cudaMemcpyAsync(host.data(), device.data(), bytes, cudaMemcpyDeviceToHost, s));
    };

    EXPECT_NO_THROW(Rig::get().batch(up, kOperations, {.prime = up})) << bytes << " bytes up";
    EXPECT_NO_THROW(Rig::get().batch(down, kOperations, {.prime = down})) << bytes << " bytes down";
  }
}

TEST(Flush, MakesAReadOfTheCacheSlower) {
  const std::size_t n = std::size_t{8} << 20 >> 2;
  cuda::DeviceBuffer<float> x(n);
  cuda::DeviceBuffer<float> y(n);
  cuda::check(cudaMemset(x.data(), 0, x.size_bytes()));
  cuda::check(cudaMemset(y.data(), 0, y.size_bytes()));
  const Work axpy = [&](cudaStream_t s) { test::launch_axpy(1, x.data(), y.data(), n, s); };

  const double warm_s = median_s(axpy, {.flush = false});
  const double cold_s = median_s(axpy, {.flush = true});

  EXPECT_GT(cold_s, 1.05 * warm_s);
}

// Prints what docs/method.md asks of a device: how much the state of the cache is worth to a kernel that reads and
// writes.
TEST(Flush, LeavesNothingThatTheNextKernelHasToWriteBack) {
  constexpr std::int64_t kMuch = std::int64_t{1} << 40;
  const double floor_s = Rig::get().calibration().event_floor_kernel_s;
  std::printf("| axpy, MiB | clean flush | dirty flush | back to back |, us\n");
  for (const std::size_t mib : {8, 32, 128, 512}) {
    const std::size_t n = (mib << 20) / sizeof(float);
    cuda::DeviceBuffer<float> x(n);
    cuda::DeviceBuffer<float> y(n);
    cuda::check(cudaMemset(x.data(), 0, x.size_bytes()));
    cuda::check(cudaMemset(y.data(), 0, y.size_bytes()));
    const Work axpy = [&](cudaStream_t s) { test::launch_axpy(1, x.data(), y.data(), n, s); };

    const double clean_s = median_s(axpy, {.flush = true}) - floor_s;
    const double dirty_s = median_s(axpy, {.flush = true, .bytes_written = kMuch}) - floor_s;
    const double steady_s = (Rig::get().batch(axpy, 20, {}).events_s - floor_s) / 20;

    std::printf("| %zu | %.2f | %.2f | %.2f |\n", mib, clean_s * 1e6, dirty_s * 1e6, steady_s * 1e6);
    EXPECT_LT(clean_s, 1.02 * dirty_s + 0.3e-6) << mib << " MiB";
  }
}

// The wall time of a cold sample that is not the work's: what a benchmark of 150 samples waits for.
TEST(ColdSample, CostsLittle) {
  run_ungated(launch_empty);
  const auto wall_us = [](const Rig::Preparation& how) {
    constexpr int kSamples = 100;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kSamples; ++i) Rig::get().once(launch_empty, how);
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kSamples;
  };
  const double cold_us = wall_us({.flush = true});
  const double warm_us = wall_us({.flush = false});
  const auto start = std::chrono::steady_clock::now();
  Rig::get().begin_series();
  const double begin_us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();

  std::printf("a sample of an empty kernel: %.0f us with flush, %.0f us without; the start of a series: %.0f us\n",
              cold_us, warm_us, begin_us);
  EXPECT_LE(cold_us, 150);
}

TEST(ClockProbe, ReadsAPlausibleClock) {
  const double hz = Rig::get().clock().read_hz(Rig::get().stream());

  EXPECT_GT(hz, 100e6);
  EXPECT_LT(hz, 5e9);
}

TEST(ClockProbe, SettlesOnAnIdleDevice) { EXPECT_TRUE(Rig::get().clock().settle(Rig::get().stream())); }

TEST(MemoryProbe, WaitsUntilMemoryThatWasGivenBackIsErased) {
  Rig& rig = Rig::get();
  ASSERT_TRUE(rig.memory().settle(rig.stream()));
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total));
  { const cuda::DeviceBuffer<char> half(free / 2); }
  std::printf("a reading takes %.1f us, %.1f us after %zu MiB were given back\n", rig.memory().mark_s() * 1e6,
              rig.memory().read_s(rig.stream()) * 1e6, (free / 2) >> 20);

  EXPECT_TRUE(rig.memory().settle(rig.stream()));

  EXPECT_LT(rig.memory().read_s(rig.stream()), 1.06 * rig.memory().mark_s());
}

TEST(ASpinOfKnownLength, IsMeasuredAsThatLength) {
  const double hz = Rig::get().clock().read_hz(Rig::get().stream());
  const auto cycles = static_cast<long long>(100e-6 * hz);

  const double raw_s = median_s([=](cudaStream_t s) { test::launch_spin(cycles, s); });
  const double corrected_s = raw_s - Rig::get().calibration().event_floor_kernel_s;

  EXPECT_NEAR(corrected_s, 100e-6, 2e-6);
}

TEST(Clock, IsReadWhileLongWorkRunsAndOnlyThen) {
  Rig& rig = Rig::get();
  const auto mark = static_cast<long long>(rig.clock().mark_hz());
  const auto samples_of = [&](double length_s) {
    const auto cycles = static_cast<long long>(length_s * static_cast<double>(mark));
    rig.begin_series();
    for (int i = 0; i < 4; ++i) rig.once([=](cudaStream_t s) { test::launch_spin(cycles, s); }, {});
    return rig.take_clocks_hz();
  };

  EXPECT_TRUE(samples_of(20e-6).empty());
  const std::vector<double> seen = samples_of(2e-3);
  ASSERT_EQ(seen.size(), 3u);
  for (const double hz : seen) EXPECT_NEAR(hz / static_cast<double>(mark), 1, 0.02);
  EXPECT_TRUE(rig.take_clocks_hz().empty());
}

TEST(Batch, TimesAllItsCalls) {
  const double hz = Rig::get().clock().read_hz(Rig::get().stream());
  const auto cycles = static_cast<long long>(20e-6 * hz);

  const Work spin = [=](cudaStream_t s) { test::launch_spin(cycles, s); };
  run_ungated(spin);

  const double batch_s = Rig::get().batch(spin, 50, {}).events_s;

  EXPECT_NEAR(batch_s, 50 * 20e-6, 0.15 * 50 * 20e-6);
}

Work spin_on_both(double here_s, double there_s) {
  const double hz = Rig::get().clock().read_hz(Rig::get().stream());
  return [=](cudaStream_t s) {
    test::launch_spin(static_cast<long long>(there_s * hz), Rig::get().beside());
    test::launch_spin(static_cast<long long>(here_s * hz), s);
  };
}

TEST(TwoStreams, AreTimedFromTheFirstStartToTheLastEnd) {
  const double floor_s = Rig::get().calibration().event_floor_kernel_s;

  const double longer_here_s = median_s(spin_on_both(300e-6, 100e-6), {.beside = true}) - floor_s;
  const double longer_there_s = median_s(spin_on_both(100e-6, 300e-6), {.beside = true}) - floor_s;

  EXPECT_NEAR(longer_here_s, 300e-6, 4e-6);
  EXPECT_NEAR(longer_there_s, 300e-6, 4e-6);
}

TEST(TwoStreams, AreLetGoAtOnce) {
  const double floor_s = Rig::get().calibration().event_floor_kernel_s;

  const double both_s = median_s(spin_on_both(50e-6, 50e-6), {.beside = true}) - floor_s;

  // The device begins the next operation of one stream after the other's: 2.2 us apart on an H200, which is in the
  // span, as CUPTI's. A join of events costs 8 us and more.
  EXPECT_NEAR(both_s, 50e-6, 4e-6);
}

TEST(TwoStreams, OpenByThemselvesWhenTheWorkWaits) {
  const Work waits = [](cudaStream_t) { cuda::check(cudaStreamSynchronize(Rig::get().beside())); };

  EXPECT_THROW(Rig::get().once(waits, {.beside = true}), HeldUp);
  EXPECT_NO_THROW(Rig::get().once(spin_on_both(1e-6, 1e-6), {.beside = true}));
}

TEST(TwoStreams, TimeAllCallsOfABatch) {
  const Work spin = spin_on_both(20e-6, 20e-6);
  run_ungated(spin);

  const double batch_s = Rig::get().batch(spin, 50, {.beside = true}).events_s;

  EXPECT_NEAR(batch_s, 50 * 20e-6, 0.15 * 50 * 20e-6);
}

// A copy each way at the same time, in the ways in which it can be handed over and timed.
class BothWays {
 public:
  explicit BothWays(std::size_t bytes) : bytes_(bytes) {
    cuda::check(cudaMemset(device_.data(), 1, device_.size_bytes()));
    std::fill(host_.span().begin(), host_.span().end(), 'c');
  }

  void up(cudaStream_t s, std::size_t bytes) {
    cuda::check(cudaMemcpyAsync(device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice, s));
  }
  void down(cudaStream_t s, std::size_t bytes) {
    cuda::check(cudaMemcpyAsync(host_.data() + kMost, device_.data() + kMost, bytes, cudaMemcpyDeviceToHost, s));
  }

  Work on_two_streams() {
    return [this](cudaStream_t s) {
      up(Rig::get().beside(), bytes_);
      down(s, bytes_);
    };
  }

  // The second stream waits for the first one, which waits for it at the end: all is on one timed stream.
  Work forked_and_joined() {
    return [this](cudaStream_t s) {
      cuda::check(cudaEventRecord(forked_, s));
      cuda::check(cudaStreamWaitEvent(Rig::get().beside(), forked_, 0));
      on_two_streams()(s);
      cuda::check(cudaEventRecord(joined_, Rig::get().beside()));
      cuda::check(cudaStreamWaitEvent(s, joined_, 0));
    };
  }

  // The same as a graph of two copies without an order between them.
  Work as_graph() {
    const cudaStream_t s = Rig::get().stream();
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cuda::check(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    forked_and_joined()(s);
    cuda::check(cudaStreamEndCapture(s, &graph));
    cuda::check(cudaGraphInstantiate(&executable, graph, 0));
    cuda::check(cudaGraphDestroy(graph));
    cuda::check(cudaGraphUpload(executable, s));
    cuda::check(cudaStreamSynchronize(s));
    const std::shared_ptr<CUgraphExec_st> owned(executable, [](cudaGraphExec_t e) { cudaGraphExecDestroy(e); });
    return [owned](cudaStream_t stream) { cuda::check(cudaGraphLaunch(owned.get(), stream)); };
  }

  Rig::Preparation primed(bool beside) {
    const std::size_t bytes = std::min(bytes_, kPrime);
    return {.prime =
                [this, bytes, beside](cudaStream_t s) {
                  down(s, bytes);
                  if (beside) up(Rig::get().beside(), bytes);
                },
            .flush = false,
            .beside = beside};
  }

  double host_s() {
    const Work work = on_two_streams();
    const auto start = std::chrono::steady_clock::now();
    run_ungated(work);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  static constexpr std::size_t kPrime = std::size_t{64} << 10;
  static constexpr std::size_t kMost = std::size_t{16} << 20;
  std::size_t bytes_;
  cuda::PinnedBuffer<char> host_{2 * kMost};
  cuda::DeviceBuffer<char> device_{2 * kMost};
  cuda::Event forked_{cudaEventDisableTiming};
  cuda::Event joined_{cudaEventDisableTiming};
};

// Prints what docs/method.md says of two streams. The host's clock has launch and wait in it, so a device time above it
// is not the copies'. The ways take turns, as the link is quicker in one moment than in another; and lower quartiles
// are compared, as in some samples one stream comes to its copy engine up to 10 us after the other, whoever lets them
// go.
TEST(TwoStreams, TakeNoLongerThanTheHostSeesThemTake) {
  const double floor_s = Rig::get().calibration().event_floor_copy_s;
  std::printf("| a copy each way, KiB | a gate each | quartiles | fork and join | graph | host clock |, us\n");
  for (const std::size_t kib : {4, 64, 256, 1024, 4096, 16384}) {
    BothWays copies(kib << 10);
    const Work work = copies.on_two_streams();
    const Work forked = copies.forked_and_joined();
    const Work graph = copies.as_graph();
    for (const Work& way : {work, forked, graph}) run_ungated(way);
    std::vector<double> gates_s;
    std::vector<double> forked_s;
    std::vector<double> graph_s;
    std::vector<double> host_s;
    for (int i = 0; i < 100; ++i) {
      gates_s.push_back(Rig::get().once(work, copies.primed(true)).events_s - floor_s);
      forked_s.push_back(Rig::get().once(forked, copies.primed(false)).events_s - floor_s);
      graph_s.push_back(Rig::get().once(graph, copies.primed(false)).events_s - floor_s);
      host_s.push_back(copies.host_s());
    }

    std::printf("| %zu | %.2f | %.2f to %.2f | %.2f | %.2f | %.2f |\n", kib, stats::median(gates_s) * 1e6,
                stats::quantile(gates_s, 0.25) * 1e6, stats::quantile(gates_s, 0.75) * 1e6,
                stats::median(forked_s) * 1e6, stats::median(graph_s) * 1e6, stats::median(host_s) * 1e6);
    EXPECT_LT(stats::quantile(gates_s, 0.25), stats::quantile(host_s, 0.25)) << kib << " KiB";
    EXPECT_NO_THROW(Rig::get().batch(work, 250, copies.primed(true))) << "the largest hot batch, " << kib << " KiB";
  }
}

}  // namespace
}  // namespace cupel::timing
