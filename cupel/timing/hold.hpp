// Holds a stream until the host has enqueued everything that is to be timed, so that launch latency stays out.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// A hold of one stream or of two that run beside each other. While it lasts, call nothing that waits for the stream;
/// else the hold ends by itself after 0.5 s and gave_up() is true.
///
/// These wait, too: the first launch of a kernel (modules are loaded lazily), an allocation, a copy of pageable memory,
/// and an operation beyond the 1000 or so that the queue holds.
class Hold {
 public:
  /// Allocates the flags; nothing is held. Throws CudaError.
  Hold();

  /// Loads the hold's kernels by launching each once; call it before the first begin(). A kernel's first launch may
  /// wait for all that runs, so it must not come while a stream is held.
  void load(cudaStream_t stream);

  /// Enqueues a kernel that occupies one thread of one multiprocessor until release().
  void begin(cudaStream_t stream);

  /// Holds both streams, which are released at one moment of the device's timer (it advances in steps of 32 ns on an
  /// H200). Events would not do: a stream that waits for another's goes on several microseconds after it (fork and join
  /// took 11 us of the time of two copies of 4 to 256 KiB on an H200).
  void begin(cudaStream_t stream, cudaStream_t beside);
  /// Releases the streams.
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

/// Releases the hold at the end of the scope; an exception would else block the stream for 0.5 s.
struct Release {
  Hold& hold;
  ~Release() { hold.release(); }
};

/// Enqueues a kernel of one thread that does nothing: the shortest device work there is. Throws CudaError if the launch
/// is refused.
void launch_empty(cudaStream_t stream);

}  // namespace cupel::timing
