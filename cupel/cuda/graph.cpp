#include "cupel/cuda/graph.hpp"

#include <memory>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"

namespace cupel::cuda {
namespace {

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
using GraphExec = std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>>;

}  // namespace

std::function<void(cudaStream_t)> captured(const std::function<void(cudaStream_t)>& work) {
  const Stream stream;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work(stream);
  cudaGraph_t raw = nullptr;
  check(cudaStreamEndCapture(stream, &raw));
  const Graph graph(raw);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), 0));
  const GraphExec owned(executable, DestroyGraph());
  check(cudaGraphUpload(executable, stream));
  stream.synchronize();
  return [owned](cudaStream_t on) { check(cudaGraphLaunch(owned.get(), on)); };
}

}  // namespace cupel::cuda
