// The cost of an NVTX range around a launch when no tool listens.
#include <nvtx3/nvToolsExt.h>

#include <cstdlib>

#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

// NVTX looks at these once, at the first call, and loads the tool that they name.
void skip_if_a_tool_listens() {
  for (const char* variable : {"NVTX_INJECTION64_PATH", "NVTX_INJECTION32_PATH"}) {
    if (std::getenv(variable) != nullptr) {
      harness::skip(std::string("a tool listens to NVTX (") + variable +
                    " is set); the cost without a tool is measured");
    }
  }
}

// `call` launches `launches` kernels of one thread without arguments.
void measure(benchmark::State& state, std::uint64_t launches, const std::function<void(cudaStream_t)>& call) {
  skip_if_a_tool_listens();
  const cuda::Stream stream;
  std::uint64_t launched = 0;
  kernels::sync::take_arrivals();

  const auto counted = [&] {
    call(stream);
    launched += launches;
  };
  harness::sample_host(state, {.items = 1}, counted, {.after = drain(stream), .max_calls = kMaxInFlight});

  const std::uint64_t arrived = kernels::sync::take_arrivals();
  harness::require(arrived == launched,
                   std::to_string(launched) + " launches gave " + std::to_string(arrived) + " arrivals");
}

void launch_alone(benchmark::State& state) {
  measure(state, 1, [](cudaStream_t stream) { kernels::sync::launch_with_arguments(0, stream); });
}

void launch_in_range(benchmark::State& state) {
  measure(state, 1, [](cudaStream_t stream) {
    nvtxRangePushA("launch");
    kernels::sync::launch_with_arguments(0, stream);
    nvtxRangePop();
  });
}

void range_alone(benchmark::State& state) {
  measure(state, 0, [](cudaStream_t) {
    nvtxRangePushA("nothing");
    nvtxRangePop();
  });
}

}  // namespace

void register_nvtx() {
  using harness::add;
  using record::Role;
  add("sync/nvtx/range:none", launch_alone).advice("nvtx-cost", Role::before, "launch");
  add("sync/nvtx/range:push_pop", launch_in_range).advice("nvtx-cost", Role::after, "launch");
  add("sync/nvtx/range:without_launch", range_alone).from(harness::Profile::standard);
}

}  // namespace cupel::bench::sync
