// Whether a stream is done, asked without waiting.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::collective {

/// Whether a stream of any device is. Throws CudaError where its work has failed. The answer "not yet" is no error, and
/// not left behind as the runtime's last one: the next launch would find it.
inline bool is_done(cudaStream_t stream) {
  const cudaError_t state = cudaStreamQuery(stream);
  if (state == cudaErrorNotReady) {
    cudaGetLastError();
    return false;
  }
  cuda::check(state);
  return true;
}

}  // namespace cupel::bench::collective
