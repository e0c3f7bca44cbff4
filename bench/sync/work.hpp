// The device work that the family's host times are taken on, and how it is drained between samples.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/sync/launches.hpp"

namespace cupel::bench::sync {

/// Launches that one sample may leave unfinished. The driver's queue takes about 1000; a full one makes the host wait,
/// and the time of a launch would be the time of a kernel.
inline constexpr std::int64_t kMaxInFlight = 256;

/// Waits until the stream is empty: for HostSampling::after.
inline std::function<void()> drain(const cuda::Stream& stream) {
  return [&stream] { stream.synchronize(); };
}

/// A small step of work that counts itself: an array in device memory to whose every element each launch adds one.
class CountedWork {
 public:
  CountedWork(std::int64_t bytes, cudaStream_t stream) : data_(static_cast<std::size_t>(bytes) / 4), stream_(stream) {
    cuda::check(cudaMemset(data_.data(), 0, data_.size_bytes()));
    cuda::check(cudaDeviceSynchronize());
    launch();  // loads the kernel, which is no part of any time and may be refused while the stream is captured
    cuda::check(cudaStreamSynchronize(stream_));
  }

  /// Enqueues one kernel.
  void launch() {
    enqueue();
    expect(1);
  }

  /// Enqueues one kernel that will not run by this call: the stream is being captured.
  void enqueue() { kernels::sync::add_one(data_.data(), static_cast<std::int64_t>(data_.size()), stream_); }

  /// `kernels` more will have run: a graph with them was launched.
  void expect(std::int64_t kernels) { expected_ += static_cast<std::uint32_t>(kernels); }

  /// The value of every element when all that was launched has run; wraps around as the elements do.
  std::uint32_t expected() const { return expected_; }

  /// The first element, in device memory.
  const std::uint32_t* value() const { return data_.data(); }

  std::int64_t bytes() const { return static_cast<std::int64_t>(data_.size_bytes()); }

  /// How many kernels every element has seen. Blocks. Throws harness::CheckFailed where the elements differ.
  std::uint32_t ran() const {
    const std::vector<std::uint32_t> elements = data_.to_host();
    const auto odd = std::ranges::find_if(elements, [&](std::uint32_t e) { return e != elements.front(); });
    if (odd != elements.end()) {
      harness::require(false, "element " + std::to_string(odd - elements.begin()) + " has seen " +
                                  std::to_string(*odd) + " kernels, element 0 " + std::to_string(elements.front()));
    }
    return elements.front();
  }

  /// Fails the benchmark unless each launch ran exactly once. Blocks.
  void require_all_ran() const {
    const std::uint32_t kernels = ran();
    harness::require(kernels == expected_, "the device ran " + std::to_string(kernels) + " kernels where " +
                                               std::to_string(expected_) + " were launched");
  }

 private:
  cuda::DeviceBuffer<std::uint32_t> data_;
  cudaStream_t stream_;
  std::uint32_t expected_ = 0;
};

/// The work of `kernels` launches of CountedWork on `bytes` bytes: each element is read and written once a launch.
inline record::Workload counted_workload(std::int64_t kernels, std::int64_t bytes) {
  return {.bytes_read = kernels * bytes, .bytes_written = kernels * bytes, .items = kernels};
}

/// One call is 16 steps: enough that a wait at the end is a small part, few enough that 30 kernels a step (480
/// launches) stay below what the driver's queue takes.
inline constexpr std::int64_t kSteps = 16;

/// Steps of so many kernels on so many bytes each: small arrays finish before the next launch reaches the device, 64
/// MiB takes longer than a launch and a wait.
inline harness::Definition& with_steps(harness::Definition& definition) {
  using harness::operator""_KiB;
  using harness::operator""_MiB;
  return definition.sweep("kernels", {.quick = {1, 10}, .standard = {30}})
      .sweep("bytes", {.quick = {1_MiB}, .standard = {64_KiB, 64_MiB}})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = args[1]}; });
}

}  // namespace cupel::bench::sync
