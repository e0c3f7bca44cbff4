// One number of each step on the host: fetched in every step, as `.item()` does, or added up on the device and fetched
// once.
#include <span>
#include <string>
#include <vector>

#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

constexpr std::size_t kValueBytes = sizeof(std::uint32_t);

// The sum over the last call's steps of the number each step ends with: `last` after the last one, `kernels` less a
// step before. Wraps around, as the device's sum does.
std::uint32_t expected_total(std::uint32_t last, std::int64_t kernels) {
  std::uint32_t total = 0;
  for (std::int64_t back = 0; back < kSteps; ++back) total += last - static_cast<std::uint32_t>(back * kernels);
  return total;
}

void require_total(std::uint32_t total, const CountedWork& work, std::int64_t kernels) {
  const std::uint32_t expected = expected_total(work.expected(), kernels);
  harness::require(total == expected, "the steps' numbers add up to " + std::to_string(total) +
                                          " on the host, not to " + std::to_string(expected));
}

// `landing` is where the number lands in host memory.
void every_step(benchmark::State& state, std::uint32_t* landing) {
  const std::int64_t kernels = state.range(0);
  const std::int64_t bytes = state.range(1);
  const cuda::Stream stream;
  CountedWork work(bytes, stream);
  std::uint32_t total = 0;

  const auto call = [&] {
    total = 0;
    for (std::int64_t step = 0; step < kSteps; ++step) {
      for (std::int64_t k = 0; k < kernels; ++k) work.launch();
      cuda::check(cudaMemcpyAsync(landing, work.value(), kValueBytes, cudaMemcpyDeviceToHost, stream));
      stream.synchronize();
      total += *landing;
    }
  };
  harness::sample_host(state, counted_workload(kSteps * kernels, bytes), call, {.max_calls = 1});

  require_total(total, work, kernels);
  work.require_all_ran();
}

// The device's sum goes on from call to call, so that nothing but the adding is added.
void at_end(benchmark::State& state, std::uint32_t* landing) {
  const std::int64_t kernels = state.range(0);
  const std::int64_t bytes = state.range(1);
  const cuda::Stream stream;
  CountedWork work(bytes, stream);
  cuda::DeviceBuffer<std::uint32_t> sum(std::span<const std::uint32_t>(std::vector<std::uint32_t>{0}));
  std::uint32_t total = 0;
  std::uint32_t total_before = 0;

  const auto call = [&] {
    for (std::int64_t step = 0; step < kSteps; ++step) {
      for (std::int64_t k = 0; k < kernels; ++k) work.launch();
      kernels::sync::accumulate(work.value(), sum.data(), stream);
    }
    cuda::check(cudaMemcpyAsync(landing, sum.data(), kValueBytes, cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    total = *landing - total_before;
    total_before = *landing;
  };
  harness::sample_host(state, counted_workload(kSteps * kernels, bytes), call, {.max_calls = 1});

  require_total(total, work, kernels);
  work.require_all_ran();
}

using Readback = void (*)(benchmark::State& state, std::uint32_t* landing);

// Onto the stack, as `.item()` does.
harness::Body into_pageable(Readback readback) {
  return [readback](benchmark::State& state) {
    std::uint32_t landing = 0;
    readback(state, &landing);
  };
}

harness::Body into_pinned(Readback readback) {
  return [readback](benchmark::State& state) {
    cuda::PinnedBuffer<std::uint32_t> landing(1);
    readback(state, landing.data());
  };
}

}  // namespace

void register_readback() {
  using harness::add;
  using record::Role;
  const std::string pageable = "readback/memory:pageable", pinned = "readback/memory:pinned";
  with_steps(add("sync/readback/every_step/memory:pageable", into_pageable(every_step)))
      .advice("scalar-readback", Role::before, pageable);
  with_steps(add("sync/readback/at_end/memory:pageable", into_pageable(at_end)))
      .advice("scalar-readback", Role::after, pageable);
  with_steps(add("sync/readback/every_step/memory:pinned", into_pinned(every_step)))
      .from(harness::Profile::standard)
      .advice("scalar-readback", Role::before, pinned);
  with_steps(add("sync/readback/at_end/memory:pinned", into_pinned(at_end)))
      .from(harness::Profile::standard)
      .advice("scalar-readback", Role::after, pinned);
}

}  // namespace cupel::bench::sync
