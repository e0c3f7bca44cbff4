// Holds a stream until the host has enqueued everything that is to be timed, so that launch latency stays out.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// A hold of one stream or of two that run beside each other. While it lasts nothing may be called that
/// waits for the stream: it ends by itself after half a second, and gave_up() tells.
///
/// These wait, too: the first launch of a kernel (modules are loaded lazily), an allocation, a copy of pageable memory,
/// and an operation beyond the 1000 or so that the queue holds.
class Hold {
 public:
  Hold();

  /// Launches, once and before all else, each of its kernels, which end at once. A kernel's first launch may wait for
  /// all that runs, so it must not come while a stream is held.
  void load(cudaStream_t stream);

  /// Enqueues a kernel that occupies one thread of one multiprocessor until release().
  void begin(cudaStream_t stream);

  /// Holds both streams, which are let go at one moment of the device's timer (it advances in steps of 32 ns on an
  /// H200). Events would not do: a stream that waits for another's goes on several microseconds after it (fork and join
  /// took 11 us of the time of two copies of 4 to 256 KiB on an H200).
  void begin(cudaStream_t stream, cudaStream_t beside);
  /// Lets the streams go.
  void release() noexcept;
  /// Tells whether the hold ended by itself. Its kernel must be done.
  bool gave_up() const;

 private:
  void lower() noexcept;

  cuda::PinnedBuffer<int> flags_;  // [0] released, [1] gave up
  int* device_flags_ = nullptr;
  cuda::DeviceBuffer<unsigned long long> release_{2};  // [0] which hold it ends, [1] when, on the device's timer
  unsigned long long holds_ = 0;
};

/// Ends the hold on every way out; else the stream would stand for half a second.
struct Release {
  Hold& hold;
  ~Release() { hold.release(); }
};

/// Enqueues a kernel of one thread that does nothing: the shortest device work there is. Throws CudaError if the launch
/// is refused.
void launch_empty(cudaStream_t stream);

}  // namespace cupel::timing
