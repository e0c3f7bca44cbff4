#include "cupel/timing/flush.hpp"

namespace cupel::timing {
namespace {

constexpr int kThreads = 512;
constexpr int kBlocksPerMultiprocessor = 4;  // 2048 threads: the most that one multiprocessor holds

// The sum is stored only if it is a value that it cannot be, which the compiler does not know.
__global__ void read_all(const float4* in, std::size_t n, float* sink) {
  float sum = 0;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const float4 v = in[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (sum == 1.0f) *sink = sum;
}

__global__ void write_all(float4* out, std::size_t n) {
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    out[i] = make_float4(0, 0, 0, 0);  // what read_all() counts on
  }
}

}  // namespace

Flush::Flush()
    : blocks_(cuda::attribute(cudaDevAttrMultiProcessorCount) * kBlocksPerMultiprocessor),
      buffer_(2 * static_cast<std::size_t>(cuda::attribute(cudaDevAttrL2CacheSize)) / sizeof(float4) + 1),
      sink_(1),
      can_persist_(cuda::attribute(cudaDevAttrMaxPersistingL2CacheSize) > 0) {
  // Refused where the L2 is divided (MIG, MPS): then nobody can have made lines persist.
  can_persist_ = can_persist_ && cudaCtxResetPersistingL2Cache() == cudaSuccess;
  static_cast<void>(cudaGetLastError());
  end_persistence();  // the driver has some set aside from the beginning, whoever wants it or not
  cuda::check(cudaMemset(buffer_.data(), 0, buffer_.size_bytes()));
}

std::int64_t Flush::end_persistence() {
  if (!can_persist_) return 0;
  std::size_t set_aside = 0;
  cuda::check(cudaDeviceGetLimit(&set_aside, cudaLimitPersistingL2CacheSize));
  if (set_aside > 0) cuda::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  cuda::check(cudaCtxResetPersistingL2Cache());
  return static_cast<std::int64_t>(set_aside);
}

void Flush::run(cudaStream_t stream, Leaves leaves) {
  if (leaves == Leaves::clean) {
    read_all<<<blocks_, kThreads, 0, stream>>>(buffer_.data(), buffer_.size(), sink_.data());
  } else {
    write_all<<<blocks_, kThreads, 0, stream>>>(buffer_.data(), buffer_.size());
  }
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::timing
