// The cost of an event to the host: to record, to ask, to read the time between two, to make another stream wait for,
// and to learn from one that the work is done.
#include "bench/sync/topics.hpp"
#include "bench/sync/work.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::sync {
namespace {

void require_reached(cudaEvent_t event) {
  harness::require(cudaEventQuery(event) == cudaSuccess, "the stream is empty but its event is not reached");
}

// An event that the stream has passed.
void record_and_wait(const cuda::Event& event, const cuda::Stream& stream) {
  cuda::check(cudaEventRecord(event, stream));
  stream.synchronize();
}

void record_event(benchmark::State& state, unsigned flags) {
  const cuda::Stream stream;
  const cuda::Event event(flags);

  harness::sample_host(state, {.items = 1}, [&] { cuda::check(cudaEventRecord(event, stream)); },
                       {.after = drain(stream), .max_calls = kMaxInFlight});

  require_reached(event);
}

void query(benchmark::State& state) {
  const cuda::Stream stream;
  const cuda::Event event(cudaEventDisableTiming);
  record_and_wait(event, stream);

  harness::sample_host(state, {.items = 1}, [&] { cuda::check(cudaEventQuery(event)); });

  require_reached(event);
}

void elapsed(benchmark::State& state) {
  const cuda::Stream stream;
  const cuda::Event start, stop;
  record_and_wait(start, stream);
  record_and_wait(stop, stream);
  float elapsed_ms = -1;

  harness::sample_host(state, {.items = 1}, [&] { cuda::check(cudaEventElapsedTime(&elapsed_ms, start, stop)); });

  harness::require(elapsed_ms >= 0, "the later event is the earlier one");
}

// The event is passed already, which the driver may see: the cost of asking, not of waiting.
void stream_wait(benchmark::State& state) {
  const cuda::Stream recorded, waiting;
  const cuda::Event event(cudaEventDisableTiming);
  record_and_wait(event, recorded);

  harness::sample_host(state, {.items = 1}, [&] { cuda::check(cudaStreamWaitEvent(waiting, event, 0)); },
                       {.after = drain(waiting), .max_calls = kMaxInFlight});

  require_reached(event);
}

// A kernel that counts, an event behind it, and the host asks until the event is reached.
void complete(benchmark::State& state) {
  const cuda::Stream stream;
  const cuda::Event event(cudaEventDisableTiming);
  CountedWork work(4, stream);

  const auto call = [&] {
    work.launch();
    cuda::check(cudaEventRecord(event, stream));
    cudaError_t answer = cudaErrorNotReady;
    while ((answer = cudaEventQuery(event)) == cudaErrorNotReady) {
    }
    cuda::check(answer);
  };
  // "Not ready" is no failure, but the runtime keeps it as its last error, which the next launch would be blamed for.
  const auto forget_not_ready = [] { static_cast<void>(cudaGetLastError()); };
  harness::sample_host(state, {.items = 1}, call, {.after = forget_not_ready, .calls = 1});

  work.require_all_ran();
}

}  // namespace

void register_event() {
  using harness::add;
  using record::Role;
  add("sync/event/op:record", [](auto& s) {
    record_event(s, cudaEventDefault);
  }).advice("host-callbacks", Role::after, "enqueue");
  add("sync/event/op:record_untimed", [](auto& s) { record_event(s, cudaEventDisableTiming); })
      .from(harness::Profile::standard)
      .advice("host-callbacks", Role::variant, "enqueue", "record_untimed");
  add("sync/event/op:query", query);
  add("sync/event/op:elapsed", elapsed);
  add("sync/event/op:stream_wait", stream_wait).from(harness::Profile::standard);
  add("sync/event/op:complete", complete).advice("host-callbacks", Role::after, "complete");
}

}  // namespace cupel::bench::sync
