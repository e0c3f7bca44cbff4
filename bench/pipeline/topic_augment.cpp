// Random resized crop, flip and normalisation of decoded photographs, on the host.
#include <algorithm>
#include <cmath>
#include <vector>

#include "bench/pipeline/augment.hpp"
#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/photograph.hpp"
#include "bench/pipeline/side_by_side.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

constexpr std::size_t kImages = kAugmentedImages;

void require_as_reference(std::span<const std::uint8_t> image, const Crop& crop, std::span<const float> out) {
  const std::vector<double> expected = augment_reference(image, kPhotograph, crop, kSide);
  double greatest = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    greatest = std::max(greatest, std::abs(static_cast<double>(out[i]) - expected[i]));
  harness::require(greatest < 1e-4, "the augmented image differs from its reference by " + std::to_string(greatest));
}

void augment(benchmark::State& state, int threads) {
  const std::vector<std::uint8_t> image = photograph(harness::input_seed());
  const std::vector<Crop> crops = photograph_crops(harness::input_seed());
  std::vector<Augmenter> augmenters(static_cast<std::size_t>(threads), Augmenter(kSide));
  std::vector<float> out(kImages * kAugmentedValues);
  const auto place = [&](std::size_t i) { return std::span(out).subspan(i * kAugmentedValues, kAugmentedValues); };

  const auto share = [&](int thread) {
    const auto mine = static_cast<std::size_t>(thread);
    for (std::size_t i = mine; i < kImages; i += static_cast<std::size_t>(threads))
      augmenters[mine].run(image, kPhotograph, crops[i], place(i));
  };
  const record::Workload work = {.bytes_written = static_cast<std::int64_t>(out.size() * sizeof(float)),
                                 .items = kAugmentedImages};
  HostCpu cpu;
  const auto call = [&] {
    side_by_side(threads, share);
    cpu.took(kAugmentedImages);
  };
  harness::sample_host(state, work, call, cpu.counting({.calls = 1, .warm_up = 1}));

  require_as_reference(image, crops.back(), place(kImages - 1));
  cpu.tell();
}

}  // namespace

void register_augment(bool with_gpu) {
  const int cpus = harness::usable_cpu_count();
  for (const int threads : cpus == 1 ? std::vector{1} : std::vector{1, cpus}) {
    harness::Definition& added = harness::add("pipeline/augment/where:host/threads:" + std::to_string(threads),
                                              [threads](benchmark::State& state) { augment(state, threads); })
                                     .host_only()
                                     .memory([](const auto&) {
                                       return harness::Memory{.host_bytes = kImages * kAugmentedValues * sizeof(float)};
                                     });
    if (threads < cpus) added.from(harness::Profile::standard);
    if (with_gpu && threads == cpus) added.advice("gpu-preprocessing", Role::before, "photographs");
  }
}

}  // namespace cupel::bench::pipeline
