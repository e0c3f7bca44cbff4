// scale: one thread an element.
#include "cupel/cuda/cuda.hpp"
#include "kernels/FAMILY/scale.hpp"

namespace cupel::kernels::FAMILY {
namespace {

constexpr int kBlock = 256;  // 8 blocks fill an SM's 2048 threads

__global__ void __launch_bounds__(kBlock) scale_kernel(const float* in, float* out, std::int64_t count, float factor) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlock + threadIdx.x;
  if (i < count) out[i] = factor * in[i];
}

}  // namespace

void scale(const float* in, float* out, std::int64_t count, float factor, cudaStream_t stream) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + kBlock - 1) / kBlock);
  scale_kernel<<<blocks, kBlock, 0, stream>>>(in, out, count, factor);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::FAMILY
