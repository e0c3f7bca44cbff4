// How long one load takes that waits for the one before, by how much memory the loads are spread over: the levels of
// the cache show as plateaus.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/memory/arrays.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/memory/chase.hpp"
#include "kernels/memory/memory.hpp"

namespace cupel::bench::memory {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;

constexpr std::int64_t kLine = 128;  // of a cache, so that each load is of another line
constexpr std::uint64_t kSeed = 1;   // the same walk in every run

// A launch empties L1: of a chain that L1 may hold, loading it anew is then at most some hundredths of the walk. Larger
// ones miss L1 anyway, and go on where the launch before stopped.
std::int64_t steps_for(std::int64_t bytes) { return bytes <= 256_KiB ? 65'536 : 4096; }

void latency(benchmark::State& state) {
  const std::int64_t bytes = state.range(0), nodes = bytes / kLine, steps = steps_for(bytes);
  char* memory = reinterpret_cast<char*>(device_memory(Slot::first, bytes));
  cuda::DeviceBuffer<std::uint64_t> position(1);
  const cuda::Stream stream;
  kernels::memory::make_chain(memory, nodes, kLine, kSeed, position.data(), stream);
  stream.synchronize();
  cuda::DeviceBuffer<std::uint32_t> ignored(1);
  std::int64_t walked = 0;

  // The walk goes on where the launch before stopped, and comes by every node of the chain in the end. What fits the L2
  // is brought there before each batch.
  timing::sample_device(state, {.items = steps},
                        [&](cudaStream_t s) {
                          kernels::memory::chase(position.data(), steps, s);
                          walked += steps;
                        },
                        {.cold = false, .before = [&](cudaStream_t s) {
                           kernels::memory::read(reinterpret_cast<const std::uint32_t*>(memory), bytes / 4,
                                                 ignored.data(), s);
                         }});

  const auto at = static_cast<std::int64_t>(position.to_host()[0] - reinterpret_cast<std::uint64_t>(memory)) / kLine;
  const auto expected = kernels::memory::node_after(kernels::memory::Permutation(nodes, kSeed), nodes, walked);
  harness::require(at == expected, "after " + std::to_string(walked) + " steps the walk is at node " +
                                       std::to_string(at) + ", not " + std::to_string(expected));
}

}  // namespace

void register_latency() {
  harness::add("memory/limits/latency", latency)
      .sweep("bytes", {.quick = {16_KiB, 4_MiB, 1_GiB},
                       .standard = {192_KiB, 32_MiB, 64_MiB, 256_MiB},
                       .full = harness::powers(4_KiB, 1_GiB, 2)})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = args[0]}; })
      .advice("device-limits", record::Role::variant, "latency", "pointer_chase");
}

}  // namespace cupel::bench::memory
