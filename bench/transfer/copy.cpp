#include "bench/transfer/copy.hpp"

#include <algorithm>

#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::transfer {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;

// A short copy in memory of its own, so that it cannot do the work of the copy it goes before.
//
// It must take the way that the copy itself takes. On an H200 copies to the device of 1 KiB go through the command
// stream and of 16 KiB through a copy engine, and one of the first kind does not prime one of the second: the pair
// around 64 KiB cost 6.7 us after a copy of 3 bytes, 1.3 us after one of 64 KiB, 8.5 us after none. So it has the
// copy's own size, up to one at which the engine's part is sure.
class Primer {
 public:
  void copy(Direction direction, std::int64_t bytes, cudaStream_t stream) {
    bytes = std::min(bytes, kMostBytes);
    if (direction == Direction::to_device) {
      copy_async(device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice, stream);
    } else {
      copy_async(host_.data(), device_.data(), bytes, cudaMemcpyDeviceToHost, stream);
    }
  }

 private:
  static constexpr std::int64_t kMostBytes = 64_KiB;
  cuda::PinnedBuffer<std::uint32_t> host_{words(kMostBytes)};
  cuda::DeviceBuffer<std::uint32_t> device_{words(kMostBytes)};
};

// Never destroyed: the driver may be gone before statics are.
Primer& primer() {
  static auto& primer = *new Primer;
  return primer;
}

}  // namespace

void sample_to_completion(benchmark::State& state, const record::Workload& work,
                          const std::function<void(cudaStream_t)>& enqueue) {
  // The stream on which the other side of a pair is timed.
  const cudaStream_t stream = timing::Rig::get().stream();
  harness::sample_host(state, work,
                       [&] {
                         enqueue(stream);
                         cuda::check(cudaStreamSynchronize(stream));
                       },
                       {.warm_up = work.bytes() > 16_MiB ? 1 : 2});
}

void sample_copy(benchmark::State& state, const Copying& copying, const record::Workload& work,
                 const std::function<void(cudaStream_t)>& enqueue) {
  if (copying.kind == HostMemory::pageable) {
    sample_to_completion(state, work, enqueue);
    return;
  }
  const std::int64_t bytes = work.bytes_moved;
  timing::sample_device(
      state, work, enqueue,
      {.engine = timing::Engine::copy,
       .hot = work.bytes_moved <= kShortCopy,
       .prime = [&copying, bytes](cudaStream_t stream) { primer().copy(copying.direction, bytes, stream); },
       .host_too = true,
       .launches = copying.operations});
}

}  // namespace cupel::bench::transfer
