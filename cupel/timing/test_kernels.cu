#include <algorithm>

#include "cupel/cuda/cuda.hpp"
#include "cupel/cuda/device_timer.cuh"
#include "cupel/timing/test_kernels.hpp"

namespace cupel::timing::test {
namespace {

constexpr int kThreads = 256;
constexpr std::size_t kMostBlocks = 132 * 8;

__global__ void spin(long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
}

__global__ void stamped_spin(long long cycles, Stamps* stamps) {
  stamps->start_ns = cuda::global_ns();
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  stamps->end_ns = cuda::global_ns();
}

__global__ void axpy(float a, const float* x, float* y, std::size_t n) {
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    y[i] += a * x[i];
  }
}

__global__ void walk(const int* memory, int lines, int* end) {
  constexpr int kWords = 32;
  int shift = 0;  // stays 0, which the compiler does not know
  for (int i = 0; i < lines; ++i) shift += __ldcg(memory + static_cast<std::size_t>(i) * kWords + shift);
  if (shift != 0) *end = shift;
}

__global__ void fault(int* nowhere) { *nowhere = 1; }

}  // namespace

void launch_spin(long long cycles, cudaStream_t stream) {
  spin<<<1, 1, 0, stream>>>(cycles);
  cuda::check(cudaGetLastError());
}

void launch_stamped_spin(long long cycles, Stamps* stamps, cudaStream_t stream) {
  stamped_spin<<<1, 1, 0, stream>>>(cycles, stamps);
  cuda::check(cudaGetLastError());
}

void launch_axpy(float a, const float* x, float* y, std::size_t n, cudaStream_t stream) {
  if (n == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((n + kThreads - 1) / kThreads, kMostBlocks));
  axpy<<<blocks, kThreads, 0, stream>>>(a, x, y, n);
  cuda::check(cudaGetLastError());
}

void launch_walk(const int* memory, int lines, cudaStream_t stream) {
  walk<<<1, 1, 0, stream>>>(memory, lines, nullptr);
  cuda::check(cudaGetLastError());
}

void launch_fault(cudaStream_t stream) {
  fault<<<1, 1, 0, stream>>>(nullptr);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::timing::test
