#include "cupel/timing/quick_streams.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "cupel/stats/quantile.hpp"

namespace cupel::timing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kThreads = 256;
constexpr int kBlocksPerMultiprocessor = 8;  // 2048 threads: the most that one multiprocessor holds
constexpr int kLaunches = 100;               // what the levels were seen with, and a tenth of what a held stream takes
constexpr int kBatches = 3;

constexpr double kApart = 1.03;
constexpr std::size_t kStep = 7;              // two readings at least of each group
constexpr std::size_t kMostStreams = 9 * 21;  // nine groups: 13 of 24 are slow, so all nine in one process of 250
constexpr std::chrono::milliseconds kLongest{50};

int blocks_that_fill_the_device() { return cuda::attribute(cudaDevAttrMultiProcessorCount) * kBlocksPerMultiprocessor; }

__global__ void add_one(float* data) { data[blockIdx.x * kThreads + threadIdx.x] += 1; }

void launch_add_one(float* data, int blocks, cudaStream_t stream) {
  add_one<<<blocks, kThreads, 0, stream>>>(data);
  cuda::check(cudaGetLastError());
}

}  // namespace

LaunchSpacing::LaunchSpacing(Hold& hold)
    : hold_(hold), blocks_(blocks_that_fill_the_device()), data_(static_cast<std::size_t>(blocks_) * kThreads) {
  cuda::check(cudaMemset(data_.data(), 0, data_.size_bytes()));
  cuda::check(cudaStreamSynchronize(cudaStreamLegacy));  // the streams that are read do not wait for that one
}

double LaunchSpacing::read_s(cudaStream_t stream) {
  launch_add_one(data_.data(), blocks_, stream);  // not behind the hold: a kernel's first launch may wait
  cuda::check(cudaStreamSynchronize(stream));
  std::vector<double> spacings_s;
  for (int i = 0; i < kBatches; ++i) spacings_s.push_back(batch_s(stream) / kLaunches);
  return stats::median(spacings_s);
}

double LaunchSpacing::batch_s(cudaStream_t stream) {
  {
    const Release release{hold_};
    hold_.begin(stream);
    cuda::check(cudaEventRecord(start_, stream));
    for (int i = 0; i < kLaunches; ++i) launch_add_one(data_.data(), blocks_, stream);
    cuda::check(cudaEventRecord(stop_, stream));
  }
  cuda::check(cudaStreamSynchronize(stream));
  return cuda::elapsed_s(start_, stop_);
}

QuickStreams quick_streams(LaunchSpacing& spacing) {
  const Clock::time_point start = Clock::now();
  std::vector<cuda::Stream> made;
  std::vector<double> readings_s;
  do {
    for (std::size_t i = 0; i < kStep; ++i) made.emplace_back();
    readings_s.push_back(spacing.read_s(made[made.size() - kStep]));
  } while (!shows_two_levels(readings_s) && made.size() < kMostStreams && Clock::now() - start < kLongest);

  const std::size_t taken = stream_to_take(readings_s);
  return {std::move(made[taken * kStep]), std::move(made[taken * kStep + 1]), readings_s[taken],
          *std::max_element(readings_s.begin(), readings_s.end())};
}

std::size_t stream_to_take(std::span<const double> readings_s) {
  if (!shows_two_levels(readings_s)) return 0;
  return static_cast<std::size_t>(std::min_element(readings_s.begin(), readings_s.end()) - readings_s.begin());
}

bool shows_two_levels(std::span<const double> readings_s) {
  if (readings_s.size() < 4) return false;
  const std::vector<double> ascending = stats::sorted(readings_s);
  return ascending[ascending.size() - 2] >= kApart * ascending[1];
}

}  // namespace cupel::timing
