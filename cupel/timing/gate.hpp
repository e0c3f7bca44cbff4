// Holds a stream until the host has enqueued everything that is to be timed, so that launch latency stays out.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// One gate, of one stream or of two that run beside each other. Behind a closed gate nothing may be called that waits
/// for the stream: the gate opens by itself after half a second, and stood_open_by_itself() tells.
///
/// These wait, too: the first launch of a kernel (modules are loaded lazily), an allocation, a copy of pageable memory,
/// and an operation beyond the 1000 or so that the queue holds.
class Gate {
 public:
  Gate();

  /// Once, before all else: launches each of its kernels, open. A kernel's first launch may wait for all that runs, so
  /// it must not come behind a closed gate.
  void load(cudaStream_t stream);

  /// Enqueues a kernel that occupies one thread of one multiprocessor until open().
  void close(cudaStream_t stream);

  /// The same on both, which are let go at one moment of the device's timer (it advances in steps of 32 ns on an H200).
  /// Events would not do: a stream that waits for another's goes on several microseconds after it (fork and join took
  /// 11 us of the time of two copies of 4 to 256 KiB on an H200).
  void close(cudaStream_t stream, cudaStream_t beside);
  void open() noexcept;
  bool stood_open_by_itself() const;

 private:
  void lower() noexcept;

  cuda::PinnedBuffer<int> flags_;  // [0] open, [1] gave up
  int* device_flags_ = nullptr;
  cuda::DeviceBuffer<unsigned long long> opening_{2};  // [0] which closing it ends, [1] when, on the device's timer
  unsigned long long closings_ = 0;
};

/// Opens the gate on every way out: a closed one would hold the stream for half a second.
struct OpenGate {
  Gate& gate;
  ~OpenGate() { gate.open(); }
};

}  // namespace cupel::timing
