// That the halves of an L2 are what memory/l2/latency takes them for.
#include "bench/memory/halves.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

#include "bench/memory/walk.hpp"
#include "bench/memory/walker.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/memory/memory.hpp"

namespace cupel::bench::memory {
namespace {

// Nanoseconds a load of whole laps around some lines, by what was done before.
struct Laps {
  double at_home;  // brought home from the other side
  double again;    // after such a lap
  double flushed;  // from memory
};

class Timer {
 public:
  Timer() {
    const int l2 = cuda::attribute(cudaDevAttrL2CacheSize);
    other_ = cuda::DeviceBuffer<std::uint32_t>(static_cast<std::size_t>(l2));  // four times the L2
    cuda::check(cudaMemset(other_.data(), 0, other_.size_bytes()));
    cuda::check(cudaMemset(sum_.data(), 0, sum_.size_bytes()));
    cuda::check(cudaDeviceSynchronize());
  }

  Laps laps(const Halves& halves, const std::vector<std::int32_t>& lines) {
    Walker walker(halves.memory->data(), lines);
    const auto lap_ns = [&] {
      const auto steps = static_cast<std::int64_t>(lines.size());
      cuda::check(cudaEventRecord(begin_, stream_));
      walker.walk(steps, stream_);
      cuda::check(cudaEventRecord(end_, stream_));
      stream_.synchronize();
      return cuda::elapsed_s(begin_, end_) * 1e9 / static_cast<double>(steps);
    };
    lap_ns();  // loads the code
    walker.bring_home(halves.other, stream_);
    Laps laps{};
    laps.at_home = lap_ns();
    laps.again = lap_ns();
    kernels::memory::read(other_.data(), static_cast<std::int64_t>(other_.size()), sum_.data(), stream_);
    laps.flushed = lap_ns();
    walker.require_arrived();
    return laps;
  }

 private:
  cuda::Stream stream_;
  cuda::Event begin_, end_;
  cuda::DeviceBuffer<std::uint32_t> other_;
  cuda::DeviceBuffer<std::uint32_t> sum_{1};
};

std::optional<Halves> halves_of_device() {
  try {
    return find_halves();
  } catch (const harness::Skip& reason) {
    std::printf("%s\n", reason.what());
    return std::nullopt;
  }
}

TEST(Halves, HaveEachAQuarterOfTheLinesAndNoneTwice) {
  const std::optional<Halves> halves = halves_of_device();
  if (!halves) return;
  std::vector<int> seen(halves->memory->size() / kLine);

  for (const std::int32_t line : halves->near) ++seen[static_cast<std::size_t>(line)];
  for (const std::int32_t line : halves->far) ++seen[static_cast<std::size_t>(line)];

  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  EXPECT_GE(4 * halves->near.size(), seen.size());
  EXPECT_GE(4 * halves->far.size(), seen.size());
}

// The far half answers later, but only once: the first load leaves a copy near. Memory is farther than either.
TEST(Halves, TheFarOneAnswersLaterUntilALineWasLoaded) {
  const std::optional<Halves> halves = halves_of_device();
  if (!halves) return;
  Timer timer;

  const Laps near = timer.laps(*halves, halves->near), far = timer.laps(*halves, halves->far);

  std::printf("ns a load, on multiprocessor %d, lines brought home from %d\n", lone_multiprocessor(), halves->other);
  std::printf("%zu near: %.1f, again %.1f, flushed %.1f\n", halves->near.size(), near.at_home, near.again,
              near.flushed);
  std::printf("%zu far:  %.1f, again %.1f, flushed %.1f\n", halves->far.size(), far.at_home, far.again, far.flushed);
  EXPECT_GT(far.at_home, 1.2 * near.at_home);
  EXPECT_LT(far.again, 1.1 * near.at_home);
  EXPECT_NEAR(near.again, near.at_home, 0.05 * near.at_home);
  EXPECT_GT(near.flushed, 1.2 * near.at_home);
  EXPECT_GT(far.flushed, 1.2 * far.at_home);
}

}  // namespace
}  // namespace cupel::bench::memory
