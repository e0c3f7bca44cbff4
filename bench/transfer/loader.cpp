// A data loader's work on a batch before the device computes on it: it gathers it from the data set, brings it to the
// device from pageable or from pinned memory, waits for the copy or goes on. Pinning and not waiting are told as one
// piece of advice, so here they are one step of a loop, with all copies on the host that they take, by the thread that
// launches or by one of their own.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/timing/rig.hpp"
#include "kernels/sync/launches.hpp"
#include "kernels/transfer/pinning_thread.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using harness::add;
using harness::Profile;
using harness::Sweep;
using harness::operator""_MiB;
using record::Role;

enum class Staging {
  pageable,          // copied from where it was gathered; the host waits for the copy
  pinned_each_time,  // copied into memory that is pinned for it, and given back when the device has it
  pinned,            // copied into pinned memory that is kept; the host goes on
  pinned_by_thread   // the same by a thread of its own, as DataLoader's, while the host gathers the next batch
};

// The stream of copies from pinned memory: the computing one, or one of their own beside it.
enum class Stream { computing, own };

struct Way {
  Staging staging;
  Stream stream = Stream::computing;
};

constexpr int kBatches = 8;
constexpr int kSlots = 2;  // double-buffered, on the host and on the device

class Loader {
 public:
  // compute_ns: how long the device computes on a batch.
  Loader(const Way& way, std::int64_t bytes, std::int64_t compute_ns)
      : staging_(way.staging),
        has_own_stream_(way.stream == Stream::own),
        batch_bytes_(bytes / kBatches),
        compute_ns_(compute_ns),
        data_set_(host_memory(HostMemory::pageable, Side::source, bytes)),
        gathered_(host_memory(HostMemory::pageable, Side::destination, kSlots * batch_bytes_)),
        pinned_(host_memory(HostMemory::pinned, Side::destination, kSlots * batch_bytes_)),
        slots_(device_memory(Side::source, kSlots * batch_bytes_)),
        out_(device_memory(Side::destination, bytes)) {
    poison_device(slots_, kSlots * batch_bytes_);
    poison_device(out_, bytes);
    if (staging_ == Staging::pinned_by_thread) pinning_.emplace();
  }

  // All batches. The stream has the last result when it has run dry.
  void run(cudaStream_t stream) {
    for (int batch = 0; batch < kBatches; ++batch) {
      gather(batch);
      if (pinning_) {
        work_on_pinned(batch - 1, stream);
        pinning_->start(bytes_of(gathered(batch)), reinterpret_cast<std::byte*>(pinned(batch)),
                        copied_[slot_of(batch)]);
      } else {
        bring(batch, stream);
        compute(batch, stream);
      }
    }
    if (pinning_) work_on_pinned(kBatches - 1, stream);
  }

  void require_out() const {
    require_on_device(out_, kBatches * batch_bytes_, advanced(source_pattern(), 1), "batches of a loader");
  }

 private:
  static cuda::Event untimed() { return cuda::Event(cudaEventDisableTiming); }
  static std::size_t slot_of(int batch) { return static_cast<std::size_t>(batch % kSlots); }
  std::int64_t place_of(int batch) const { return (batch % kSlots) * words(batch_bytes_); }
  std::uint32_t* gathered(int batch) const { return gathered_ + place_of(batch); }
  std::uint32_t* pinned(int batch) const { return pinned_ + place_of(batch); }
  std::uint32_t* device_slot(int batch) const { return slots_ + place_of(batch); }
  std::span<const std::byte> bytes_of(const std::uint32_t* batch) const {
    return std::as_bytes(std::span(batch, static_cast<std::size_t>(words(batch_bytes_))));
  }

  // As collating does it: sample by sample from where they were read to.
  void gather(int batch) {
    constexpr std::int64_t kSamples = 64;
    const std::int64_t each = batch_bytes_ / kSamples;
    const std::uint32_t* from = data_set_ + batch * words(batch_bytes_);
    for (std::int64_t i = 0; i < kSamples; ++i) {
      copy_on_host(gathered(batch) + words(i * each), from + words(i * each), each);
    }
  }

  void bring(int batch, cudaStream_t stream) {
    if (staging_ == Staging::pageable) {
      copy_async(device_slot(batch), gathered(batch), batch_bytes_, cudaMemcpyHostToDevice, stream);
      cuda::check(cudaStreamSynchronize(stream));
      return;
    }
    const std::size_t slot = slot_of(batch);
    if (batch >= kSlots) cuda::check(cudaEventSynchronize(copied_[slot]));  // the slot may be written again
    std::uint32_t* staged = pinned(batch);
    if (staging_ == Staging::pinned_each_time) {
      pinned_now_[slot] = allocate_host(HostMemory::pinned, batch_bytes_);
      staged = pinned_now_[slot].get();
    }
    copy_on_host(staged, gathered(batch), batch_bytes_);
    send(batch, staged, stream);
  }

  // The batch that the thread has copied; before the first one there is none.
  void work_on_pinned(int batch, cudaStream_t stream) {
    if (batch < 0) return;
    pinning_->wait();
    send(batch, pinned(batch), stream);
    compute(batch, stream);
  }

  void send(int batch, const std::uint32_t* staged, cudaStream_t stream) {
    const std::size_t slot = slot_of(batch);
    const cudaStream_t copies = has_own_stream_ ? timing::Rig::get().beside() : stream;
    if (has_own_stream_ && batch >= kSlots) cuda::check(cudaStreamWaitEvent(copies, computed_[slot], 0));
    copy_async(device_slot(batch), staged, batch_bytes_, cudaMemcpyHostToDevice, copies);
    cuda::check(cudaEventRecord(copied_[slot], copies));
    if (has_own_stream_) cuda::check(cudaStreamWaitEvent(stream, copied_[slot], 0));
  }

  void compute(int batch, cudaStream_t stream) {
    if (compute_ns_ > 0) kernels::sync::spin(compute_ns_, spins_.data(), stream);
    kernels::transfer::advance_words(device_slot(batch), out_ + batch * words(batch_bytes_), words(batch_bytes_), 1,
                                     stream);
    cuda::check(cudaEventRecord(computed_[slot_of(batch)], stream));
  }

  static void copy_on_host(std::uint32_t* to, const std::uint32_t* from, std::int64_t bytes) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }

  Staging staging_;
  bool has_own_stream_;
  std::int64_t batch_bytes_;
  std::int64_t compute_ns_;
  const std::uint32_t* data_set_;
  std::uint32_t* gathered_;
  std::uint32_t* pinned_;
  std::uint32_t* slots_;
  std::uint32_t* out_;
  cuda::DeviceBuffer<std::uint32_t> spins_{1};
  std::array<HostBlock, kSlots> pinned_now_ = {HostBlock(nullptr, [](std::uint32_t*) {}),
                                               HostBlock(nullptr, [](std::uint32_t*) {})};
  std::array<cuda::Event, kSlots> copied_ = {untimed(), untimed()};
  std::array<cuda::Event, kSlots> computed_ = {untimed(), untimed()};
  std::optional<kernels::transfer::PinningThread> pinning_;  // last: it ends before what it uses
};

// The host's time for a batch from pageable memory, with a wait for its copy, where nothing is computed on it.
std::int64_t loading_ns(const std::int64_t& bytes) {
  constexpr int kRuns = 4;
  Loader loader({Staging::pageable}, bytes, 0);
  const cudaStream_t stream = timing::Rig::get().stream();
  double least_s = INFINITY;
  for (int i = 0; i < kRuns; ++i) {
    const auto start = harness::Clock::now();
    loader.run(stream);
    least_s = std::min(least_s, harness::seconds_since(start));
  }
  cuda::check(cudaStreamSynchronize(stream));
  return static_cast<std::int64_t>(least_s / kBatches * 1e9);
}

void load(State& state, const Way& way, double compute_share) {
  const std::int64_t bytes = state.range(0);
  const auto loading = static_cast<double>(harness::memoized<loading_ns>(bytes));
  Loader loader(way, bytes, static_cast<std::int64_t>(compute_share * loading));

  sample_to_completion(state, way.staging == Staging::pageable ? HostMemory::pageable : HostMemory::pinned,
                       {.bytes_moved = bytes}, [&](cudaStream_t stream) { loader.run(stream); });

  loader.require_out();
}

harness::Definition& define(const std::string& name, const Way& way, double compute_share, Profile smallest) {
  return add(name, [=](State& state) { load(state, way, compute_share); })
      .from(smallest)
      .sweep("bytes", {.quick = {64_MiB}, .full = {8_MiB, 256_MiB}})
      .memory(per_byte(2, 3));
}

// The length of computing decides what can be hidden: a fifth of what loading takes (short), as long (equal), five
// times as long. As a loader with workers has it, a thread of its own copies into pinned memory: the launching thread's
// copy, as without workers, is a variant.
void register_share(const std::string& compute, double share, Profile smallest) {
  const std::string where = "loader/compute:" + compute, name = "transfer/" + where;
  define(name + "/staging:pageable", {Staging::pageable}, share, smallest)
      .advice("pin-memory", Role::before, where)
      .advice("non-blocking", Role::before, where);
  define(name + "/staging:pinned_by_thread", {Staging::pinned_by_thread}, share, smallest)
      .advice("pin-memory", Role::after, where)
      .advice("non-blocking", Role::after, where, "same_stream");
  define(name + "/staging:pinned_by_thread/stream:own", {Staging::pinned_by_thread, Stream::own}, share, smallest)
      .advice("pin-memory", Role::variant, where, "own_stream")
      .advice("non-blocking", Role::after, where, "own_stream");
  define(name + "/staging:pinned", {Staging::pinned}, share, smallest)
      .advice("pin-memory", Role::variant, where, "by_launching_thread")
      .advice("non-blocking", Role::variant, where, "by_launching_thread_same_stream");
  define(name + "/staging:pinned/stream:own", {Staging::pinned, Stream::own}, share, smallest)
      .advice("pin-memory", Role::variant, where, "by_launching_thread_own_stream")
      .advice("non-blocking", Role::variant, where, "by_launching_thread_own_stream");
  define(name + "/staging:pinned_each_time", {Staging::pinned_each_time}, share, Profile::standard)
      .advice("pin-memory", Role::variant, where, "pinned_each_time");
}

}  // namespace

void register_loader() {
  register_share("short", 0.2, Profile::standard);
  register_share("equal", 1, Profile::quick);
  register_share("long", 5, Profile::standard);
}

}  // namespace cupel::bench::transfer
