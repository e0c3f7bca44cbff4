// A step of training fed from files: in line, from pageable memory, with blocking copies; or by workers ahead of time,
// through pinned memory, on a stream of its own. How much of it the GPU waits.
#include <algorithm>

#include "bench/pipeline/fed_gpu.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

struct Config {
  StageMemory memory;
  CopyWay copy;
  int workers;
  int depth;
};

Setup setup_of(const Config& config, std::int64_t compute_us) {
  // As many as keep all processors busy, and so few that loading them in line takes half a tenth of a second.
  const std::int64_t samples = std::clamp(8 * harness::usable_cpu_count(), 16, 32);
  return {.samples = samples,
          .batch = 1,  // an epoch begins with the wait for its first batch: it is to be a small part
          .workers = config.workers,
          .depth = config.depth,
          .consume_s = static_cast<double>(compute_us) * 1e-6};
}

void stall(benchmark::State& state, const Config& config) {
  const Setup setup = setup_of(config, state.range(0));
  const FedGpu fed = sample_fed_gpu(state, {.setup = setup, .memory = config.memory, .copy = config.copy});
  if (harness::options().once) return;
  const int once = 1;
  const auto batch_bytes = static_cast<std::size_t>(setup.batch * sample_bytes(recipe_of(setup)));
  const Batches just_made = {.count = 1, .bytes_each = batch_bytes};
  StageTimes times = alone(setup);
  times[static_cast<std::size_t>(Stage::copy)].wall_s =
      harness::memoized<copy_alone_s>(config.memory, config.copy, just_made, once) / static_cast<double>(setup.batch);
  Waits shares = fed.costs.waits();
  shares.gpu = fed.waits.share();
  tell_what_binds(setup, times, shares,
                  config.copy == CopyWay::own_stream ? Copies::beside_work : Copies::between_work);
}

void add_stall(const char* called, const Config& config, Role role) {
  harness::Definition& added = harness::add(std::string("pipeline/stall/config:") + called,
                                            [config](benchmark::State& state) { stall(state, config); });
  if (config.workers >= harness::usable_cpu_count()) added.takes_all_cpus();
  added.sweep("compute_us", {.quick = {1000}, .standard = {250}, .full = {4000}})
      .advice("pipeline-stall", role, "photographs")
      .duration([config](const auto& args) { return duration_of(setup_of(config, args[0])); })
      .memory([config](const auto& args) {
        const Setup setup = setup_of(config, args[0]);
        const std::int64_t batch_bytes = setup.batch * 3 * 224 * 224 * 4;
        return harness::Memory{.device_bytes = 2 * batch_bytes,
                               .host_bytes = batch_bytes * (setup.depth + 1) * std::max(1, setup.workers)};
      });
}

}  // namespace

void register_stall() {
  add_stall("plain", {StageMemory::pageable, CopyWay::blocking, 0, 1}, Role::before);
  add_stall("tuned", {StageMemory::copied_to_pinned, CopyWay::own_stream, harness::usable_cpu_count(), 4}, Role::after);
}

}  // namespace cupel::bench::pipeline
