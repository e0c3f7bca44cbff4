#include "bench/optimizer/measure.hpp"

#include <type_traits>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::optimizer {
namespace {

using cuda::check;
using Work = std::function<void(cudaStream_t)>;

constexpr int kMostLaunchesBehindGate = 500;

struct DestroyGraph {
  void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
  void operator()(cudaGraphExec_t graph) const noexcept { cudaGraphExecDestroy(graph); }
};
using Graph = std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, DestroyGraph>;
using GraphExec = std::shared_ptr<std::remove_pointer_t<cudaGraphExec_t>>;

GraphExec captured(const Work& step) {
  const cuda::Stream stream;
  step(stream);  // loads the kernels, which may be refused while a stream is captured
  stream.synchronize();
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  step(stream);
  cudaGraph_t raw = nullptr;
  check(cudaStreamEndCapture(stream, &raw));
  const Graph graph(raw);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), 0));
  GraphExec owned(executable, DestroyGraph());
  check(cudaGraphUpload(executable, stream));
  stream.synchronize();
  return owned;
}

}  // namespace

Work prepared(Launch launch, const Work& step) {
  if (launch == Launch::stream) return step;
  return [graph = captured(step)](cudaStream_t stream) { check(cudaGraphLaunch(graph.get(), stream)); };
}

void sample_step(benchmark::State& state, const record::Workload& work, const Work& step, int launches, bool waits) {
  if (!waits && launches <= kMostLaunchesBehindGate) {
    // Back to back, as steps are: one by itself would end before the cache has handed on what was written last.
    timing::sample_device(state, work, step, {.cold = false, .host_too = true, .launches = launches});
    return;
  }
  const cuda::Stream stream;
  harness::sample_host(state, work,
                       [&] {
                         step(stream);
                         stream.synchronize();
                       },
                       {.calls = 1});
}

}  // namespace cupel::bench::optimizer
