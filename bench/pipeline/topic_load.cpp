// An epoch of photographs, read, decoded and augmented in line or by workers, up to twice as many as there are
// processors.
#include <algorithm>

#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

// The same epoch whatever the workers: two batches of each where they are as many as processors, so that one is made
// while the other is handed over. A batch is one photograph, since in line all of them come one after another.
Setup load(WorkerKind kind, int workers) {
  const std::int64_t samples = std::max(16, 2 * harness::usable_cpu_count());
  return {.samples = samples, .batch = 1, .kind = kind, .workers = workers};
}

harness::Definition& add_load(WorkerKind kind, int workers) {
  const Setup setup = load(kind, workers);
  const std::string name = std::string("pipeline/load/kind:") + to_string(kind) + "/workers:" + std::to_string(workers);
  harness::Definition& added = harness::add(name, [setup](benchmark::State& state) { measure_epochs(state, setup); });
  if (workers >= harness::usable_cpu_count()) added.takes_all_cpus();
  return added.host_only().duration([setup](const auto&) { return duration_of(setup); }).memory([setup](const auto&) {
    return memory_of(setup);
  });
}

}  // namespace

void register_load() {
  add_load(WorkerKind::thread, 0)
      .advice("loader-workers", Role::before, "load/kind:thread")
      .advice("loader-workers", Role::before, "load/kind:process");
  const int cpus = harness::usable_cpu_count();
  for (const WorkerKind kind : {WorkerKind::thread, WorkerKind::process}) {
    const std::string scenario = std::string("load/kind:") + to_string(kind);
    for (const std::int64_t count : harness::thread_counts(2 * cpus)) {
      const auto workers = static_cast<int>(count);
      harness::Definition& added = add_load(kind, workers);
      if (workers != cpus) added.from(harness::Profile::standard);
      if (workers == cpus) {
        added.advice("loader-workers", Role::after, scenario);
      } else {
        added.advice("loader-workers", Role::variant, scenario, "workers_" + std::to_string(workers));
      }
    }
  }
}

}  // namespace cupel::bench::pipeline
