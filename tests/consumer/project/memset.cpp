// A family of somebody else's that needs a GPU.
#include <algorithm>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/sample_device.hpp"

namespace {

void set(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  cupel::cuda::DeviceBuffer<unsigned char> buffer(static_cast<std::size_t>(bytes));

  cupel::timing::sample_device(state, {.bytes_written = bytes}, [&](cudaStream_t stream) {
    cupel::cuda::check(cudaMemsetAsync(buffer.data(), 7, buffer.size(), stream));
  });

  const auto host = buffer.to_host();
  cupel::harness::require(std::ranges::all_of(host, [](unsigned char byte) { return byte == 7; }), "a byte is not 7");
}

}  // namespace

void register_benchmarks() { cupel::harness::add("memset/set", set).sweep("bytes", {.quick = {1 << 20}}); }
