// Loading beside a training: the thread that launches works for a while on each batch, as a framework's does, and the
// device for longer. One worker takes loading out of that thread; more workers than processors take the processor from
// it.
#include <algorithm>
#include <string>
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/gpu_consumer.hpp"
#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"
#include "bench/pipeline/waits_of_gpu.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

// The device works for so long on a batch, which is one photograph: about as long as loading it takes in line, so that
// one worker has just enough to do.
constexpr std::int64_t kCompute_us = 4000;
constexpr double kLaunching_s = 2e-3;

Setup setup_of_training(int workers) {
  return {.samples = std::max(16, 2 * harness::usable_cpu_count()),
          .batch = 1,
          .kind = WorkerKind::process,
          .workers = workers,
          .consume_s = static_cast<double>(kCompute_us) * 1e-6};
}

// As a framework does on the processor to launch a step.
void launch_for(double seconds) {
  for (const auto start = harness::Clock::now(); harness::seconds_since(start) < seconds;) {
  }
}

void train_beside(benchmark::State& state, int workers) {
  const Setup setup = setup_of_training(workers);
  const Recipe recipe = recipe_of(setup);
  const auto batch_bytes = static_cast<std::size_t>(setup.batch * sample_bytes(recipe));
  Loader loader(recipe, options_of(setup));
  GpuConsumer consumer(StageMemory::copied_to_pinned, CopyWay::own_stream, batch_bytes, kCompute_us * 1000);
  WaitsOfGpu waits;
  EpochCosts costs;
  std::vector<std::byte> last(batch_bytes);

  std::int64_t epoch = 0;
  const auto run_epoch = [&](const auto& see) {  // what it waited for batches
    const Waited before = loader.waited();
    for (loader.start_epoch(epoch++); loader.has_next();) {
      const Batch batch = loader.next();
      launch_for(kLaunching_s);
      consumer.take(batch.bytes);
      see(batch);
    }
    consumer.finish();
    return loader.waited() - before;
  };
  run_epoch([&](const Batch& batch) { std::ranges::copy(batch.bytes, last.begin()); });
  harness::require(consumer.last_is(last), "the last batch on the device differs from what was loaded");

  const double worked_s = static_cast<double>(batches_of_epoch(recipe)) * setup.consume_s;
  const auto account_epoch = [&] {
    costs.account(
        setup.samples, [&] { return &loader; }, [&] { return run_epoch([](const Batch&) {}); });
  };
  harness::sample_host(state, {.items = setup.samples}, [&] { waits.account(worked_s, account_epoch); },
                       {.calls = 1, .warm_up = 0});

  waits.tell();
  costs.tell();
  tell_pinned(consumer.pinned_bytes());
}

void add_beside(int workers, Role role) {
  const Setup setup = setup_of_training(workers);
  harness::Definition& added = harness::add("pipeline/beside/kind:process/workers:" + std::to_string(workers),
                                            [workers](benchmark::State& state) { train_beside(state, workers); });
  if (workers >= harness::usable_cpu_count()) added.takes_all_cpus();
  added.from(harness::Profile::standard)
      .advice("loader-workers", role, "beside/kind:process",
              role == Role::before ? "" : "workers_" + std::to_string(workers))
      .duration([setup](const auto&) { return duration_of(setup); })
      .memory([setup](const auto&) { return memory_of(setup); });
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
