#include <algorithm>
#include <chrono>
#include <cmath>

#include "cupel/cuda/device_timer.cuh"
#include "cupel/timing/sm_clock.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::timing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned long long kReading_ns = 200'000;
constexpr double kSteady = 0.005;
constexpr double kStep_hz = 15e6;  // of the SM clock: what nvidia-smi -q -d SUPPORTED_CLOCKS lists is that far apart
constexpr int kInARow = 3;
constexpr int kWaitsToBelieve = 3;
constexpr std::chrono::milliseconds kLongestSettle{400};
constexpr std::chrono::milliseconds kShortestWarmUp{100};
constexpr std::chrono::milliseconds kLongestWarmUp{2000};

// The cycles are counted from one step of the timer to another.
__global__ void count_cycles(unsigned long long* cycles, unsigned long long* ns) {
  const unsigned long long before = cuda::global_ns();
  unsigned long long start_ns;
  do {
    start_ns = cuda::global_ns();
  } while (start_ns == before);
  const long long start = clock64();
  unsigned long long now_ns;
  do {
    now_ns = cuda::global_ns();
  } while (now_ns - start_ns < kReading_ns);
  *cycles = static_cast<unsigned long long>(clock64() - start);
  *ns = now_ns - start_ns;
}

}  // namespace

bool has_recovered(double hz, double mark_hz) { return hz >= mark_hz - std::max(kSteady * mark_hz, 1.5 * kStep_hz); }

void ClockMark::set(double hz) { hz_ = std::min(hz, declared_hz_.value_or(hz)); }

bool ClockMark::saw(double hz) {
  in_a_row_ = has_recovered(hz, hz_) ? in_a_row_ + 1 : 0;
  held_hz_ = in_a_row_ > 1 ? std::min(held_hz_, hz) : hz;
  last_hz_ = hz;
  if (in_a_row_ < kInARow) return false;
  given_up_ = 0;
  set(std::max(hz_, held_hz_));
  return true;
}

void ClockMark::give_up() {
  if (++given_up_ >= kWaitsToBelieve) set(last_hz_);
}

SmClock::SmClock() : reading_(1, cudaHostAllocMapped), mark_(declared_clock_hz()) {
  void* device = nullptr;
  cuda::check(cudaHostGetDevicePointer(&device, reading_.data(), 0));
  device_reading_ = static_cast<Reading*>(device);
}

double SmClock::read_hz(cudaStream_t stream) {
  count_cycles<<<1, 1, 0, stream>>>(&device_reading_->cycles, &device_reading_->ns);
  cuda::check(cudaGetLastError());
  cuda::check(cudaStreamSynchronize(stream));
  const volatile Reading& reading = reading_[0];
  looked_at_ = Clock::now();
  return static_cast<double>(reading.cycles) / static_cast<double>(reading.ns) * 1e9;
}

void SmClock::warm_up(cudaStream_t stream) {
  const Clock::time_point start = Clock::now();
  int steady = 0;
  double previous = 0;
  while (Clock::now() - start < kLongestWarmUp) {
    const double hz = read_hz(stream);
    steady = std::abs(hz - previous) < kSteady * hz ? steady + 1 : 0;
    previous = hz;
    if (steady >= kInARow && (mark_.is_highest(hz) || Clock::now() - start > kShortestWarmUp)) break;
  }
  mark_.set(previous);
}

bool SmClock::settle(cudaStream_t stream) {
  const Clock::time_point start = Clock::now();
  mark_.wait();
  while (!mark_.saw(read_hz(stream))) {
    if (Clock::now() - start <= kLongestSettle) continue;
    mark_.give_up();
    return false;
  }
  return true;
}

}  // namespace cupel::timing
