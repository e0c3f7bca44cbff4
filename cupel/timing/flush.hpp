// Makes the L2 cache cold for what is timed next.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// Makes the L2 cold: goes through a buffer of twice its size. Reading leaves clean lines; writing leaves dirty ones,
/// whose write-back the timed kernel pays for. Writes of less than the L2 stay in it either way.
class Flush {
 public:
  /// The lines that a pass leaves in the L2: it reads, or it writes.
  enum class Leaves { clean, dirty };

  /// Allocates the buffer. Throws cuda::OutOfMemory.
  Flush();

  /// Enqueues the pass on `stream`; does not wait.
  void run(cudaStream_t stream, Leaves leaves = Leaves::clean);

  /// Ends lines that a benchmark has made persist, and gives back the part of the L2 that was set aside for them: run()
  /// reaches neither. Calls the driver, so once before many samples. Returns the bytes that were set aside since the
  /// last time.
  std::int64_t end_persistence();
  /// Returns the size of the buffer.
  std::int64_t bytes() const { return static_cast<std::int64_t>(buffer_.size_bytes()); }
  /// Returns the size of the L2.
  std::int64_t cache_bytes() const { return bytes() / 2; }

 private:
  int blocks_ = 0;
  cuda::DeviceBuffer<float4> buffer_;
  cuda::DeviceBuffer<float> sink_;
  bool can_persist_ = false;  // from compute capability 8.0 on, on a whole device; else the reset is refused
};

}  // namespace cupel::timing
