// Random resized crop, flip and normalisation of decoded photographs, on the host.
#include <vector>

#include "bench/pipeline/augment_photographs.hpp"
#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/photograph.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

void augment(benchmark::State& state, int threads) {
  AugmentPhotographs augmentation(threads);
  std::vector<float> out(kAugmentedImages * kAugmentedValues);
  const record::Workload work = {.bytes_written = static_cast<std::int64_t>(out.size() * sizeof(float)),
                                 .items = kAugmentedImages};
  HostCpu cpu;
  const auto call = [&] {
    augmentation.run(out);
    cpu.took(kAugmentedImages);
  };
  harness::sample_host(state, work, call, cpu.counting({.calls = 1, .warm_up = 1}));

  require_as_reference(augmentation.image(), out, 1e-4);
  cpu.tell();
}

}  // namespace

void register_augment(bool with_gpu) {
  const int cpus = harness::usable_cpu_count();
  for (const int threads : cpus == 1 ? std::vector{1} : std::vector{1, cpus}) {
    harness::Definition& added =
        harness::add("pipeline/augment/where:host/threads:" + std::to_string(threads),
                     [threads](benchmark::State& state) { augment(state, threads); })
            .host_only()
            .memory([](const auto&) {
              return harness::Memory{.host_bytes = kAugmentedImages * kAugmentedValues * sizeof(float)};
            });
    if (with_gpu || threads < cpus) added.from(harness::Profile::standard);
    if (with_gpu && threads == cpus) added.advice("gpu-preprocessing", Role::before, "photographs");
  }
}

}  // namespace cupel::bench::pipeline
