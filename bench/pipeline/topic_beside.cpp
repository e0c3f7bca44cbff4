// Loading beside a training: the thread that launches works for a while on each batch, as a framework's does, and the
// device as long. One worker takes loading out of that thread; more workers than processors take the processor from it.
#include <algorithm>
#include <string>

#include "bench/pipeline/fed_gpu.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

// A batch is one photograph, which takes some 2 ms to load. In line, loading and launching add up to about twice what
// the device works, so that it waits for them; a device that works as long as both would hide all of loading.
constexpr std::int64_t kCompute_us = 2000;
constexpr double kLaunching_s = 2e-3;

Setup setup_of_training(int workers, std::int64_t compute_us) {
  return {.samples = std::max(16, 2 * harness::usable_cpu_count()),
          .batch = 1,
          .kind = WorkerKind::process,
          .workers = workers,
          .consume_s = static_cast<double>(compute_us) * 1e-6};
}

// As a framework does on the processor to launch a step.
void launch_for(double seconds) {
  for (const auto start = harness::Clock::now(); harness::seconds_since(start) < seconds;) {
  }
}

void train_beside(benchmark::State& state, int workers) {
  sample_fed_gpu(state,
                 {.setup = setup_of_training(workers, state.range(0)), .launch = [] { launch_for(kLaunching_s); }});
}

void add_beside(int workers, Role role) {
  harness::Definition& added = harness::add("pipeline/beside/kind:process/workers:" + std::to_string(workers),
                                            [workers](benchmark::State& state) { train_beside(state, workers); });
  if (workers >= harness::usable_cpu_count()) added.takes_all_cpus();
  added.from(harness::Profile::standard)
      .sweep("compute_us", {.quick = {kCompute_us}})
      .advice("loader-workers", role, "beside/kind:process",
              role == Role::before ? "" : "workers_" + std::to_string(workers))
      .duration([workers](const auto& sizes) { return duration_of(setup_of_training(workers, sizes[0])); })
      .memory([workers](const auto& sizes) { return memory_of(setup_of_training(workers, sizes[0])); });
}

}  // namespace

// One worker is judged, which the advice begins with; the others stand beside it.
void register_beside() {
  add_beside(0, Role::before);
  for (const std::int64_t workers : harness::thread_counts(2 * harness::usable_cpu_count())) {
    add_beside(static_cast<int>(workers), workers == 1 ? Role::after : Role::variant);
  }
}

}  // namespace cupel::bench::pipeline
