// The watch on the device's memory: whether it is free for what is measured next, and the wait until it is.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/flush.hpp"

namespace cupel::timing {

/// Times the flush, which reads twice the L2's size from memory. Memory that was freed keeps the device busy in the
/// background, being erased by all signs: on an H200 (driver 580) 120 GiB given back cost what runs in the next 300 ms
/// a tenth of its bandwidth, while the SM clock is as ever.
class MemoryWatch {
 public:
  /// Goes through `flush`, which must outlive it.
  explicit MemoryWatch(Flush& flush) : flush_(flush) {}

  /// Returns the seconds that a few flushes take. Waits for the stream.
  double read_s(cudaStream_t stream);

  /// Waits until a reading is within 4 % of mark_s(), the shortest reading that repeated, 600 ms at most; false when
  /// the time ran out. After three such time-outs in a row what was read becomes the new mark.
  bool settle(cudaStream_t stream);

  /// Returns the shortest reading that repeated in this process; 0: none yet.
  double mark_s() const { return mark_s_; }

 private:
  void see(double seen_s);

  Flush& flush_;
  cuda::Event start_, stop_;
  double mark_s_ = 0;  // 0: none yet
  double last_s_ = 0;
  int timeouts_ = 0;
};

}  // namespace cupel::timing
