// The right result of a matrix product with an operation behind it, and how far off it may be: by separate
// kernels, which store what they pass on, or in one, where it stays in fp32. Host code only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/common/dtype.hpp"

namespace cupel::bench::fusion {

/// Forward: bias, then nothing, ReLU or GELU (by tanh). Backward: the gradient of ReLU or GELU and the sum of that over
/// the tokens, the gradient of the bias; and the sum alone, beside the product that gives the weights' gradient.
enum class Operation { bias, bias_relu, bias_gelu, relu_gradient, gelu_gradient, bias_gradient };

enum class Way { separate, fused };

/// The error of the tanh in GELU that is allowed.
double tanh_error(Way way);

/// c (m x n) = op(a) (m x k) op(b) (k x n), column-major without gaps; a is stored k x m if transpose_a, b n x k if
/// transpose_b.
struct ProductShape {
  std::int64_t m = 1, n = 1, k = 1;
  bool transpose_a = false;
  bool transpose_b = false;

  std::int64_t count_a() const { return m * k; }
  std::int64_t count_b() const { return k * n; }
  std::int64_t count_c() const { return m * n; }
  std::int64_t leading_a() const { return transpose_a ? k : m; }
  std::int64_t leading_b() const { return transpose_b ? n : k; }
  std::int64_t offset_a(std::int64_t i, std::int64_t l) const { return transpose_a ? i * k + l : l * m + i; }
  std::int64_t offset_b(std::int64_t l, std::int64_t j) const { return transpose_b ? l * n + j : j * k + l; }
};

/// The product of an operation in an MLP whose inner layer is four times as wide as `hidden`. Row-major as frameworks
/// keep it, an array of tokens x features is column-major features x tokens: a bias goes along the product's rows.
/// - forward: inner = input W^T, with W inner x hidden
/// - gradient of an activation: d_inner = d_output V, with V hidden x inner, the weights of the next layer
/// - gradient of the bias: d_W = d_inner^T input
ProductShape shape_of(Operation operation, std::int64_t hidden, std::int64_t tokens);

/// Which the library and the kernels multiply products with, so that sums of k products are of size 1: a power of two.
/// The backward pass has 1.
float scale_of(Operation operation, std::int64_t k);

/// A sum of products and the sum of their magnitudes.
struct Dot {
  double sum = 0, magnitude = 0;
};

/// Elements of an array by their place in it.
using Stored = std::function<double(std::int64_t)>;

/// Elements (first_row ..., first_column ...) of the product, column by column.
std::vector<Dot> dots(const ProductShape& shape, const Stored& a, const Stored& b, std::int64_t first_row,
                      std::int64_t rows, std::int64_t first_column, std::int64_t columns);

struct Expected {
  double value = 0;
  double allowed = 0;  ///< greatest distance of a right result
};

/// How sums are rounded. k: products in a sum.
struct Rounding {
  Way way = Way::separate;
  kernels::DType type = kernels::DType::fp16;
  std::int64_t k = 1;
};

/// The product with its bias: what stands before the activation.
Expected with_bias(const Rounding& rounding, const Dot& product, double bias);

/// Behind the activation, if there is one.
Expected forward(Operation operation, const Rounding& rounding, const Dot& product, double bias);

/// The product times the activation's derivative at `kept`, which is exact: the activation's input or, of ReLU, output.
Expected backward(Operation operation, const Rounding& rounding, const Dot& product, double kept);

/// The sum of a column. exact: its elements are what was summed; else they are that rounded to the type.
Expected column_sum(kernels::DType type, const std::vector<double>& column, bool exact);

}  // namespace cupel::bench::fusion
