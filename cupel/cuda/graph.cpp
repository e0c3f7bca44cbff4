#include "cupel/cuda/graph.hpp"

#include "cupel/cuda/cuda.hpp"

namespace cupel::cuda {

Graph end_capture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph));
  return Graph(graph);
}

GraphExec instantiate(const Graph& graph) {
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), 0));
  return GraphExec(executable);
}

std::function<void(cudaStream_t)> captured(const std::function<void(cudaStream_t)>& work) {
  const Stream stream;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work(stream);
  const std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>> executable = instantiate(end_capture(stream));
  check(cudaGraphUpload(executable.get(), stream));
  stream.synchronize();
  return [executable](cudaStream_t on) { check(cudaGraphLaunch(executable.get(), on)); };
}

}  // namespace cupel::cuda
