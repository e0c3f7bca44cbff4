// Matrix product and convolution in plain C++ and double: the obvious loops. Arrays are host memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/dot/convolution.hpp"

namespace cupel::kernels::dot::reference {

/// c (m x n) = a (m x k) b (k x n), all column-major without gaps; a stored transposed (k x m) if transpose_a, b
/// (n x k) if transpose_b.
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, std::span<const double> a, bool transpose_a,
          std::span<const double> b, bool transpose_b, std::span<double> c);

/// The result of a pass from its two operands, in the order of Product, all in one layout.
void convolve(const Convolution& shape, Pass pass, Layout layout, std::span<const double> left,
              std::span<const double> right, std::span<double> result);

}  // namespace cupel::kernels::dot::reference
