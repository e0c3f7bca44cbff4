#include "tests/emulator/wrong_kernels.hpp"

#include <cuda_pipeline_primitives.h>

#include "cupel/cuda/cuda.hpp"

namespace cupel::emulator::test {
namespace {

__global__ void without_bound(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }

template <bool kBarrier>
__global__ void turn_round(int* data) {
  __shared__ int held[64];
  held[threadIdx.x] = data[blockIdx.x * 64 + threadIdx.x];
  if (kBarrier) __syncthreads();
  data[blockIdx.x * 64 + threadIdx.x] = held[63 - threadIdx.x];
}

__global__ void hangs(int* out) {
  if (threadIdx.x < 32) {
    __syncthreads();
    *out = 1;
  } else if (threadIdx.x == 32) {
    *out = __shfl_down_sync(~0u, 1, 1);
  } else {
    __syncthreads();
  }
}

__global__ void leaves_its_warp(int* out) {
  if (threadIdx.x > 10) return;
  *out = __shfl_down_sync(~0u, 1, 1);
}

__global__ void sum(int* out) {
  __shared__ int warps[32];
  int value = static_cast<int>(threadIdx.x);
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int total = 0;
  for (unsigned w = 0; w < blockDim.x / 32; ++w) total += warps[w];
  out[blockIdx.x] = total;
}

template <bool kWait>
__global__ void through_shared(const uint4* in, uint4* out) {
  extern __shared__ uint4 held[];
  __pipeline_memcpy_async(held + threadIdx.x, in + threadIdx.x, sizeof(uint4));
  __pipeline_commit();
  if (kWait) __pipeline_wait_prior(0);
  out[threadIdx.x] = held[threadIdx.x];
}

__global__ void add_one(int* out, int count) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) out[i] += 1;
}

__global__ void nothing() {}

__global__ void to_nowhere(int* nowhere) { *nowhere = 1; }

__global__ void waits_for_host(const volatile int* flag, int* out, int value) {
  while (*flag == 0) clock64();
  *out = value;
}

}  // namespace

void launch_without_bound(int* out, int threads, cudaStream_t stream) { without_bound<<<1, threads, 0, stream>>>(out); }

void launch_turn_round(int* data, bool with_barrier, cudaStream_t stream) {
  if (with_barrier) {
    turn_round<true><<<2, 64, 0, stream>>>(data);
  } else {
    turn_round<false><<<2, 64, 0, stream>>>(data);
  }
}

void launch_hangs(int* out, cudaStream_t stream) { hangs<<<1, 64, 0, stream>>>(out); }

void launch_leaves_its_warp(int* out, cudaStream_t stream) { leaves_its_warp<<<1, 32, 0, stream>>>(out); }

void launch_sum(int* out, int threads, int blocks, cudaStream_t stream) { sum<<<blocks, threads, 0, stream>>>(out); }

void launch_through_shared(const uint4* in, uint4* out, int threads, bool wait, int shared_bytes, cudaStream_t stream) {
  if (wait) {
    through_shared<true><<<1, threads, shared_bytes, stream>>>(in, out);
  } else {
    through_shared<false><<<1, threads, shared_bytes, stream>>>(in, out);
  }
}

void allow_through_shared(int shared_bytes) {
  cuda::check(cudaFuncSetAttribute(through_shared<true>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
}

void launch_add_one(int* out, int count, cudaStream_t stream) {
  add_one<<<(count + 127) / 128, 128, 0, stream>>>(out, count);
}

void launch_too_large(cudaStream_t stream) { nothing<<<1, 1025, 0, stream>>>(); }

void launch_to_nowhere(cudaStream_t stream) { to_nowhere<<<1, 1, 0, stream>>>(nullptr); }

void launch_waits_for_host(const volatile int* flag, int* out, int value, cudaStream_t stream) {
  waits_for_host<<<1, 1, 0, stream>>>(flag, out, value);
}

}  // namespace cupel::emulator::test
