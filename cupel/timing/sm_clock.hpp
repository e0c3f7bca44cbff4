// The SM clock, seen from the device itself, and the wait for it to recover.
#pragma once

#include <cuda_runtime.h>

#include <chrono>

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/clock_mark.hpp"

namespace cupel::timing {

/// Runs a kernel that counts clock cycles over nanoseconds of the device's timer. Works where NVML does not.
class SmClock {
 public:
  /// Of the current device.
  SmClock();

  /// SM clock in Hz over about 200 us. Waits for the stream.
  double read_hz(cudaStream_t stream);

  /// Waits until three readings in a row are at the mark, 400 ms at most; false when the time ran out.
  bool settle(cudaStream_t stream);

  /// At the start of a process: wakes the device and finds the mark. 100 ms at least, 2 s at most.
  void warm_up(cudaStream_t stream);

  /// The last reading is longer ago than that.
  bool last_looked_at_before(std::chrono::milliseconds ago) const {
    return std::chrono::steady_clock::now() - looked_at_ > ago;
  }
  double mark_hz() const { return mark_.hz(); }

 private:
  struct Reading {
    unsigned long long cycles;
    unsigned long long ns;
  };
  cuda::PinnedBuffer<Reading> reading_;
  Reading* device_reading_ = nullptr;
  std::chrono::steady_clock::time_point looked_at_{};
  ClockMark mark_;
};

}  // namespace cupel::timing
