// Matrix products of a step: through cuBLASLt, with a bias added as it writes, or many small ones through cuBLAS.
#pragma once

#include <cuda_runtime.h>

#include <compare>
#include <cstdint>

#include "kernels/common/dtype.hpp"

namespace cupel::bench::step {

/// c = alpha * op(a) * op(b), m x n, of k products each. Matrices are column-major: c is m x n, a is m x k, or k x m
/// where transposed, b is k x n, or n x k.
struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  kernels::DType type = kernels::DType::fp32;  ///< of all; sums are fp32
  bool tf32 = false;                           ///< fp32 may be rounded for tensor cores
  auto operator<=>(const Product&) const = default;
};

/// Matrices without gaps. bias: m numbers of `type`, one added to each row of c; or null. cuBLASLt's first algorithm,
/// asked for once a process. Enqueues; throws Unavailable, CublasError.
void multiply(const Product& product, const void* a, const void* b, void* c, const void* bias, cudaStream_t stream);

/// Where a matrix begins, from one column of it to the next, and from one matrix to the next; in elements.
struct Many {
  const void* data;
  std::int64_t leading, stride;
};

/// `count` products alike. `c` is written. Enqueues; throws Unavailable, CublasError.
void multiply_many(const Product& product, float alpha, const Many& a, const Many& b, const Many& c, std::int64_t count,
                   cudaStream_t stream);

}  // namespace cupel::bench::step
