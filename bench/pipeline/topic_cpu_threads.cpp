// Threads of OpenMP within each worker: as many as there are processors, which is the default of what loaders call,
// four, and one. A worker has a photograph or two an epoch: 32 workers of 32 threads take a hundred times longer than
// 32 of one, as threads that wait for others spin where those lack a processor.
#include <algorithm>

#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

harness::Definition& add_intra(const std::string& called, int threads, harness::Profile profile) {
  const int workers = harness::usable_cpu_count();
  const Setup setup = {.samples = std::max(16, workers),
                       .batch = 1,
                       .intra_threads = threads,
                       .kind = WorkerKind::process,
                       .workers = workers};
  harness::Definition& added =
      harness::add("pipeline/cpu_threads/intra:" + called + "/workers:" + std::to_string(workers),
                   [setup](benchmark::State& state) { measure_epochs(state, setup); });
  if (threads > 1) added.takes_all_cpus();
  return added.host_only()
      .from(profile)
      .duration([setup](const auto&) { return duration_of(setup); })
      .memory([setup](const auto&) { return memory_of(setup); });
}

}  // namespace

void register_cpu_threads() {
  using enum harness::Profile;
  add_intra("all", harness::usable_cpu_count(), standard).advice("cpu-threads", Role::before, "load");
  add_intra("4", 4, standard).advice("cpu-threads", Role::variant, "load", "four_threads");
  add_intra("1", 1, standard).advice("cpu-threads", Role::after, "load");
}

}  // namespace cupel::bench::pipeline
