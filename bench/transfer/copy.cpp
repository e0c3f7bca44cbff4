#include "bench/transfer/copy.hpp"

#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::transfer {
namespace {

using harness::operator""_KiB;
using harness::operator""_MiB;

// A short copy in memory of its own, so that it cannot do the work of the copy it goes before.
class Primer {
 public:
  void copy(Direction direction, cudaStream_t stream) {
    if (direction == Direction::to_device) {
      copy_async(device_.data(), host_.data(), kBytes, cudaMemcpyHostToDevice, stream);
    } else {
      copy_async(host_.data(), device_.data(), kBytes, cudaMemcpyDeviceToHost, stream);
    }
  }

 private:
  static constexpr std::int64_t kBytes = 4_KiB;
  cuda::PinnedBuffer<std::uint32_t> host_{words(kBytes)};
  cuda::DeviceBuffer<std::uint32_t> device_{words(kBytes)};
};

// Never destroyed: the driver may be gone before statics are.
Primer& primer() {
  static auto& primer = *new Primer;
  return primer;
}

}  // namespace

void sample_to_completion(benchmark::State& state, const record::Workload& work,
                          const std::function<void(cudaStream_t)>& enqueue) {
  const cuda::Stream stream;
  harness::sample_host(state, work,
                       [&] {
                         enqueue(stream);
                         stream.synchronize();
                       },
                       {.warm_up = work.bytes() > 16_MiB ? 1 : 2});
}

void sample_copy(benchmark::State& state, const Copying& copying, const record::Workload& work,
                 const std::function<void(cudaStream_t)>& enqueue) {
  if (copying.kind == HostMemory::pageable) {
    sample_to_completion(state, work, enqueue);
    return;
  }
  timing::sample_device(state, work, enqueue,
                        {.engine = timing::Engine::copy,
                         .hot = work.bytes_moved <= kShortCopy,
                         .prime = [&](cudaStream_t stream) { primer().copy(copying.direction, stream); },
                         .host_too = true,
                         .launches = copying.operations});
}

}  // namespace cupel::bench::transfer
