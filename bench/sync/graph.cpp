// The same kernels launched one by one and replayed as a CUDA graph: host time to hand them over, time until they have
// run, and what capture, instantiation and upload cost before the first replay.
//
// Small kernels (4 KiB) finish before the next launch arrives, so that the launches are what takes time: there a graph
// can pay. Large ones (16 MiB) take longer than a launch, which hides behind the kernel before: there it cannot.
#include <algorithm>

#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/cuda/graph.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;

using cuda::Graph;
using cuda::GraphExec;

// A chain of `kernels` kernels.
Graph capture(CountedWork& work, std::int64_t kernels, const cuda::Stream& stream) {
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (std::int64_t k = 0; k < kernels; ++k) work.enqueue();
  return cuda::end_capture(stream);
}

// Uploaded too, so that the first launch is like every other.
GraphExec ready_graph(CountedWork& work, std::int64_t kernels, const cuda::Stream& stream) {
  GraphExec executable = cuda::instantiate(capture(work, kernels, stream));
  cuda::check(cudaGraphUpload(executable.get(), stream));
  stream.synchronize();
  return executable;
}

enum class Until {
  enqueued,  // the host has handed the work over; drained outside the time
  complete   // the work has run and the host has waited for it
};

// Calls of one sample that together stay below the driver's queue. 1000 small kernels alone exceed kMaxInFlight, but
// they leave the queue as fast as they enter it.
std::int64_t most_calls(Until until, std::int64_t kernels) {
  return until == Until::complete ? 1 : std::max<std::int64_t>(1, kMaxInFlight / kernels);
}

void measure(benchmark::State& state, Until until, const cuda::Stream& stream, CountedWork& work, std::int64_t kernels,
             const std::function<void()>& hand_over) {
  const auto call = [&] {
    hand_over();
    if (until == Until::complete) stream.synchronize();
  };
  harness::sample_host(state, counted_workload(kernels, work.bytes()), call,
                       {.after = drain(stream), .max_calls = most_calls(until, kernels)});
  work.require_all_ran();
}

void launches(benchmark::State& state, Until until, std::int64_t bytes) {
  const std::int64_t kernels = state.range(0);
  const cuda::Stream stream;
  CountedWork work(bytes, stream);
  measure(state, until, stream, work, kernels, [&] {
    for (std::int64_t k = 0; k < kernels; ++k) work.launch();
  });
}

void replay(benchmark::State& state, Until until, std::int64_t bytes) {
  const std::int64_t kernels = state.range(0);
  const cuda::Stream stream;
  CountedWork work(bytes, stream);
  const GraphExec executable = ready_graph(work, kernels, stream);
  measure(state, until, stream, work, kernels, [&] {
    cuda::check(cudaGraphLaunch(executable.get(), stream));
    work.expect(kernels);
  });
}

// Replays the graph once and checks that it does what it was made of.
void require_runs(const GraphExec& executable, CountedWork& work, std::int64_t kernels, const cuda::Stream& stream) {
  cuda::check(cudaGraphLaunch(executable.get(), stream));
  work.expect(kernels);
  stream.synchronize();
  work.require_all_ran();
}

void cost_of_capture(benchmark::State& state) {
  const std::int64_t kernels = state.range(0);
  const cuda::Stream stream;
  CountedWork work(4_KiB, stream);
  Graph graph;

  harness::sample_host(state, {.items = kernels}, [&] { graph = capture(work, kernels, stream); },
                       {.before = [&] { graph.reset(); }, .calls = 1});

  require_runs(cuda::instantiate(graph), work, kernels, stream);
}

void cost_of_instantiate(benchmark::State& state) {
  const std::int64_t kernels = state.range(0);
  const cuda::Stream stream;
  CountedWork work(4_KiB, stream);
  const Graph graph = capture(work, kernels, stream);
  GraphExec executable;

  harness::sample_host(state, {.items = kernels}, [&] { executable = cuda::instantiate(graph); },
                       {.before = [&] { executable.reset(); }, .calls = 1});

  require_runs(executable, work, kernels, stream);
}

// Until the upload has arrived. Each sample uploads a graph that has never been on the device.
void cost_of_upload(benchmark::State& state) {
  const std::int64_t kernels = state.range(0);
  const cuda::Stream stream;
  CountedWork work(4_KiB, stream);
  const Graph graph = capture(work, kernels, stream);
  GraphExec executable;

  const auto call = [&] {
    cuda::check(cudaGraphUpload(executable.get(), stream));
    stream.synchronize();
  };
  harness::sample_host(state, {.items = kernels}, call,
                       {.before = [&] { executable = cuda::instantiate(graph); }, .calls = 1});

  require_runs(executable, work, kernels, stream);
}

}  // namespace

void register_graph() {
  using harness::add;
  using record::Role;
  const auto body = [](auto how, Until until, std::int64_t bytes) {
    return [how, until, bytes](benchmark::State& state) { how(state, until, bytes); };
  };

  const harness::Sweep to_hand_over = {.quick = {10}, .standard = {1, 100, 1000}};
  add("sync/graph/enqueue/impl:launches/bytes:4096", body(launches, Until::enqueued, 4_KiB))
      .sweep("kernels", to_hand_over)
      .advice("graphs", Role::before, "enqueue/bytes:4096");
  add("sync/graph/enqueue/impl:graph/bytes:4096", body(replay, Until::enqueued, 4_KiB))
      .sweep("kernels", to_hand_over)
      .advice("graphs", Role::after, "enqueue/bytes:4096");

  const harness::Sweep small = {.quick = {1, 10, 100}, .standard = {1000}};
  add("sync/graph/complete/impl:launches/bytes:4096", body(launches, Until::complete, 4_KiB))
      .sweep("kernels", small)
      .advice("graphs", Role::before, "complete/bytes:4096");
  add("sync/graph/complete/impl:graph/bytes:4096", body(replay, Until::complete, 4_KiB))
      .sweep("kernels", small)
      .advice("graphs", Role::after, "complete/bytes:4096");

  const harness::Sweep large = {.quick = {10}, .standard = {100}};
  add("sync/graph/complete/impl:launches/bytes:16777216", body(launches, Until::complete, 16_MiB))
      .sweep("kernels", large)
      .advice("graphs", Role::before, "complete/bytes:16777216");
  add("sync/graph/complete/impl:graph/bytes:16777216", body(replay, Until::complete, 16_MiB))
      .sweep("kernels", large)
      .advice("graphs", Role::after, "complete/bytes:16777216");

  const harness::Sweep built = {.quick = {100}, .standard = {1, 10, 1000}};
  add("sync/graph/capture", cost_of_capture)
      .sweep("kernels", built)
      .advice("graphs", Role::variant, "build", "capture");
  add("sync/graph/instantiate", cost_of_instantiate)
      .sweep("kernels", built)
      .advice("graphs", Role::variant, "build", "instantiate");
  add("sync/graph/upload", cost_of_upload).sweep("kernels", built).advice("graphs", Role::variant, "build", "upload");
}

}  // namespace cupel::bench::sync
