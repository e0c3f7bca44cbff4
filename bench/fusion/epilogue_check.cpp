#include "bench/fusion/epilogue_check.hpp"

#include <cmath>
#include <cstddef>

#include "cupel/verify/dot_bound.hpp"
#include "kernels/pointwise/functors.hpp"
#include "kernels/pointwise/gradient_functors.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::pointwise::Activation;

constexpr double kFp32 = 0x1p-24;

// The error of storing a number in the type: half the distance between the smallest numbers of fp16; bf16 has fp32's.
double smallest(DType type) { return type == DType::fp16 ? 0x1p-25 : 0; }

// An exact value and how far what is computed may be from it.
struct Computed {
  double value, error;

  void store(DType type) { error += kernels::unit_roundoff(type) * (std::fabs(value) + error) + smallest(type); }
  void store_between(const Rounding& rounding) {
    if (rounding.way == Way::separate) store(rounding.type);
  }
  Expected expected() const { return {value, error}; }
};

// As the family gemm has it: tensor cores cut sums in fp32 off instead of rounding them.
Computed product_of(const Rounding& rounding, const Dot& dot) {
  const verify::DotBound bound = verify::dot_bound(rounding.k, {.accumulate_unit = 0x1p-23, .truncates = true});
  Computed product{dot.sum, bound.allowed(dot.magnitude, dot.sum)};
  product.store_between(rounding);
  return product;
}

Computed biased(const Rounding& rounding, const Dot& dot, double bias) {
  Computed z = product_of(rounding, dot);
  z.value += bias;
  z.error += 2 * kFp32 * (std::fabs(dot.sum) + std::fabs(bias));  // the scale and the sum
  return z;
}

Computed gelu(const Rounding& rounding, Computed z) {
  constexpr double kSteepest = 1.13;
  const double own = 0.5 * std::fabs(z.value) * tanh_error(rounding.way) + 8 * kFp32 * std::fabs(z.value);
  return {kernels::pointwise::GeluTanh()(z.value), kSteepest * z.error + own};
}

Computed relu(Computed z) { return {kernels::pointwise::Relu()(z.value), z.error}; }

// The derivative of GELU with t = tanh(u): 0.5 (1 + t) + 0.5 x (1 - t^2) u', of which an error e of t makes
// 0.5 e + 0.5 |x| 2 |t| e u'.
double error_of_gelu_derivative(Way way, double x) {
  const double inner = 0.79788456080286536 * (1 + 0.134145 * x * x);
  return tanh_error(way) * (0.5 + std::fabs(x) * inner) + 16 * kFp32 * (1 + std::fabs(x) * inner);
}

}  // namespace

// The hardware's tanh is off by up to 2^-11 (PTX ISA, tanh.approx.f32: 2^-10.987). Libraries may use it in an epilogue;
// our kernels' is accurate to 2 ulp.
double tanh_error(Way way) { return way == Way::fused ? 0x1.04p-11 : 4 * kFp32; }

ProductShape shape_of(Operation operation, std::int64_t hidden, std::int64_t tokens) {
  const std::int64_t inner = 4 * hidden;
  switch (operation) {
    case Operation::bias:
    case Operation::bias_relu:
    case Operation::bias_gelu:
      return {.m = inner, .n = tokens, .k = hidden, .transpose_a = true};
    case Operation::relu_gradient:
    case Operation::gelu_gradient:
      return {.m = inner, .n = tokens, .k = hidden};
    case Operation::bias_gradient:
      break;
  }
  return {.m = hidden, .n = inner, .k = tokens, .transpose_b = true};
}

float scale_of(Operation operation, std::int64_t k) {
  const bool is_forward =
      operation == Operation::bias || operation == Operation::bias_relu || operation == Operation::bias_gelu;
  return is_forward ? std::exp2(-std::round(std::log2(static_cast<float>(k)) / 2)) : 1.0f;
}

std::vector<Dot> dots(const ProductShape& shape, const Stored& a, const Stored& b, std::int64_t first_row,
                      std::int64_t rows, std::int64_t first_column, std::int64_t columns) {
  const auto k = static_cast<std::size_t>(shape.k);
  std::vector<double> left, right;  // read once: a stored element may be dear
  for (std::int64_t i = first_row; i < first_row + rows; ++i) {
    for (std::int64_t l = 0; l < shape.k; ++l) left.push_back(a(shape.offset_a(i, l)));
  }
  for (std::int64_t j = first_column; j < first_column + columns; ++j) {
    for (std::int64_t l = 0; l < shape.k; ++l) right.push_back(b(shape.offset_b(l, j)));
  }
  std::vector<Dot> all;
  for (std::size_t j = 0; j < static_cast<std::size_t>(columns); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
      Dot dot;
      for (std::size_t l = 0; l < k; ++l) {
        const double product = left[i * k + l] * right[j * k + l];
        dot.sum += product;
        dot.magnitude += std::fabs(product);
      }
      all.push_back(dot);
    }
  }
  return all;
}

Expected with_bias(const Rounding& rounding, const Dot& product, double bias) {
  Computed z = biased(rounding, product, bias);
  z.store(rounding.type);
  return z.expected();
}

Expected forward(Operation operation, const Rounding& rounding, const Dot& product, double bias) {
  if (operation == Operation::bias) return with_bias(rounding, product, bias);
  Computed z = biased(rounding, product, bias);
  z.store_between(rounding);
  Computed y = operation == Operation::bias_gelu ? gelu(rounding, z) : relu(z);
  y.store(rounding.type);
  return y.expected();
}

// In bf16 cuBLASLt's epilogue rounds the product before it multiplies it with GELU's derivative, as separate kernels do
// (seen on an H200; in fp16 it was not). Of ReLU that would not show: what is rounded to a type is a number of it.
Expected backward(Operation operation, const Rounding& rounding, const Dot& product, double kept) {
  Computed d = product_of(rounding, product);
  double slope = kernels::pointwise::ReluGradient()(kept, 1.0), error_of_slope = 0;
  if (operation == Operation::gelu_gradient) {
    if (rounding.way == Way::fused && rounding.type == DType::bf16) d.store(rounding.type);
    slope = kernels::pointwise::GeluTanhGradient()(kept, 1.0);
    error_of_slope = error_of_gelu_derivative(rounding.way, kept);
  }
  d.error = std::fabs(slope) * d.error + error_of_slope * (std::fabs(d.value) + d.error);
  d.value *= slope;
  d.store(rounding.type);
  return d.expected();
}

// Roundings to nearest are independent of each other: n of them of a relative error u add up to u times the root of the
// squares' sum, and those of n additions to sqrt(n) u times the magnitudes' sum (Higham and Mary, 2019), each in the
// mean; a sum may be kDeviations times as far off.
Expected column_sum(DType type, const std::vector<double>& column, bool exact) {
  double sum = 0, magnitude = 0, squares = 0;
  for (const double x : column) {
    sum += x;
    magnitude += std::fabs(x);
    squares += x * x;
  }
  const auto n = static_cast<double>(column.size());
  double error = verify::kDeviations * std::sqrt(n) * kFp32 * magnitude;
  if (!exact) error += verify::kDeviations * kernels::unit_roundoff(type) * std::sqrt(squares) + n * smallest(type);
  Computed total{sum, error};
  total.store(type);
  return total.expected();
}

}  // namespace cupel::bench::fusion
