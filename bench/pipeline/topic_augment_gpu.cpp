// Random resized crop, flip and normalisation of decoded photographs by one kernel: what the host's augmentation does,
// antialiased as well. Of photographs that lie in device memory, and of ones that lie in the host's, with the copy.
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bench/pipeline/augment_photographs.hpp"
#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/photograph.hpp"
#include "bench/pipeline/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
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

// Single precision and its order of sums: positions of up to 500 are off by 500 x 2^-24, between pixels that differ by
// up to 255 / 57 deviations.
constexpr double kBound = 1e-3;

// Times launching and waiting for the end, as a loader would.
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

constexpr std::ptrdiff_t kRowBytes = std::ptrdiff_t{3} * kPhotograph.width;

// Photographs in device memory, and where they go. Each is moved up by a row, so that none passes for another.
class OnDevice {
 public:
  OnDevice() {
    std::vector<std::uint8_t> image = photograph(harness::input_seed());
    for (std::int64_t i = 0; i < kAugmentedImages; ++i) {
      pixels_.insert(pixels_.end(), image.begin(), image.end());
      std::ranges::rotate(image, image.begin() + kRowBytes);
    }
    in_.from_host(std::span<const std::uint8_t>(pixels_));
  }

  void launch(cudaStream_t stream) {
    image::augment(in_.data(), kAugmentedImages, kPhotograph, places_.data(), normalisation(), kernels::DType::fp32,
                   image::Layout::chw, out_.data(), {kSide, kSide}, stream);
  }

  const std::vector<std::uint8_t>& pixels() const { return pixels_; }
  cuda::DeviceBuffer<std::uint8_t>& in() { return in_; }
  cuda::DeviceBuffer<float>& out() { return out_; }

 private:
  std::vector<std::uint8_t> pixels_;
  const std::vector<image::Crop> crops_ = photograph_crops(harness::input_seed());
  const cuda::DeviceBuffer<image::Crop> places_{std::span<const image::Crop>(crops_)};
  cuda::DeviceBuffer<std::uint8_t> in_{kAugmentedImages * kPhotographBytes};
  cuda::DeviceBuffer<float> out_{kAugmentedImages * kAugmentedValues};
};

constexpr record::Workload kWork = {.bytes_read = kAugmentedImages * kPhotographBytes,
                                    .bytes_written = kAugmentedImages * kAugmentedValues * sizeof(float),
                                    .items = kAugmentedImages};

void augment(benchmark::State& state) {
  OnDevice device;
  const auto launch = [&](cudaStream_t stream) { device.launch(stream); };
  timing::sample_device(state, kWork, launch, {.host_too = true});  // the host's augmentation has no other clock
  tell_host_cpu(launch);

  require_as_reference(device.pixels(), device.out().to_host(), kBound);
}

// Until the augmented images are on the device: floats are copied there, or pixels before.
void augment_for_gpu(benchmark::State& state, bool on_gpu) {
  OnDevice device;
  AugmentPhotographs on_host(harness::usable_cpu_count());
  cuda::PinnedBuffer<std::uint8_t> pixels(on_gpu ? device.pixels().size() : 0);
  cuda::PinnedBuffer<float> values(on_gpu ? 0 : device.out().size());
  std::ranges::copy(on_gpu ? device.pixels() : std::vector<std::uint8_t>(), pixels.data());
  const cuda::Stream stream;
  HostCpu cpu;
  const auto call = [&] {
    if (on_gpu) {
      cuda::check(
          cudaMemcpyAsync(device.in().data(), pixels.data(), pixels.size_bytes(), cudaMemcpyHostToDevice, stream));
      device.launch(stream);
    } else {
      on_host.run(values.span());
      cuda::check(
          cudaMemcpyAsync(device.out().data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice, stream));
    }
    stream.synchronize();
    cpu.took(kAugmentedImages);
  };
  harness::sample_host(state, {.items = kAugmentedImages}, call, cpu.counting({.calls = 1, .warm_up = 1}));

  require_as_reference(on_gpu ? device.pixels() : on_host.image(), device.out().to_host(), kBound);
  cpu.tell();
  tell_pinned(pixels.size_bytes() + values.size_bytes());
}

}  // namespace

void register_augment_on_gpu() {
  constexpr std::int64_t kBytes = kAugmentedImages * (kPhotographBytes + std::int64_t{kAugmentedValues} * 4);
  const auto memory = [](const auto&) { return harness::Memory{.device_bytes = kBytes, .host_bytes = kBytes}; };
  harness::add("pipeline/augment/where:gpu", augment)
      .from(harness::Profile::standard)
      .advice("gpu-preprocessing", record::Role::after, "photographs")
      .memory(memory);
  for (const bool on_gpu : {false, true}) {
    harness::add(std::string("pipeline/augment_for_gpu/where:") + (on_gpu ? "gpu" : "host"),
                 [on_gpu](benchmark::State& state) { augment_for_gpu(state, on_gpu); })
        .advice("gpu-preprocessing", on_gpu ? record::Role::after : record::Role::before, "for_gpu")
        .memory(memory);
  }
}

}  // namespace cupel::bench::pipeline
