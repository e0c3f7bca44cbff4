// Batches made ahead of a consumer that takes as long as the loader does, evenly or with some batches half as long
// again and others half as long; and workers that are started anew for each epoch, or stay.
#include <algorithm>

#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

// The reader waits 4 ms a batch, as for a disk, and takes some tenths of one for itself; so long does the consumer
// wait, as for a GPU. No processor is short. Were one of them quicker it would wait for the other whatever is made
// ahead.
Setup prefetch(int depth, int jitter_percent) {
  return {.format = Format::raw,
          .samples = 96,
          .workers = 1,
          .depth = depth,
          .read_sleep_s = 0.5e-3,
          .jitter = jitter_percent / 100.0,
          .consume_s = 4.4e-3};
}

void add_prefetch(int depth, int jitter_percent) {
  const Setup setup = prefetch(depth, jitter_percent);
  const std::string jitter = "jitter:" + std::to_string(jitter_percent);
  harness::Definition& added = harness::add("pipeline/prefetch/depth:" + std::to_string(depth) + "/" + jitter,
                                            [setup](benchmark::State& state) { measure_epochs(state, setup); })
                                   .host_only()
                                   .duration([setup](const auto&) { return duration_of(setup); })
                                   .memory([setup](const auto&) { return memory_of(setup); });
  added.from(depth == 8 ? harness::Profile::full : harness::Profile::standard);
  if (depth == 1) added.advice("prefetch-depth", Role::before, jitter);
  if (depth == 4) added.advice("prefetch-depth", Role::after, jitter);
  if (depth == 2 || depth == 8) added.advice("prefetch-depth", Role::variant, jitter, "depth_" + std::to_string(depth));
}

// Starting them takes a multiple of what they then do, and that of a few tells it.
constexpr int kMostRespawned = 8;

void add_epoch(const char* called, Workers workers, Role role) {
  const int count = std::min(harness::usable_cpu_count(), kMostRespawned);
  const Setup setup = {.samples = std::int64_t{8} * count, .batch = 4, .kind = WorkerKind::process, .workers = count};
  harness::add(std::string("pipeline/epoch/workers:") + called,
               [setup, workers](benchmark::State& state) { measure_epochs(state, setup, workers); })
      .host_only()
      .from(harness::Profile::standard)
      .duration([setup, workers](const auto&) { return duration_of(setup, workers); })
      .advice("keep-workers", role, "epoch")
      .memory([setup](const auto&) { return memory_of(setup); });
}

}  // namespace

void register_prefetch() {
  for (const int jitter : {0, 50}) {
    for (const int depth : {1, 2, 4, 8}) add_prefetch(depth, jitter);
  }
  add_epoch("respawned", Workers::respawned, Role::before);
  add_epoch("kept", Workers::kept, Role::after);
}

}  // namespace cupel::bench::pipeline
