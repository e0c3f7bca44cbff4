// A second stream inside the measured work.
#pragma once

#include "cupel/cuda/cuda.hpp"
#include "cupel/timing/rig.hpp"

namespace cupel::bench::transfer {

/// What is enqueued on stream() between fork() and join() runs beside the measured stream and is part of its time.
class Fork {
 public:
  /// What fork() and join() enqueue together.
  static constexpr int kOperations = 4;

  /// stream() waits for all that `measured` holds.
  void fork(cudaStream_t measured);
  /// `measured` waits for all that stream() holds.
  void join(cudaStream_t measured);
  cudaStream_t stream() const { return stream_; }

 private:
  cudaStream_t stream_ = timing::Rig::get().beside();
  cuda::Event forked_{cudaEventDisableTiming};
  cuda::Event joined_{cudaEventDisableTiming};
};

/// `later` waits for all that `earlier` holds now.
void order(cudaStream_t earlier, cudaEvent_t event, cudaStream_t later);

}  // namespace cupel::bench::transfer
