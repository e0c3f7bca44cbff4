// The body that the operations share: one plan, sampled and checked.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>

#include "bench/conv/data.hpp"
#include "bench/conv/graph.hpp"
#include "bench/conv/transforms.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::conv {

/// Batches of calls are measured too where the cache's state or the launch is much of the time, and in the full
/// profile.
inline timing::DeviceSampling how_measured(const Problem& problem) {
  constexpr std::int64_t kShortFlops = std::int64_t{1} << 30;  // 10 us and less where it is fast
  const bool full = harness::options().profile == harness::Profile::full;
  constexpr int kKernels = 4;  // of one call, with those that change layouts or add parts up
  return {.hot = full || problem.work().flops <= kShortFlops, .launches = kKernels};
}

/// A finding weighs more than cuDNN's notes.
inline const char* sums_note(const Notes& notes, const Finding& found) {
  if (found.rounds_parts) return ", which rounds partial sums to the result's format";
  return notes.reduces_precision ? ", noted for sums of less precision than fp32, within the bound of those in fp32"
                                 : "";
}

inline void sample_plan(benchmark::State& state, const Data& data, const Graph& graph, const Candidate& candidate) {
  data.poison();
  data.set_roof_limit();
  const std::int64_t bytes = graph.workspace_bytes(candidate);
  void* memory = workspace(bytes);

  timing::sample_device(
      state, data.problem().work(),
      [&](cudaStream_t stream) { graph.execute(candidate, data.tensors(), memory, stream); },
      how_measured(data.problem()));

  const Finding found = data.require_right(graph, candidate);
  harness::set_counter("workspace",
                       {.value = static_cast<double>(bytes), .unit = "bytes", .better = record::Better::lower});
  harness::set_counter("tensor_cores", {.value = candidate.notes.tensor_cores ? 1.0 : 0.0, .unit = "1"});
  harness::set_counter("deterministic", {.value = candidate.notes.deterministic ? 1.0 : 0.0, .unit = "1"});
  harness::set_note("engine " + candidate.name + transforms_note(data.problem(), candidate.notes, bytes) +
                    sums_note(candidate.notes, found));
}

}  // namespace cupel::bench::conv
