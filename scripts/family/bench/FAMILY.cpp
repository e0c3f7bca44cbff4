// What this family measures, in a sentence or two, and which question it answers.
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/FAMILY/reference.hpp"
#include "kernels/FAMILY/scale.hpp"

namespace cupel::bench::FAMILY {
namespace {

// An array times a number. Memory bound: each element is read once and written once.
void scale(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(float));
  std::vector<float> in(static_cast<std::size_t>(count));
  verify::fill_uniform<float>(in, harness::input_seed(), -1, 1);
  const cuda::DeviceBuffer<float> device_in{std::span<const float>(in)};
  cuda::DeviceBuffer<float> device_out(in.size());

  const auto work = [&](cudaStream_t stream) {
    kernels::FAMILY::scale(device_in.data(), device_out.data(), count, 0.3f, stream);
  };
  timing::sample_device(state, {.bytes_read = bytes, .bytes_written = bytes, .flops = count}, work);

  std::vector<float> expected(in.size());
  kernels::FAMILY::reference::scale(in, expected, 0.3f);
  harness::require(device_out.to_host() == expected, "scale differs from its reference");
}

}  // namespace
}  // namespace cupel::bench::FAMILY

void register_benchmarks() {
  using cupel::harness::operator""_MiB;
  cupel::harness::add("FAMILY/scale", cupel::bench::FAMILY::scale)
      .sweep("bytes", {.quick = {16_MiB}, .standard = {1_MiB, 256_MiB}})
      .memory([](const std::vector<std::int64_t>& args) {
        return cupel::harness::Memory{.device_bytes = 2 * args[0], .host_bytes = 3 * args[0]};
      });
}
