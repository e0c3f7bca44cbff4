// A step of training as its input sees it: a batch comes to the device, and work of a set length waits for it.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/transfer/pinning_thread.hpp"

namespace cupel::bench::pipeline {

enum class StageMemory {
  pageable,             ///< copied from where it lies
  copied_to_pinned,     ///< copied by the thread that launches to a pinned buffer first
  copied_by_thread,     ///< the same by a thread of its own, a batch ahead; it stays as it is until finish()
  decoded_into_pinned,  ///< it lies in pinned memory already, and stays as it is until finish()
};

enum class CopyWay {
  blocking,     ///< on the stream of the work, and the host waits for it
  same_stream,  ///< on the stream of the work
  own_stream,   ///< on a stream of its own, double-buffered: beside the work on the batch before
};

const char* to_string(StageMemory memory);
const char* to_string(CopyWay copy);

class GpuConsumer {
 public:
  /// batch_bytes: of the largest batch; compute_ns: that the device works on each; copy_times: each is copied so often,
  /// as by a slow link. Throws CudaError, OutOfMemory.
  GpuConsumer(StageMemory memory, CopyWay copy, std::size_t batch_bytes, std::int64_t compute_ns, int copy_times = 1);

  /// Enqueues the copy of a batch and the work on it, of copied_by_thread those of the batch before; returns once the
  /// batch may be overwritten, but for what stays until finish(). Throws CudaError.
  void take(std::span<const std::byte> batch);

  /// Waits for all of it.
  void finish();

  /// Whether the device holds this as the last batch; after finish().
  bool last_is(std::span<const std::byte> batch) const { return is_there(1, batch); }
  bool last_but_one_is(std::span<const std::byte> batch) const { return is_there(2, batch); }

  std::size_t pinned_bytes() const;

 private:
  static constexpr std::size_t kSlots = 2;
  struct Slot {
    cuda::DeviceBuffer<std::byte> device;
    cuda::PinnedBuffer<std::byte> pinned;
    cuda::Event copied{cudaEventDisableTiming}, computed{cudaEventDisableTiming};
  };

  bool is_there(std::size_t back, std::span<const std::byte> batch) const;
  void have_pinned(std::span<const std::byte> batch);
  void work_on_pinned();
  void enqueue(Slot& slot, std::span<const std::byte> batch);
  void copy_to(Slot& slot, std::span<const std::byte> batch);

  StageMemory memory_;
  CopyWay copy_;
  std::int64_t compute_ns_;
  int copy_times_;
  std::array<Slot, kSlots> slots_;
  std::size_t batches_ = 0;
  std::optional<kernels::transfer::PinningThread> pinning_;
  std::size_t pinned_batch_bytes_ = 0;  // of the batch that the thread has; 0: it has none
  cuda::DeviceBuffer<std::uint32_t> steps_;
  cuda::Stream compute_stream_, copy_stream_;
};

/// Batches in host memory, one behind another: as many as the consumer will find there, since one that was copied just
/// before lies in the processor's cache, and comes to the device from there in two thirds of the time.
struct Batches {
  std::size_t count = 1;
  std::size_t bytes_each = 0;

  auto operator<=>(const Batches&) const = default;
};

/// Seconds that a batch takes to come to the device in this way, without work there: the least of some passes.
double copy_alone_s(const StageMemory& memory, const CopyWay& copy, const Batches& batches, const int& copy_times);

}  // namespace cupel::bench::pipeline
