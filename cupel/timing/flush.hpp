// Makes the L2 cache cold for what is timed next.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {

/// Goes through twice the L2's size of a buffer of its own. To read leaves clean lines behind; to write leaves the
/// cache full of dirty ones, whose write-back the timed kernel pays for. Neither makes writes of less than the L2 cold:
/// they stay in the cache whatever was there.
class Flush {
 public:
  enum class Leaves { clean, dirty };

  /// Allocates the buffer. Throws cuda::OutOfMemory.
  Flush();

  /// Enqueues; does not wait.
  void run(cudaStream_t stream, Leaves leaves = Leaves::clean);

  /// Ends lines that a benchmark has made persist, and gives back what of the L2 was set aside for such lines: run()
  /// reaches neither. Calls of the driver, so once before many samples. Returns the bytes that were set aside since the
  /// last time.
  std::int64_t end_persistence();
  std::int64_t bytes() const { return static_cast<std::int64_t>(buffer_.size_bytes()); }
  std::int64_t cache_bytes() const { return bytes() / 2; }

 private:
  int blocks_ = 0;
  cuda::DeviceBuffer<float4> buffer_;
  cuda::DeviceBuffer<float> sink_;
  bool can_persist_ = false;  // from compute capability 8.0 on, on a whole device; else the reset is refused
};

}  // namespace cupel::timing
