// A family of three rows, one of which writes to address 0: the device is lost to its process.
#include <benchmark/benchmark.h>

#include "cupel/harness/registry.hpp"
#include "cupel/timing/sample_device.hpp"
#include "cupel/timing/test_kernels.hpp"

using namespace cupel;

namespace {

void spin(benchmark::State& state) {
  constexpr long long kCycles = 20'000;
  timing::sample_device(state, {}, [](cudaStream_t stream) { timing::test::launch_spin(kCycles, stream); });
}

void fault(benchmark::State& state) { timing::sample_device(state, {}, timing::test::launch_fault); }

}  // namespace

void register_benchmarks() {
  harness::add("faulting/a_spin", spin);
  harness::add("faulting/fault", fault);
  harness::add("faulting/z_spin", spin);
}
