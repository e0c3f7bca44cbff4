// Numbers of which every order of additions in fp32 has the same sum, so that not one may be missing from it. Compiled
// by nvcc; callers need not be.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace cupel::bench::fusion {

/// Fills device memory with ones, one place of eight at random, and zeros. Returns how many are ones: up to 2^27
/// numbers it and all partial sums of them or of their squares are exact in fp32. Waits. Throws CudaError.
std::int64_t fill_with_ones(float* out, std::int64_t count, std::uint64_t seed);

}  // namespace cupel::bench::fusion
