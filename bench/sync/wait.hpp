// The three calls that wait for the device.
#pragma once

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::sync {

enum class WaitCall { device, stream, event };

/// Waits for a stream by one of the three calls.
class Waiter {
 public:
  /// event_flag: cudaEventBlockingSync for an event whose waiter sleeps, else cudaEventDefault.
  Waiter(WaitCall call, cudaStream_t stream, unsigned event_flag);

  /// Until all that is on the stream has finished; an event is recorded first.
  void wait() const;

  /// The wait alone: an event is not recorded again.
  void wait_again() const;

 private:
  WaitCall call_;
  cudaStream_t stream_;
  cuda::Event event_;
};

}  // namespace cupel::bench::sync
