// How long one load takes that waits for the one before, by how much memory the loads are spread over: the levels of
// the cache show as plateaus.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "bench/memory/arrays.hpp"
#include "bench/memory/topics.hpp"
#include "bench/memory/walk.hpp"
#include "bench/memory/walker.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::bench::memory {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;

// The walker itself has filled the cache, in the laps before: two launches at least come before the first that is
// kept.
void chase(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Walk walk = walk_around(bytes, timing::this_device().l2_bytes);
  Walker walker(reinterpret_cast<char*>(device_memory(Slot::first, bytes)), bytes / kLine);

  timing::sample_device(state, {.items = walk.steps}, [&](cudaStream_t stream) { walker.walk(walk.steps, stream); },
                        {.cold = walk.cold, .hot = !walk.cold});

  walker.require_arrived();
}

}  // namespace

void register_chase() {
  harness::add("memory/limits/chase", chase)
      .sweep("bytes", {.quick = {16_KiB, 4_MiB, 1_GiB},
                       .standard = {192_KiB, 32_MiB, 64_MiB, 256_MiB},
                       .full = harness::powers(4_KiB, 1_GiB, 2)})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = args[0]}; })
      .advice("device-limits", record::Role::variant, "latency", "pointer_chase");
}

}  // namespace cupel::bench::memory
