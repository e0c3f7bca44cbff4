// A loop of steps, each a few small kernels: the host waits after every step, or once at the end.
#include "bench/sync/topics.hpp"
#include "bench/sync/wait.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

void every_step(benchmark::State& state, WaitCall how) {
  const std::int64_t kernels = state.range(0);
  const std::int64_t bytes = state.range(1);
  const cuda::Stream stream;
  const Waiter waiter(how, stream, cudaEventDefault);
  CountedWork work(bytes, stream);

  const auto call = [&] {
    for (std::int64_t step = 0; step < kSteps; ++step) {
      for (std::int64_t k = 0; k < kernels; ++k) work.launch();
      waiter.wait();
    }
  };
  harness::sample_host(state, counted_workload(kSteps * kernels, bytes), call, {.max_calls = 1});

  work.require_all_ran();
}

void at_end(benchmark::State& state) {
  const std::int64_t kernels = state.range(0);
  const std::int64_t bytes = state.range(1);
  const cuda::Stream stream;
  CountedWork work(bytes, stream);

  const auto call = [&] {
    for (std::int64_t step = 0; step < kSteps; ++step) {
      for (std::int64_t k = 0; k < kernels; ++k) work.launch();
    }
    stream.synchronize();
  };
  harness::sample_host(state, counted_workload(kSteps * kernels, bytes), call, {.max_calls = 1});

  work.require_all_ran();
}

}  // namespace

void register_step() {
  using harness::add;
  using record::Role;
  with_steps(add("sync/every_step/call:stream", [](auto& s) {
    every_step(s, WaitCall::stream);
  })).advice("avoid-sync", Role::before, "step");
  with_steps(add("sync/at_end", at_end)).advice("avoid-sync", Role::after, "step");
  with_steps(add("sync/every_step/call:device", [](auto& s) { every_step(s, WaitCall::device); }))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "step", "call:device");
  with_steps(add("sync/every_step/call:event", [](auto& s) { every_step(s, WaitCall::event); }))
      .from(harness::Profile::standard)
      .advice("avoid-sync", Role::variant, "step", "call:event");
}

}  // namespace cupel::bench::sync
