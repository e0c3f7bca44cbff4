#include <algorithm>
#include <cstdint>

#include "cupel/cuda/device_timer.cuh"
#include "cupel/device/look_kernels.hpp"

namespace cupel::device {
namespace {

__global__ void empty() {}

/// Arithmetic between looks at the clock; the impossible store keeps it from being removed.
__global__ void busy(unsigned long long time_ns, float* never) {
  const unsigned long long start = cuda::global_ns();
  float x = static_cast<float>(threadIdx.x);
  while (cuda::global_ns() - start < time_ns) {
    for (int i = 0; i < 256; ++i) x = fmaf(x, 0.999f, 0.5f);
  }
  if (x < 0) *never = x;
}

}  // namespace

cudaError_t launch_empty(cudaStream_t stream) {
  empty<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

cudaError_t launch_busy(int blocks, unsigned long long time_ns, cudaStream_t stream) {
  constexpr int kThreads = 256;  // two warps for each of an SM's four schedulers
  busy<<<blocks, kThreads, 0, stream>>>(time_ns, nullptr);
  return cudaGetLastError();
}

std::vector<int> embedded_architectures() {
  std::vector<int> architectures = {__CUDA_ARCH_LIST__};  // of nvcc: 100 major + 10 minor
  for (int& architecture : architectures) architecture /= 10;
  std::sort(architectures.begin(), architectures.end());
  return architectures;
}

bool is_jit(int binary, const std::vector<int>& architectures) {
  return std::find(architectures.begin(), architectures.end(), binary) == architectures.end();
}

cudaError_t loaded_code(LoadedCode& code) {
  cudaFuncAttributes attributes{};
  const cudaError_t error = cudaFuncGetAttributes(&attributes, empty);
  if (error != cudaSuccess) return error;
  code.binary = attributes.binaryVersion;
  code.jit = is_jit(code.binary, embedded_architectures());
  return cudaSuccess;
}

}  // namespace cupel::device
