// Batches of raw images from host memory to the device, beside work of a set length: what lies between a loader and a
// training step.
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "bench/pipeline/epoch_costs.hpp"
#include "bench/pipeline/gpu_consumer.hpp"
#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"
#include "bench/pipeline/waits_of_gpu.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

constexpr std::int64_t kImages = 64;
constexpr std::int64_t kBatchBytes = kImages * 224 * 224 * 3;
constexpr std::int64_t kBatches = 8;

// Batches as a loader left them, pinned or not.
class Source {
 public:
  Source(bool is_pinned, std::uint64_t seed) {
    constexpr auto kAll = static_cast<std::size_t>(kBatches * kBatchBytes);
    if (is_pinned) {
      pinned_ = cuda::PinnedBuffer<std::byte>(kAll);
      bytes_ = {pinned_.data(), kAll};
    } else {
      pageable_.resize(kAll);
      bytes_ = pageable_;
    }
    verify::fill_bits({reinterpret_cast<std::uint64_t*>(bytes_.data()), kAll / sizeof(std::uint64_t)}, seed);
  }
  std::span<const std::byte> batch(std::int64_t number) const {
    return bytes_.subspan(static_cast<std::size_t>(number * kBatchBytes), static_cast<std::size_t>(kBatchBytes));
  }
  std::size_t pinned_bytes() const { return pinned_.size_bytes(); }

 private:
  std::vector<std::byte> pageable_;
  cuda::PinnedBuffer<std::byte> pinned_;
  std::span<std::byte> bytes_;
};

Source source_in(bool is_pinned, std::uint64_t seed) { return Source(is_pinned, seed); }

void stage(benchmark::State& state, StageMemory memory, CopyWay copy) {
  const std::int64_t compute_us = state.range(0);
  const Source& source =
      harness::memoized<source_in>(memory == StageMemory::decoded_into_pinned, harness::options().seed);
  GpuConsumer consumer(memory, copy, static_cast<std::size_t>(kBatchBytes), compute_us * 1000);
  WaitsOfGpu waits;

  const auto steps = [&] {
    for (std::int64_t b = 0; b < kBatches; ++b) consumer.take(source.batch(b));
    consumer.finish();
  };
  const double worked_s = static_cast<double>(kBatches * compute_us) * 1e-6;
  HostCpu cpu;
  const auto call = [&] {
    waits.account(worked_s, steps);
    cpu.took(kBatches * kImages);
  };
  harness::sample_host(state, {.bytes_moved = kBatches * kBatchBytes, .items = kBatches * kImages}, call,
                       cpu.counting({.calls = 1}));

  harness::require(consumer.last_is(source.batch(kBatches - 1)) && consumer.last_but_one_is(source.batch(kBatches - 2)),
                   "the last two batches on the device differ from their sources");
  waits.tell();
  cpu.tell();
  tell_pinned(source.pinned_bytes() + consumer.pinned_bytes());
  if (harness::options().once) return;
  const int once = 1;
  const Batches batches = {.count = static_cast<std::size_t>(kBatches),
                           .bytes_each = static_cast<std::size_t>(kBatchBytes)};
  StageTimes times;
  times[static_cast<std::size_t>(Stage::copy)].wall_s =
      harness::memoized<copy_alone_s>(memory, copy, batches, once) / kImages;
  times[static_cast<std::size_t>(Stage::consume)].wall_s = static_cast<double>(compute_us) * 1e-6 / kImages;
  tell_what_binds({.format = Format::raw, .batch = kImages}, times, {},
                  copy == CopyWay::own_stream ? Copies::beside_work : Copies::between_work);
}

}  // namespace

void register_stage() {
  for (const StageMemory memory : {StageMemory::pageable, StageMemory::copied_to_pinned, StageMemory::copied_by_thread,
                                   StageMemory::decoded_into_pinned}) {
    for (const CopyWay copy : {CopyWay::blocking, CopyWay::same_stream, CopyWay::own_stream}) {
      const bool is_plain = memory == StageMemory::pageable && copy == CopyWay::blocking;
      // As a loader with workers has it: a thread of its own copies batches into pinned memory.
      const bool is_tuned = memory == StageMemory::copied_by_thread && copy == CopyWay::own_stream;
      const std::string way = std::string("memory:") + to_string(memory) + "/copy:" + to_string(copy);
      const std::string variant = std::string(to_string(memory)) + "_" + to_string(copy);
      const bool is_pair = is_plain || is_tuned;
      harness::Definition& added =
          harness::add("pipeline/stage/" + way, [=](benchmark::State& state) { stage(state, memory, copy); });
      const bool is_there = memory == StageMemory::decoded_into_pinned && copy != CopyWay::same_stream;
      const std::vector<std::int64_t> around = {200, 5000};
      added
          .sweep("compute_us", is_pair || is_there ? harness::Sweep{.quick = {1000}, .standard = around}
                                                   : harness::Sweep{.quick = {1000}, .full = around})
          .advice("non-blocking",
                  is_plain   ? Role::before
                  : is_tuned ? Role::after
                             : Role::variant,
                  "loader/stage", is_pair ? "" : variant)
          .memory([](const auto&) {
            return harness::Memory{.device_bytes = 2 * kBatchBytes, .host_bytes = (2 * kBatches + 2) * kBatchBytes};
          });
      // By memory alone, with a wait for each copy. The launching thread's own copy, as without workers, and batches
      // that are made in pinned memory are variants.
      const bool is_pinned = memory == StageMemory::copied_by_thread && copy == CopyWay::blocking;
      if (copy == CopyWay::blocking) {
        added.advice("pin-memory",
                     is_plain    ? Role::before
                     : is_pinned ? Role::after
                                 : Role::variant,
                     "loader/stage", is_plain || is_pinned ? "" : to_string(memory));
      }
      // A step that copies each batch from pageable memory and waits for it, against one whose batches are there.
      const bool is_ready = memory == StageMemory::decoded_into_pinned && copy == CopyWay::own_stream;
      if (is_plain || is_ready) added.advice("pipeline-stall", is_plain ? Role::before : Role::after, "stage");
      if (!is_pair && !is_pinned && !is_ready) added.from(harness::Profile::standard);
    }
  }
}

}  // namespace cupel::bench::pipeline
