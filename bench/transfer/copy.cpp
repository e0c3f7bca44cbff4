#include "bench/transfer/copy.hpp"

#include <algorithm>

#include "cupel/harness/run.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::transfer {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;

// One copy of a pair begins up to 7 us after the other, as it happens (H200: 256 KiB each way take 10.7 to 18 us). Up
// to this size that is a good part of the time, and the figure is that of pairs back to back.
constexpr std::int64_t kLargestBackToBack = 4_MiB;

// A short copy in memory of its own, so that it cannot do the work of the copy it goes before.
//
// It must take the way that the copy itself takes. On an H200 copies to the device of 1 KiB go through the command
// stream and of 16 KiB through a copy engine, and one of the first kind does not prime one of the second: the pair
// around 64 KiB cost 6.7 us after a copy of 3 bytes, 1.3 us after one of 64 KiB, 8.5 us after none. So it has the
// copy's own size, up to one at which the engine's part is sure.
class Primer {
 public:
  explicit Primer(Direction direction) : direction_(direction) {}

  void copy(std::int64_t bytes, cudaStream_t stream) {
    bytes = std::min(bytes, kMostBytes);
    if (direction_ == Direction::to_device) {
      copy_async(device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice, stream);
    } else {
      copy_async(host_.data(), device_.data(), bytes, cudaMemcpyDeviceToHost, stream);
    }
  }

 private:
  static constexpr std::int64_t kMostBytes = 64_KiB;
  Direction direction_;
  cuda::PinnedBuffer<std::uint32_t> host_{words(kMostBytes)};
  cuda::DeviceBuffer<std::uint32_t> device_{words(kMostBytes)};
};

// Never destroyed: the driver may be gone before statics are.
Primer& primer(Direction direction) {
  static auto& up = *new Primer(Direction::to_device);
  static auto& down = *new Primer(Direction::from_device);
  return direction == Direction::to_device ? up : down;
}

Direction opposite(Direction direction) {
  return direction == Direction::to_device ? Direction::from_device : Direction::to_device;
}

void prime(const Copying& copying, std::int64_t bytes, cudaStream_t stream) {
  primer(copying.direction).copy(bytes, stream);
  if (copying.both_ways) primer(opposite(copying.direction)).copy(bytes, timing::Rig::get().beside());
}

}  // namespace

harness::HostSampling host_sampling(HostMemory kind, std::int64_t bytes) {
  harness::HostSampling how;
  how.warm_up = bytes > 16_MiB ? 1 : 2;
  if (bytes > 128_MiB) {
    how.calls = 1;  // long enough for the clock, which need not be found out by another call
    // More than the caches hold: once the driver has its buffers, no call leaves anything that would warm the next one.
    if (harness::calls_of_earlier_rounds(record::Mode::host) > 0) how.warm_up = 0;
  }
  // On an H200 processes differ by 2 to 8 % there, and after 30 samples the location is off by 0.1 to 2 %.
  how.few = kind == HostMemory::pageable && bytes >= 1_MiB;
  return how;
}

void sample_to_completion(benchmark::State& state, HostMemory kind, const record::Workload& work,
                          const std::function<void(cudaStream_t)>& enqueue) {
  // The stream on which the other side of a pair is timed.
  const cudaStream_t stream = timing::Rig::get().stream();
  const std::int64_t bytes = work.bytes_moved + work.bytes_written;  // what kernels read besides never left the device
  harness::sample_host(
      state, work,
      [&] {
        enqueue(stream);
        cuda::check(cudaStreamSynchronize(stream));
      },
      host_sampling(kind, bytes));
}

void sample_copy(benchmark::State& state, const Copying& copying, const record::Workload& work,
                 const std::function<void(cudaStream_t)>& enqueue) {
  if (copying.kind == HostMemory::pageable) {
    sample_to_completion(state, copying.kind, work, enqueue);
    return;
  }
  const std::int64_t bytes = copying.both_ways ? work.bytes_moved / 2 : work.bytes_moved;
  const bool back_to_back = copying.both_ways && bytes <= kLargestBackToBack;
  timing::sample_device(state, work, enqueue,
                        {.engine = timing::Engine::copy,
                         .cold = !back_to_back,
                         .hot = back_to_back || work.bytes_moved <= kShortCopy,
                         .prime = [&copying, bytes](cudaStream_t stream) { prime(copying, bytes, stream); },
                         .host_too = true,
                         .beside = copying.both_ways,
                         .launches = copying.both_ways ? 2 : 1});
}

}  // namespace cupel::bench::transfer
