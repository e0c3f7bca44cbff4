#include "cupel/timing/memory_probe.hpp"

#include <algorithm>
#include <chrono>

namespace cupel::timing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFlushes = 3;
constexpr int kFirstReadings = 10;
constexpr double kDisturbed = 1.04;
constexpr std::chrono::milliseconds kLongestSettle{600};
constexpr int kTimeoutsToBelieve = 3;

}  // namespace

double MemoryProbe::read_s(cudaStream_t stream) {
  flush_.run(stream);  // so that the first that counts finds the cache as the others do
  cuda::check(cudaEventRecord(start_, stream));
  for (int i = 0; i < kFlushes; ++i) flush_.run(stream);
  cuda::check(cudaEventRecord(stop_, stream));
  cuda::check(cudaStreamSynchronize(stream));
  return cuda::elapsed_s(start_, stop_);
}

bool MemoryProbe::settle(cudaStream_t stream) {
  const Clock::time_point start = Clock::now();
  if (mark_s_ == 0) {
    mark_s_ = last_s_ = read_s(stream);
    for (int i = 1; i < kFirstReadings; ++i) mark_s_ = std::min(mark_s_, read_s(stream));
  }
  for (;;) {
    const double seen_s = read_s(stream);
    const bool free = seen_s <= kDisturbed * mark_s_;
    mark_s_ = std::min(mark_s_, std::max(seen_s, last_s_));  // two in a row: a single one may be too short
    last_s_ = seen_s;
    if (free) {
      timeouts_ = 0;
      return true;
    }
    if (Clock::now() - start > kLongestSettle) {
      if (++timeouts_ >= kTimeoutsToBelieve) mark_s_ = seen_s;
      return false;
    }
  }
}

}  // namespace cupel::timing
