#include "bench/memory/all_elements.hpp"

#include <limits>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/uniform.hpp"

namespace cupel::bench::memory {
namespace {

constexpr int kCheckThreads = 256;
constexpr int kCheckBlocks = 4096;

__device__ float drawn(std::uint64_t seed, std::int64_t i) {
  return kernels::uniform(verify::Generator(seed), i, -1, 2);
}

__device__ float right_element(const RightElements& right, std::int64_t i) {
  if (right.kind == RightElements::Kind::constant) return right.factor;
  if (right.kind == RightElements::Kind::copy) return drawn(right.first, i * right.stride);
  return fmaf(right.factor, drawn(right.second, i), drawn(right.first, i));
}

__global__ void __launch_bounds__(kCheckThreads)
    find_wrong_elements_kernel(RightElements right, const float* out, std::int64_t count, unsigned long long* found) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * kCheckThreads + threadIdx.x; i < count;
       i += std::int64_t{kCheckThreads} * kCheckBlocks) {
    if (out[i] == right_element(right, i)) continue;  // false for NaN
    atomicAdd(found, 1ull);
    atomicMin(found + 1, static_cast<unsigned long long>(i));
  }
}

}  // namespace

WrongElements find_wrong(const RightElements& right, const float* out, std::int64_t count) {
  const unsigned long long none[] = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found(none);
  find_wrong_elements_kernel<<<kCheckBlocks, kCheckThreads>>>(right, out, count, found.data());
  cuda::check(cudaGetLastError());
  const auto seen = found.to_host();
  return {static_cast<std::int64_t>(seen[0]), static_cast<std::int64_t>(seen[1])};
}

}  // namespace cupel::bench::memory
