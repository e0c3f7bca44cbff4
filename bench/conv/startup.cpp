// The work that is done once, and would otherwise hide in a warm-up: loading cuDNN, making its handle, making a plan,
// and the first call of a plan. Those of a process have one sample a process.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/conv/keep_once.hpp"
#include "bench/conv/layers.hpp"
#include "bench/conv/operations.hpp"
#include "bench/conv/search.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/vendor/cudnn.hpp"

namespace cupel::bench::conv {
namespace {

using benchmark::State;
using harness::add;
using harness::Clock;
using harness::seconds_since;

// Whoever needed it first loaded it; the loader has taken the time.
void load_library(State&) {
  vendor::require_cudnn();
  keep_once({.items = 1}, vendor::cudnn_library().load_s());
  harness::set_note(vendor::cudnn_library().file() + "; its parts are loaded when engines want them");
}

// A handle beside the process's own: it finds cuDNN loaded and the device awake. One a round: it is slow to make and to
// destroy.
void create_handle(State&) {
  make_handle();
  const Clock::time_point start = Clock::now();
  const vendor::CudnnHandle handle;
  keep_one({.items = 1}, seconds_since(start));
}

Problem known_problem() {
  return {shape_of(layer("res3_3x3"), 64), Pass::forward, Precision::fp16, Layout::channels_last};
}

// Describing the convolution, asking the heuristic and making its first plan; what cuDNN keeps of earlier ones
// included.
void build_plan(State& state) {
  make_handle();
  harness::sample_host(state, {.items = 1},
                       [&] {
                         Graph graph(known_problem());
                         build_first(graph, Heuristic::mode_a);
                       },
                       {.calls = 1, .warm_up = 1});
}

// From the call to its completion, with the loading of the kernel. No other benchmark has this convolution; that none
// has used its kernel before is likely, not certain.
void first_call(State&) {
  const Problem problem{{.batch = 3, .in_channels = 24, .out_channels = 40, .in = {{1, 19, 23}}, .filter = {{1, 5, 5}}},
                        Pass::forward,
                        Precision::fp16,
                        Layout::channels_last};
  const Data data(problem);
  const Plan& plan = first_plan(problem, Heuristic::mode_a);
  void* memory = workspace(plan.graph.workspace_bytes(plan.candidate));
  const cudaStream_t stream = timing::Rig::get().stream();
  cuda::check(cudaDeviceSynchronize());

  const Clock::time_point start = Clock::now();
  plan.graph.execute(plan.candidate, data.tensors(), memory, stream);
  cuda::check(cudaStreamSynchronize(stream));
  keep_once({.items = 1}, seconds_since(start));

  data.require_right(plan.graph, plan.candidate);
  harness::set_note("engine " + plan.candidate.name);
}

}  // namespace

void register_startup() {
  add("conv/startup/step:load_library", load_library);
  add("conv/startup/step:create_handle", create_handle);
  add("conv/startup/step:build_plan", build_plan);
  add("conv/startup/step:first_call", first_call);
}

}  // namespace cupel::bench::conv
