// The cost of one kernel launch to the host, by the size of the kernel's argument, and to the device when the kernel is
// empty.
#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::sync {
namespace {

// One launch into an empty queue; the kernel itself is one thread that counts.
void launch(benchmark::State& state) {
  const std::int64_t argument_bytes = state.range(0);
  const cuda::Stream stream;
  std::uint64_t launched = 0;
  kernels::sync::take_arrivals();

  const auto call = [&] {
    kernels::sync::launch_with_arguments(argument_bytes, stream);
    ++launched;
  };
  harness::sample_host(state, {.items = 1}, call, {.after = drain(stream), .max_calls = kMaxInFlight});

  const std::uint64_t arrived = kernels::sync::take_arrivals();
  harness::require(arrived == launched, std::to_string(launched) + " launches gave " + std::to_string(arrived) +
                                            " arrivals with a whole argument");
}

// The shortest time there is on the device: what is near it cannot be told from measuring.
void empty_kernel(benchmark::State& state) {
  const std::int64_t argument_bytes = 0;
  std::uint64_t launched = 0;
  kernels::sync::take_arrivals();

  timing::sample_device(state, {.items = 1}, [&](cudaStream_t stream) {
    kernels::sync::launch_with_arguments(argument_bytes, stream);
    ++launched;
  });

  const std::uint64_t arrived = kernels::sync::take_arrivals();
  harness::require(arrived == launched,
                   std::to_string(launched) + " launches gave " + std::to_string(arrived) + " arrivals");
}

}  // namespace

void register_launch() {
  harness::add("sync/empty_kernel", empty_kernel);
  harness::add("sync/launch", launch).sweep("argument_bytes", {.quick = {0, 4096}, .standard = {64, 256, 1024, 2048}});
}

}  // namespace cupel::bench::sync
