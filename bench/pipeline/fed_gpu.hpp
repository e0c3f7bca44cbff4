// A GPU that works on each batch that a loader brings, and what it waits for.
#pragma once

#include <benchmark/benchmark.h>

#include <functional>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/gpu_consumer.hpp"
#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/waits_of_gpu.hpp"

namespace cupel::bench::pipeline {

/// How the GPU is fed.
struct Feeding {
  Setup setup;  ///< whose consume_s is what the GPU works on a batch
  StageMemory memory = StageMemory::copied_to_pinned;
  CopyWay copy = CopyWay::own_stream;
  std::function<void()> launch = {};  ///< the launching thread's own work ahead of each batch
};

struct FedGpu {
  WaitsOfGpu waits;
  EpochCosts costs;
};

/// Loads an epoch whose last batch must arrive as it was loaded, and then samples epochs by the host's clock. Sets the
/// counters of what was waited for and of pinned memory. Throws CheckFailed, CudaError, and as Loader.
FedGpu sample_fed_gpu(benchmark::State& state, const Feeding& feeding);

}  // namespace cupel::bench::pipeline
