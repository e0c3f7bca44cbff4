// A host function in a stream (cudaLaunchHostFunc): what it costs to enqueue, and how long until the host has heard
// that the work before it is done. sync/event measures the same with an event.
#include <atomic>

#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

// Host functions run one after another on a thread of the driver and take far longer than an enqueue: few at a time.
constexpr std::int64_t kMaxHostFunctions = 32;

void count(void* calls) { static_cast<std::atomic<std::uint64_t>*>(calls)->fetch_add(1, std::memory_order_release); }

// Watches `ran`. A stream in error never runs its host functions, so now and then the stream is asked: seldom, because
// the question takes the lock that the driver's thread needs.
void wait_for(const std::atomic<std::uint64_t>& ran, std::uint64_t goal, cudaStream_t stream) {
  constexpr std::uint64_t kLooksPerQuestion = 1 << 16;
  for (std::uint64_t looks = 1; ran.load(std::memory_order_acquire) < goal; ++looks) {
    if (looks % kLooksPerQuestion != 0) continue;
    const cudaError_t answer = cudaStreamQuery(stream);
    if (answer != cudaErrorNotReady) cuda::check(answer);
    static_cast<void>(cudaGetLastError());  // "not ready" is no failure, but the runtime keeps it as its last error
  }
}

void enqueue(benchmark::State& state) {
  std::atomic<std::uint64_t> ran = 0;
  std::uint64_t enqueued = 0;
  const cuda::Stream stream;

  const auto call = [&] {
    cuda::check(cudaLaunchHostFunc(stream, count, &ran));
    ++enqueued;
  };
  harness::sample_host(state, {.items = 1}, call, {.after = drain(stream), .max_calls = kMaxHostFunctions});

  harness::require(ran == enqueued, std::to_string(enqueued) + " host functions were enqueued and " +
                                        std::to_string(ran.load()) + " ran");
}

// A kernel that counts, a host function behind it, and the host watches the number that the function raises.
void complete(benchmark::State& state) {
  std::atomic<std::uint64_t> ran = 0;
  std::uint64_t enqueued = 0;
  const cuda::Stream stream;
  CountedWork work(4, stream);

  const auto call = [&] {
    work.launch();
    cuda::check(cudaLaunchHostFunc(stream, count, &ran));
    ++enqueued;
    wait_for(ran, enqueued, stream);
  };
  harness::sample_host(state, {.items = 1}, call, {.calls = 1});

  work.require_all_ran();
}

}  // namespace

void register_host_function() {
  using harness::add;
  using record::Role;
  add("sync/host_function/op:enqueue", enqueue).advice("host-callbacks", Role::before, "enqueue");
  add("sync/host_function/op:complete", complete).advice("host-callbacks", Role::before, "complete");
}

}  // namespace cupel::bench::sync
