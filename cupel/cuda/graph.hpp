// Work that is captured once and replayed as a CUDA graph.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <type_traits>

namespace cupel::cuda {

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyGraph>;

/// Ends the capture of the stream and returns its graph. Throws CudaError.
Graph end_capture(cudaStream_t);

/// To be launched on the current device; not uploaded. No stream of this thread may be in capture. Throws CudaError.
GraphExec instantiate(const Graph&);

/// Captures what `work` enqueues on a stream as a graph: calling the result enqueues that on any stream. `work` runs
/// once, captured, so nothing of it happens yet; all kernels of it must have run before, since loading one may be
/// refused while a stream is captured. What it uses must outlive the graph. Throws CudaError.
std::function<void(cudaStream_t)> captured(const std::function<void(cudaStream_t)>& work);

}  // namespace cupel::cuda
