// The SM clock while work runs that lasts long enough for the board's power limit to lower it.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// The counts of one SM at one moment.
struct ClockStamp {
  unsigned long long ns, cycles;
};

/// Reads the clock by two short kernels around the work, which read each SM's cycle counter and the device's timer.
/// Works where NVML does not.
class ClockSpan {
 public:
  /// Allocates room for the readings. Throws CudaError.
  ClockSpan();

  /// Enqueues a reading of a few microseconds before the work, on an idle device. Throws CudaError.
  void begin(cudaStream_t stream);
  /// Enqueues a reading behind the work. Throws CudaError.
  void end(cudaStream_t stream);

  /// Returns the mean clock between the two, in Hz, the median over SMs; nullopt if no SM has both. Precondition: the
  /// stream has run both.
  std::optional<double> hz() const;

 private:
  static constexpr std::size_t kMostSms = 1024;

  void read(ClockStamp* stamps, cudaStream_t stream) const;

  cuda::PinnedBuffer<ClockStamp> stamps_;  // at the begin, then at the end
  ClockStamp* device_stamps_ = nullptr;
  int sms_ = 0;
};

}  // namespace cupel::timing
