// Batches that are copied to the device and computed on: each copy before its own compute in one stream, or on a stream
// of its own, so that the next batch arrives while this one is computed.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using harness::add;
using harness::Body;
using harness::Profile;
using harness::Sweep;
using harness::operator""_MiB;
using record::Role;

constexpr int kBatches = 8;
constexpr int kSlots = 2;  // double-buffered

// `bytes` in kBatches batches: each copied into one of two slots, and computed from there into its place in `out`.
struct Batches {
  Batches(HostMemory kind, std::int64_t total, int steps_each)
      : bytes(total),
        batch_bytes(total / kBatches),
        steps(steps_each),
        host(host_memory(kind, Side::source, bytes)),
        slots(device_memory(Side::source, kSlots * batch_bytes)),
        out(device_memory(Side::destination, bytes)) {
    poison_device(slots, kSlots * batch_bytes);
    poison_device(out, bytes);
  }

  void copy(int batch, cudaStream_t stream) const {
    copy_async(slot(batch), host + batch * words(batch_bytes), batch_bytes, cudaMemcpyHostToDevice, stream);
  }
  void compute(int batch, cudaStream_t stream) const {
    kernels::transfer::advance_words(slot(batch), out + batch * words(batch_bytes), words(batch_bytes), steps, stream);
  }
  void require_out() const { require_on_device(out, bytes, advanced(source_pattern(), steps), "batches"); }

  std::uint32_t* slot(int batch) const { return slots + (batch % kSlots) * words(batch_bytes); }

  std::int64_t bytes;
  std::int64_t batch_bytes;
  int steps;
  const std::uint32_t* host;
  std::uint32_t* slots;
  std::uint32_t* out;
};

void one_after_the_other(const Batches& batches, cudaStream_t stream) {
  for (int batch = 0; batch < kBatches; ++batch) {
    batches.copy(batch, stream);
    batches.compute(batch, stream);
  }
}

// Copies on a stream beside the one that computes. Each waits for the other batch by batch, as such a program does; the
// last compute waits for the last copy, so that nothing is left to join.
class Overlapped {
 public:
  void enqueue(const Batches& batches, cudaStream_t stream) {
    for (int batch = 0; batch < kBatches; ++batch) {
      const auto slot = static_cast<std::size_t>(batch % kSlots);
      if (batch >= kSlots) cuda::check(cudaStreamWaitEvent(copies_, computed_[slot], 0));
      batches.copy(batch, copies_);
      cuda::check(cudaEventRecord(copied_[slot], copies_));
      cuda::check(cudaStreamWaitEvent(stream, copied_[slot], 0));
      batches.compute(batch, stream);
      cuda::check(cudaEventRecord(computed_[slot], stream));
    }
  }

 private:
  static cuda::Event untimed() { return cuda::Event(cudaEventDisableTiming); }

  cudaStream_t copies_ = timing::Rig::get().beside();
  std::array<cuda::Event, kSlots> copied_ = {untimed(), untimed()};
  std::array<cuda::Event, kSlots> computed_ = {untimed(), untimed()};
};

template <class Enqueue>
void run(State& state, HostMemory kind, int streams, Enqueue enqueue) {
  const Batches batches(kind, state.range(1), static_cast<int>(state.range(0)));
  const record::Workload work{.bytes_moved = batches.bytes, .items = words(batches.bytes) * batches.steps};

  if (kind == HostMemory::pageable) {
    sample_to_completion(state, kind, work, [&](cudaStream_t stream) { enqueue(batches, stream); });
  } else {
    timing::sample_device(state, work, [&](cudaStream_t stream) { enqueue(batches, stream); },
                          {.engine = timing::Engine::kernel, .hot = false, .host_too = true, .beside = streams == 2});
  }

  batches.require_out();
}

Body in_one_stream(HostMemory kind) {
  return [kind](State& state) { run(state, kind, 1, one_after_the_other); };
}

Body in_two_streams(HostMemory kind) {
  return [kind](State& state) {
    Overlapped overlapped;
    run(state, kind, 2, [&](const Batches& batches, cudaStream_t stream) { overlapped.enqueue(batches, stream); });
  };
}

// Multiply-adds for each word that arrives, each waiting for the one before. Computing a word takes as long as bringing
// it where steps = multiply-adds a second / words a second: on an H200 some 1200 (132 SMs x 64 x 1.98 GHz over 55e9 /
// 4). Below that the copy is the longer part, above it the compute; the gain is greatest where they are equal.
Sweep steps() { return {.quick = {1024}, .standard = {128, 8192}}; }
// 256 MiB take up to 40 ms a time and tell what 32 MiB tell: from pinned memory, by steps, gains of 1.12, 1.72 and 1.12
// against 1.22, 1.78 and 1.13 on an H200.
Sweep sizes() { return {.quick = {32_MiB}, .standard = {2_MiB}, .full = {256_MiB}}; }

}  // namespace

void register_overlap() {
  add("transfer/overlap/streams:one/memory:pageable", in_one_stream(HostMemory::pageable))
      .from(Profile::standard)
      .sweep("steps", steps())
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("non-blocking", Role::variant, "copy_then_compute", "pageable_one_stream");
  add("transfer/overlap/streams:two/memory:pageable", in_two_streams(HostMemory::pageable))
      .from(Profile::standard)
      .sweep("steps", steps())
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("non-blocking", Role::variant, "copy_then_compute", "pageable_two_streams");
  add("transfer/overlap/streams:one/memory:pinned", in_one_stream(HostMemory::pinned))
      .sweep("steps", steps())
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("non-blocking", Role::before, "copy_then_compute");
  add("transfer/overlap/streams:two/memory:pinned", in_two_streams(HostMemory::pinned))
      .sweep("steps", steps())
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("non-blocking", Role::after, "copy_then_compute");
}

}  // namespace cupel::bench::transfer
