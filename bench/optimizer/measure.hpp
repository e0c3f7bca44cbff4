// How a step is timed: from the first call until the last kernel has run, because what the slow ways cost is launches.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>

#include "cupel/record/workload.hpp"

namespace cupel::bench::optimizer {

enum class Launch { stream, graph };

/// `step` as it is, or captured once and replayed: what is returned enqueues it on any stream.
std::function<void(cudaStream_t)> prepared(Launch launch, const std::function<void(cudaStream_t)>& step);

/// Samples `step`, which is `launches` kernels: host time to completion, and device time back to back where all of it
/// fits behind the hold. `waits`: the step waits for its stream, which nothing behind a hold may.
void sample_step(benchmark::State& state, const record::Workload& work, const std::function<void(cudaStream_t)>& step,
                 int launches, bool waits = false);

}  // namespace cupel::bench::optimizer
