#include "kernels/common/fill.hpp"

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/uniform.hpp"

namespace cupel::kernels {
namespace {

constexpr int kBlock = 256;
constexpr int kEach = 8;  // elements of a thread, a block apart

template <class T>
__global__ void __launch_bounds__(kBlock)
    fill_kernel(T* out, std::int64_t count, verify::Generator random, float low, float width) {
  const std::int64_t first = std::int64_t{blockIdx.x} * (kBlock * kEach) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kEach; ++k) {
    const std::int64_t i = first + k * kBlock;
    if (i < count) out[i] = from_float<T>(uniform(random, i, low, width));
  }
}

}  // namespace

void fill_uniform(DType type, void* out, std::int64_t count, std::uint64_t seed, float low, float high,
                  cudaStream_t stream) {
  require_array(out, count, size_of(type), "fill_uniform", "out");
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + kBlock * kEach - 1) / (kBlock * kEach));
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    fill_kernel<<<blocks, kBlock, 0, stream>>>(static_cast<T*>(out), count, verify::Generator(seed), low, high - low);
  });
  cuda::check(cudaGetLastError());
}

float uniform_at(std::int64_t i, std::uint64_t seed, float low, float high) {
  return uniform(verify::Generator(seed), i, low, high - low);
}

}  // namespace cupel::kernels
