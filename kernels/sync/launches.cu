// Kernels that count themselves. They are launched through cudaLaunchKernel and its return value alone, without
// cudaGetLastError, so that the time of a launch is the time of one call of the runtime.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/device_timer.cuh"
#include "kernels/sync/launches.hpp"

namespace cupel::kernels::sync {
namespace {

constexpr int kBlock = 256;
// Enough blocks to fill any device; the rest of the array is reached by stride.
constexpr std::int64_t kMaxBlocks = 1 << 16;

__device__ unsigned long long arrivals;

template <int kBytes>
struct Payload {
  unsigned char bytes[kBytes];
};

__global__ void add_one_kernel(std::uint32_t* data, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] += 1;
  }
}

__global__ void accumulate_kernel(const std::uint32_t* value, std::uint32_t* total) { *total += *value; }

__global__ void spin_kernel(std::int64_t duration_ns, std::uint32_t* counter) {
  if (duration_ns > 0) {
    const auto start_ns = static_cast<std::int64_t>(cuda::global_ns());
    while (static_cast<std::int64_t>(cuda::global_ns()) - start_ns < duration_ns) {
    }
  }
  *counter += 1;
}

__global__ void arrive() { arrivals += 1; }

// The last byte is 1: it is there only if the argument arrived whole.
template <int kBytes>
__global__ void arrive_with(const Payload<kBytes> payload) {
  arrivals += payload.bytes[kBytes - 1];
}

template <class... Parameters>
void launch(void (*kernel)(Parameters...), std::int64_t blocks, int threads, cudaStream_t stream,
            std::type_identity_t<Parameters>... arguments) {
  // One more than there are, so that a kernel without parameters has an array too.
  void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
  cuda::check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(blocks)),
                               dim3(static_cast<unsigned>(threads)), pointers, 0, stream));
}

template <int kBytes>
void launch_payload(cudaStream_t stream) {
  static Payload<kBytes> payload = [] {
    Payload<kBytes> ones;
    std::fill(std::begin(ones.bytes), std::end(ones.bytes), static_cast<unsigned char>(1));
    return ones;
  }();
  void* pointers[] = {&payload};
  cuda::check(
      cudaLaunchKernel(reinterpret_cast<const void*>(&arrive_with<kBytes>), dim3(1), dim3(1), pointers, 0, stream));
}

}  // namespace

void add_one(std::uint32_t* data, std::int64_t count, cudaStream_t stream) {
  if (count == 0) return;
  const std::int64_t blocks = std::min((count + kBlock - 1) / kBlock, kMaxBlocks);
  launch(&add_one_kernel, blocks, kBlock, stream, data, count);
}

void accumulate(const std::uint32_t* value, std::uint32_t* total, cudaStream_t stream) {
  launch(&accumulate_kernel, 1, 1, stream, value, total);
}

void spin(std::int64_t duration_ns, std::uint32_t* counter, cudaStream_t stream) {
  launch(&spin_kernel, 1, 1, stream, duration_ns, counter);
}

void launch_with_arguments(std::int64_t argument_bytes, cudaStream_t stream) {
  switch (argument_bytes) {
    case 0:
      return launch(&arrive, 1, 1, stream);
    case 64:
      return launch_payload<64>(stream);
    case 256:
      return launch_payload<256>(stream);
    case 1024:
      return launch_payload<1024>(stream);
    case 2048:
      return launch_payload<2048>(stream);
    case 4096:
      return launch_payload<4096>(stream);
    default:
      throw std::invalid_argument("launch_with_arguments: no kernel takes " + std::to_string(argument_bytes) +
                                  " argument bytes; see kArgumentBytes");
  }
}

std::uint64_t take_arrivals() {
  unsigned long long count = 0;
  const unsigned long long none = 0;
  cuda::check(cudaDeviceSynchronize());
  cuda::check(cudaMemcpyFromSymbol(&count, arrivals, sizeof(count)));
  cuda::check(cudaMemcpyToSymbol(arrivals, &none, sizeof(none)));
  cuda::check(cudaDeviceSynchronize());  // the copy up may return early, and other streams do not wait for it
  return count;
}

}  // namespace cupel::kernels::sync
