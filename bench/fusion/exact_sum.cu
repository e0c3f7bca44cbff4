#include "bench/fusion/exact_sum.hpp"

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::fusion {
namespace {

constexpr int kOnesThreads = 256;
constexpr int kOnesBlocks = 4096;

__global__ void __launch_bounds__(kOnesThreads)
    fill_with_ones_kernel(verify::Generator random, float* out, std::int64_t count, unsigned long long* ones) {
  unsigned long long mine = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kOnesThreads + threadIdx.x; i < count;
       i += std::int64_t{kOnesThreads} * kOnesBlocks) {
    const bool is_one = random.bits(static_cast<std::uint64_t>(i)) % 8 == 0;
    out[i] = is_one ? 1 : 0;
    mine += is_one ? 1 : 0;
  }
  atomicAdd(ones, mine);
}

}  // namespace

std::int64_t fill_with_ones(float* out, std::int64_t count, std::uint64_t seed) {
  const unsigned long long none[] = {0};
  cuda::DeviceBuffer<unsigned long long> ones(none);
  fill_with_ones_kernel<<<kOnesBlocks, kOnesThreads>>>(verify::Generator(seed), out, count, ones.data());
  cuda::check(cudaGetLastError());
  return static_cast<std::int64_t>(ones.to_host()[0]);
}

}  // namespace cupel::bench::fusion
