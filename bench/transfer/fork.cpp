#include "bench/transfer/fork.hpp"

namespace cupel::bench::transfer {

void order(cudaStream_t earlier, cudaEvent_t event, cudaStream_t later) {
  cuda::check(cudaEventRecord(event, earlier));
  cuda::check(cudaStreamWaitEvent(later, event, 0));
}

void Fork::fork(cudaStream_t measured) { order(measured, forked_, stream_); }

void Fork::join(cudaStream_t measured) { order(stream_, joined_, measured); }

}  // namespace cupel::bench::transfer
