// A kernel that does nothing: the shortest device work there is.
#pragma once

#include <cuda_runtime.h>

namespace cupel::timing {

/// Enqueues one block of one thread. Throws CudaError if the launch is refused.
void launch_empty(cudaStream_t stream);

}  // namespace cupel::timing
