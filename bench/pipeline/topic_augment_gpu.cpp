// Random resized crop, flip and normalisation of decoded photographs that lie in device memory, by one kernel: what the
// host's augmentation does, antialiased as well.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "bench/pipeline/augment.hpp"
#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/photograph.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/image/image.hpp"

namespace cupel::bench::pipeline {
namespace {

namespace image = kernels::image;

image::Normalisation normalisation() {
  image::Normalisation made;
  for (int c = 0; c < image::kChannels; ++c) {
    made.mean[c] = kMean[c];
    made.deviation[c] = kDeviation[c];
  }
  return made;
}

// The last image. Single precision and its order of sums: positions of up to 500 are off by 500 x 2^-24, between pixels
// that differ by up to 255 / 57 deviations.
void require_as_reference(const std::vector<std::uint8_t>& pixels, const image::Crop& crop,
                          std::span<const float> out) {
  const std::vector<double> expected = augment_reference(pixels, kPhotograph, crop, kSide);
  double greatest = 0;
  for (std::size_t i = 0; i < out.size(); ++i)
    greatest = std::max(greatest, std::abs(static_cast<double>(out[i]) - expected[i]));
  harness::require(greatest < 1e-3, "the augmented image differs from its reference by " + std::to_string(greatest));
}

// Of launching and waiting for the end, as a loader would.
template <class Launch>
void tell_host_cpu(const Launch& launch) {
  constexpr int kCalls = 100;  // 10 ms and more, where some kernels count processors' time in steps of 1 to 4
  const cuda::Stream stream;
  HostCpu cpu;
  cpu.start();
  for (int i = 0; i < kCalls; ++i) {
    launch(stream);
    stream.synchronize();
    cpu.took(kAugmentedImages);
  }
  cpu.stop();
  cpu.tell();
}

void augment(benchmark::State& state) {
  const std::vector<std::uint8_t> one = photograph(harness::input_seed());
  const std::vector<image::Crop> crops = photograph_crops(harness::input_seed());
  std::vector<std::uint8_t> all;
  for (std::int64_t i = 0; i < kAugmentedImages; ++i) all.insert(all.end(), one.begin(), one.end());
  const cuda::DeviceBuffer<std::uint8_t> in{std::span<const std::uint8_t>(all)};
  const cuda::DeviceBuffer<image::Crop> places{std::span<const image::Crop>(crops)};
  cuda::DeviceBuffer<float> out(kAugmentedImages * kAugmentedValues);

  const record::Workload work = {.bytes_read = static_cast<std::int64_t>(all.size()),
                                 .bytes_written = static_cast<std::int64_t>(out.size_bytes()),
                                 .items = kAugmentedImages};
  const auto launch = [&](cudaStream_t stream) {
    image::augment(in.data(), kAugmentedImages, kPhotograph, places.data(), normalisation(), kernels::DType::fp32,
                   image::Layout::chw, out.data(), {kSide, kSide}, stream);
  };
  timing::sample_device(state, work, launch, {.host_too = true});  // the host's augmentation has no other clock
  tell_host_cpu(launch);

  const std::vector<float> result = out.to_host();
  require_as_reference(one, crops.back(), std::span(result).last(kAugmentedValues));
}

}  // namespace

void register_augment_on_gpu() {
  constexpr std::int64_t kBytes = kAugmentedImages * (500 * 375 * 3 + std::int64_t{kAugmentedValues} * 4);
  harness::add("pipeline/augment/where:gpu", augment)
      .advice("gpu-preprocessing", record::Role::after, "photographs")
      .memory([](const auto&) { return harness::Memory{.device_bytes = kBytes, .host_bytes = kBytes}; });
}

}  // namespace cupel::bench::pipeline
