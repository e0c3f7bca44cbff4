// Holds a stream until the host has enqueued everything that is to be timed, so that launch latency stays out.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// One gate, one stream at a time. Behind a closed gate nothing may be called that waits for the stream: the gate opens
/// by itself after two seconds, and stood_open_by_itself() tells.
///
/// What may wait without looking so: the first launch of a kernel (modules are loaded lazily), an allocation, a copy of
/// pageable memory, and more than about 1000 operations in the queue.
class Gate {
 public:
  Gate();

  /// Enqueues a kernel that occupies one thread of one multiprocessor until open().
  void close(cudaStream_t stream);
  void open() noexcept;
  bool stood_open_by_itself() const;

 private:
  cuda::PinnedBuffer<int> flags_;  // [0] open, [1] gave up
  int* device_flags_ = nullptr;
};

}  // namespace cupel::timing
