// A loop of steps, each a few small kernels: the host waits after every step, or once at the end. With and without work
// of the host between launches, as an interpreter has: what the device can hide behind, unless it is waited for.
#include <chrono>
#include <cstdint>
#include <optional>

#include "bench/sync/topics.hpp"
#include "bench/sync/wait.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

// Keeps the host busy for so long.
void work_on_host(std::chrono::nanoseconds length) {
  const auto end = std::chrono::steady_clock::now() + length;
  while (std::chrono::steady_clock::now() < end) {
  }
}

// The host's time for an operation of PyTorch before its kernel is launched, in eager mode; some take twice as long.
constexpr std::chrono::microseconds kPerOperation{5};

// Steps of kernels; after each of them, or after all where there is none, the host waits.
void steps(benchmark::State& state, std::optional<WaitCall> after_each, std::chrono::nanoseconds host_work = {}) {
  const std::int64_t kernels = state.range(0);
  const std::int64_t bytes = state.range(1);
  const cuda::Stream stream;
  const Waiter waiter(after_each.value_or(WaitCall::stream), stream, cudaEventDefault);
  CountedWork work(bytes, stream);

  const auto call = [&] {
    for (std::int64_t step = 0; step < kSteps; ++step) {
      for (std::int64_t k = 0; k < kernels; ++k) {
        work_on_host(host_work);
        work.launch();
      }
      if (after_each) waiter.wait();
    }
    if (!after_each) waiter.wait();
  };
  harness::sample_host(state, counted_workload(kSteps * kernels, bytes), call, {.max_calls = 1});

  work.require_all_ran();
}

void every_step(benchmark::State& state, WaitCall how, std::chrono::nanoseconds host_work = {}) {
  steps(state, how, host_work);
}

void at_end(benchmark::State& state, std::chrono::nanoseconds host_work = {}) { steps(state, std::nullopt, host_work); }

}  // namespace

void register_step() {
  using harness::add;
  using record::Role;
  with_steps(add("sync/every_step/call:stream", [](auto& s) {
    every_step(s, WaitCall::stream);
  })).advice("avoid-sync", Role::before, "step");
  with_steps(add("sync/at_end", [](auto& s) { at_end(s); })).advice("avoid-sync", Role::after, "step");
  with_steps(add("sync/every_step/call:stream/host_us:5", [](auto& s) {
    every_step(s, WaitCall::stream, kPerOperation);
  })).advice("avoid-sync", Role::before, "step/host_us:5");
  with_steps(add("sync/at_end/host_us:5", [](auto& s) {
    at_end(s, kPerOperation);
  })).advice("avoid-sync", Role::after, "step/host_us:5");
  with_steps(add("sync/every_step/call:device", [](auto& s) { every_step(s, WaitCall::device); }))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "step", "call:device");
  with_steps(add("sync/every_step/call:event", [](auto& s) { every_step(s, WaitCall::event); }))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "step", "call:event");
}

}  // namespace cupel::bench::sync
