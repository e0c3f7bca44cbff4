// The body that the operations share: one plan, sampled and checked.
#pragma once

#include <benchmark/benchmark.h>

#include "bench/conv/data.hpp"
#include "bench/conv/graph.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::conv {

inline void sample_plan(benchmark::State& state, const Data& data, const Graph& graph, const Candidate& candidate) {
  data.poison();
  data.hold_against_roof();
  const std::int64_t bytes = graph.workspace_bytes(candidate);
  void* memory = workspace(bytes);

  timing::sample_device(state, data.problem().work(),
                        [&](cudaStream_t stream) { graph.execute(candidate, data.tensors(), memory, stream); });

  data.require_right(candidate.notes);
  harness::set_counter("workspace", {.value = static_cast<double>(bytes), .unit = "bytes"});
  harness::set_counter("tensor_cores", {.value = candidate.notes.tensor_cores ? 1.0 : 0.0, .unit = "1"});
  harness::set_counter("deterministic", {.value = candidate.notes.deterministic ? 1.0 : 0.0, .unit = "1"});
  harness::set_note("engine " + candidate.name);
}

}  // namespace cupel::bench::conv
