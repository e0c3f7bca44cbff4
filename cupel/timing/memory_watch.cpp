#include "cupel/timing/memory_watch.hpp"

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

double MemoryWatch::read_s(cudaStream_t stream) {
  flush_.run(stream);  // so that the first that counts finds the cache as the others do
  cuda::check(cudaEventRecord(start_, stream));
  for (int i = 0; i < kFlushes; ++i) flush_.run(stream);
  cuda::check(cudaEventRecord(stop_, stream));
  cuda::check(cudaStreamSynchronize(stream));
  return cuda::elapsed_s(start_, stop_);
}

void MemoryWatch::see(double seen_s) {
  if (last_s_ > 0) {
    const double held_s = std::max(seen_s, last_s_);  // two in a row: a single one may be too short
    mark_s_ = mark_s_ > 0 ? std::min(mark_s_, held_s) : held_s;
  }
  last_s_ = seen_s;
}

bool MemoryWatch::settle(cudaStream_t stream) {
  const Clock::time_point start = Clock::now();
  if (mark_s_ == 0) {
    for (int i = 0; i < kFirstReadings; ++i) see(read_s(stream));
  }
  for (;;) {
    see(read_s(stream));
    if (last_s_ <= kDisturbed * mark_s_) {
      timeouts_ = 0;
      return true;
    }
    if (Clock::now() - start > kLongestSettle) {
      if (++timeouts_ >= kTimeoutsToBelieve) mark_s_ = last_s_;
      return false;
    }
  }
}

}  // namespace cupel::timing
