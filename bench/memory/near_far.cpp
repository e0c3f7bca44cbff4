// How long a load waits for an L2 in two halves, by where its line is: in the near half, or in the far one and, as yet,
// in no copy near.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "bench/memory/halves.hpp"
#include "bench/memory/topics.hpp"
#include "bench/memory/walk.hpp"
#include "bench/memory/walker.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/memory/homes.hpp"

namespace cupel::bench::memory {
namespace {

enum class Placement { near, far };

constexpr std::int64_t kSteps = 4096;

// Before each batch all lines are brought to their homes, from the other side: then each is loaded for the first time.
// A second load would find near what the first has brought there.
void latency(benchmark::State& state, Placement placement) {
  const Halves& halves = harness::memoized<find_halves>();
  const std::vector<std::int32_t>& lines = placement == Placement::near ? halves.near : halves.far;
  const auto count = static_cast<std::int64_t>(lines.size());
  Walker walker(halves.memory->data(), lines);
  std::int64_t walked = 0;  // since the lines were brought home

  timing::sample_device(state, {.items = kSteps},
                        [&](cudaStream_t stream) {
                          walked += kSteps;
                          if (walked > count) harness::skip("a batch has more loads than there are lines to load");
                          walker.walk(kSteps, stream);
                        },
                        {.cold = false, .before = [&](cudaStream_t stream) {
                           walker.bring_home(halves.other, stream);
                           walked = 0;
                         }});

  walker.require_arrived();
}

}  // namespace

void register_near_far() {
  const auto add = [](const char* name, Placement placement, const char* variant) {
    harness::add(name, [placement](benchmark::State& state) {
      latency(state, placement);
    }).advice("device-limits", record::Role::variant, "l2_latency", variant);
  };
  add("memory/l2/latency/placement:near", Placement::near, "near");
  add("memory/l2/latency/placement:far", Placement::far, "far");
}

}  // namespace cupel::bench::memory
