#include "bench/optimizer/measure.hpp"

#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/graph.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::optimizer {
namespace {

using Work = std::function<void(cudaStream_t)>;

constexpr int kMostLaunchesBehindGate = 500;

}  // namespace

Work prepared(Launch launch, const Work& step) {
  if (launch == Launch::stream) return step;
  const cuda::Stream stream;
  step(stream);  // loads the kernels
  stream.synchronize();
  return cuda::captured(step);
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
