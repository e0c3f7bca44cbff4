// The SM clock, seen from the device itself, and the wait for it to recover.
#pragma once

#include <cuda_runtime.h>

#include <chrono>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// Whether a reading is at the mark: 0.5 % below it at most, or a step and a half of 15 MHz, whichever is more. From
/// 3 GHz down one step is more than 0.5 %: a clock that has gone down by one would never be there. The half is for what
/// a reading is off.
bool has_recovered(double hz, double mark_hz);

/// Runs a kernel that counts clock cycles over nanoseconds of the device's timer. Works where NVML does not.
class SmClock {
 public:
  SmClock();

  /// SM clock in Hz over about 200 us. Waits for the stream.
  double read_hz(cudaStream_t stream);

  /// Waits until three readings in a row are at the mark, the highest clock this process has seen hold, 400 ms at most;
  /// false when the time ran out. After three such time-outs in a row what was read becomes the new mark: the device
  /// may have been given a lower clock since.
  bool settle(cudaStream_t stream);

  /// At the start of a process: wakes the device and finds the mark. 100 ms at least, 2 s at most.
  void warm_up(cudaStream_t stream);

  /// The last reading is longer ago than that.
  bool last_looked_at_before(std::chrono::milliseconds ago) const {
    return std::chrono::steady_clock::now() - looked_at_ > ago;
  }
  double mark_hz() const { return mark_hz_; }

 private:
  struct Reading {
    unsigned long long cycles;
    unsigned long long ns;
  };
  cuda::PinnedBuffer<Reading> reading_;
  Reading* device_reading_ = nullptr;
  std::chrono::steady_clock::time_point looked_at_{};
  double mark_hz_ = 0;
  int timeouts_ = 0;
};

}  // namespace cupel::timing
