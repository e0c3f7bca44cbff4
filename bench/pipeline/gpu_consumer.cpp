#include "bench/pipeline/gpu_consumer.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "cupel/harness/clock.hpp"
#include "kernels/sync/launches.hpp"

namespace cupel::bench::pipeline {

using cuda::check;

const char* to_string(StageMemory memory) {
  switch (memory) {
    case StageMemory::pageable:
      return "pageable";
    case StageMemory::copied_to_pinned:
      return "copied_to_pinned";
    case StageMemory::copied_by_thread:
      return "copied_by_thread";
    case StageMemory::decoded_into_pinned:
      break;
  }
  return "decoded_into_pinned";
}

const char* to_string(CopyWay copy) {
  switch (copy) {
    case CopyWay::blocking:
      return "blocking";
    case CopyWay::same_stream:
      return "same_stream";
    case CopyWay::own_stream:
      break;
  }
  return "own_stream";
}

GpuConsumer::GpuConsumer(StageMemory memory, CopyWay copy, std::size_t batch_bytes, std::int64_t compute_ns,
                         int copy_times)
    : memory_(memory), copy_(copy), compute_ns_(compute_ns), copy_times_(copy_times), steps_(1) {
  const bool is_pinned_here = memory == StageMemory::copied_to_pinned || memory == StageMemory::copied_by_thread;
  if (memory == StageMemory::copied_by_thread) pinning_.emplace();
  for (Slot& slot : slots_) {
    slot.device = cuda::DeviceBuffer<std::byte>(batch_bytes);
    if (is_pinned_here) slot.pinned = cuda::PinnedBuffer<std::byte>(batch_bytes);
  }
}

void GpuConsumer::take(std::span<const std::byte> batch) {
  if (pinning_) return have_pinned(batch);
  Slot& slot = slots_[batches_++ % kSlots];
  if (memory_ == StageMemory::copied_to_pinned) {
    check(cudaEventSynchronize(slot.copied));  // the pinned buffer's last batch has gone
    std::memcpy(slot.pinned.data(), batch.data(), batch.size());
    batch = {slot.pinned.data(), batch.size()};
  }
  enqueue(slot, batch);
}

// The thread copies this batch while the one before goes to the device.
void GpuConsumer::have_pinned(std::span<const std::byte> batch) {
  const std::size_t before_bytes = pinned_batch_bytes_;
  if (before_bytes > 0) pinning_->wait();
  Slot& slot = slots_[batches_++ % kSlots];
  pinning_->start(batch, slot.pinned.data(), slot.copied);
  pinned_batch_bytes_ = batch.size();
  Slot& before = slots_[batches_ % kSlots];
  if (before_bytes > 0) enqueue(before, {before.pinned.data(), before_bytes});
}

// The last one.
void GpuConsumer::work_on_pinned() {
  if (pinned_batch_bytes_ == 0) return;
  pinning_->wait();
  Slot& slot = slots_[(batches_ - 1) % kSlots];
  enqueue(slot, {slot.pinned.data(), std::exchange(pinned_batch_bytes_, 0)});
}

void GpuConsumer::enqueue(Slot& slot, std::span<const std::byte> batch) {
  copy_to(slot, batch);
  kernels::sync::spin(compute_ns_, steps_.data(), compute_stream_);
  check(cudaEventRecord(slot.computed, compute_stream_));
}

void GpuConsumer::copy_to(Slot& slot, std::span<const std::byte> batch) {
  const bool own = copy_ == CopyWay::own_stream;
  const cudaStream_t stream = own ? copy_stream_.get() : compute_stream_.get();
  if (own) check(cudaStreamWaitEvent(stream, slot.computed, 0));
  for (int n = 0; n < copy_times_; ++n)
    check(cudaMemcpyAsync(slot.device.data(), batch.data(), batch.size(), cudaMemcpyHostToDevice, stream));
  check(cudaEventRecord(slot.copied, stream));
  if (own) check(cudaStreamWaitEvent(compute_stream_, slot.copied, 0));
  if (copy_ == CopyWay::blocking) check(cudaStreamSynchronize(stream));
}

void GpuConsumer::finish() {
  work_on_pinned();
  check(cudaStreamSynchronize(copy_stream_));
  check(cudaStreamSynchronize(compute_stream_));
}

bool GpuConsumer::is_there(std::size_t back, std::span<const std::byte> batch) const {
  const std::vector<std::byte> there = slots_[(batches_ - back) % kSlots].device.to_host();
  return std::ranges::equal(std::span(there).first(batch.size()), batch);
}

double copy_alone_s(const StageMemory& memory, const CopyWay& copy, const Batches& batches, const int& copy_times) {
  constexpr int kPasses = 4;
  constexpr std::size_t kLeast = 4;  // of a pass: the first and the last are not beside another
  GpuConsumer consumer(memory, copy, batches.bytes_each, 0, copy_times);
  const std::size_t all_bytes = batches.count * batches.bytes_each;
  const bool lies_pinned = memory == StageMemory::decoded_into_pinned;
  const cuda::PinnedBuffer<std::byte> pinned(lies_pinned ? all_bytes : 0);
  const std::vector<std::byte> pageable(lies_pinned ? 0 : all_bytes, std::byte{1});
  const std::byte* first = lies_pinned ? pinned.data() : pageable.data();
  const std::size_t taken = std::max(kLeast, batches.count);
  double least_s = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kPasses; ++pass) {
    const auto start = harness::Clock::now();
    for (std::size_t b = 0; b < taken; ++b)
      consumer.take({first + b % batches.count * batches.bytes_each, batches.bytes_each});
    consumer.finish();
    least_s = std::min(least_s, harness::seconds_since(start) / static_cast<double>(taken));
  }
  return least_s;
}

std::size_t GpuConsumer::pinned_bytes() const {
  std::size_t bytes = 0;
  for (const Slot& slot : slots_) bytes += slot.pinned.size_bytes();
  return bytes;
}

}  // namespace cupel::bench::pipeline
