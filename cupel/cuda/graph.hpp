// Work that is captured once and replayed as a CUDA graph.
#pragma once

#include <cuda_runtime.h>

#include <functional>

namespace cupel::cuda {

/// What `work` enqueues on a stream, as a graph: calling it enqueues that on any stream. `work` runs once, captured, so
/// nothing of it happens yet; all kernels of it must have run before, since loading one may be refused while a stream
/// is captured. What it uses must outlive the graph. Throws CudaError.
std::function<void(cudaStream_t)> captured(const std::function<void(cudaStream_t)>& work);

}  // namespace cupel::cuda
