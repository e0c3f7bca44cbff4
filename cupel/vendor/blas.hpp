// Matrix products on all cores of the host, by OpenBLAS where the distribution has it: loaded when first used.
#pragma once

#include <cstdint>
#include <string>

#include "cupel/vendor/library.hpp"

namespace cupel::vendor {

/// c = a b, or a b^T where b is transposed: c is m x n, a is m x k, b is k x n or n x k; row-major, without gaps, in
/// host memory. Each is at most 2^31 - 1 along an axis. Throws Unavailable where there is no OpenBLAS.
void host_product(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  bool transpose_b = false);

/// OpenBLAS's own account: version, kernels, threads. Throws Unavailable.
std::string host_blas();

}  // namespace cupel::vendor
