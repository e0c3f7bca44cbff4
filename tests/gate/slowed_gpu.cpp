// A family of known slowness on the GPU: spin/slowed spins for as many more cycles of the SM's clock as the
// executable's name says, spin/steady never does.
#include "cupel/harness/registry.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/timing/test_kernels.hpp"
#include "tests/gate/slowness.hpp"

namespace {

// 10 and 100 us at 2 GHz.
const cupel::harness::Sweep kCycles{.quick = {20'000, 200'000}};

void spin(benchmark::State& state, std::int64_t cycles) {
  cupel::timing::sample_device(state, {.items = 1},
                               [cycles](cudaStream_t stream) { cupel::timing::test::launch_spin(cycles, stream); });
}

}  // namespace

void register_benchmarks() {
  cupel::harness::add("spin/slowed", [](benchmark::State& state) {
    spin(state, cupel::test::slowed(state.range(0)));
  }).sweep("cycles", kCycles);
  cupel::harness::add("spin/steady", [](benchmark::State& state) {
    spin(state, state.range(0));
  }).sweep("cycles", kCycles);
}
