#include "bench/fusion/epilogue_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/fusion/relu_sign.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/dot/reference.hpp"
#include "kernels/pointwise/functors.hpp"
#include "kernels/pointwise/gradient_functors.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::pointwise::GeluTanh;
using kernels::pointwise::GeluTanhGradient;

// To the nearest number of 11 bits, as fp16 has them.
double to_fp16(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(fraction * 2048), exponent - 11);
}

std::vector<double> random_numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  verify::fill_uniform<double>(values, seed, -2, 2);
  for (double& x : values) x = to_fp16(x);
  return values;
}

Stored of(const std::vector<double>& values) {
  return [&values](std::int64_t i) { return values.at(static_cast<std::size_t>(i)); };
}

TEST(ShapeOf, IsOneProductInThreePasses) {
  const ProductShape forward = shape_of(Operation::bias_gelu, 32, 50);
  const ProductShape data = shape_of(Operation::gelu_gradient, 32, 50);
  const ProductShape filter = shape_of(Operation::bias_gradient, 32, 50);

  EXPECT_EQ(forward.m * forward.n * forward.k, 128 * 50 * 32);
  EXPECT_EQ(data.m * data.n * data.k, 128 * 50 * 32);
  EXPECT_EQ(filter.m * filter.n * filter.k, 128 * 50 * 32);
  EXPECT_EQ(forward.m, 128);  // a bias element a row
  EXPECT_EQ(data.m, 128);
  EXPECT_EQ(filter.n, 128);  // a bias element a column
  EXPECT_EQ(filter.k, 50);   // summed over the tokens
}

TEST(ScaleOf, MakesSumsOfSizeOneAndIsAPowerOfTwo) {
  EXPECT_EQ(scale_of(Operation::bias, 4096), 1.0f / 64);
  EXPECT_EQ(scale_of(Operation::bias_gelu, 512), std::exp2(-5.0f));  // 1 / sqrt(512) is 2^-4.5
  EXPECT_EQ(scale_of(Operation::gelu_gradient, 4096), 1.0f);
}

TEST(Dots, AreThoseOfTheReferenceInEveryLayout) {
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      const ProductShape shape{.m = 7, .n = 5, .k = 11, .transpose_a = transpose_a, .transpose_b = transpose_b};
      const std::vector<double> a = random_numbers(shape.count_a(), 1), b = random_numbers(shape.count_b(), 2);
      std::vector<double> c(static_cast<std::size_t>(shape.count_c()));
      kernels::dot::reference::gemm(7, 5, 11, a, transpose_a, b, transpose_b, c);

      const std::vector<Dot> block = dots(shape, of(a), of(b), 2, 4, 1, 3);

      ASSERT_EQ(block.size(), 12u);
      for (std::size_t e = 0; e < block.size(); ++e) {
        const std::size_t row = 2 + e % 4, column = 1 + e / 4;
        EXPECT_NEAR(block[e].sum, c[column * 7 + row], 1e-12);
        EXPECT_GE(block[e].magnitude, std::fabs(block[e].sum));
      }
    }
  }
}

// A layer with rounding after each operation, and with one rounding at the end.
struct Layer {
  Layer() {
    const ProductShape shape{.m = 16, .n = 16, .k = 4096, .transpose_a = true};
    const std::vector<double> a = random_numbers(shape.count_a(), 3), b = random_numbers(shape.count_b(), 4);
    products = dots(shape, of(a), of(b), 0, 16, 0, 16);
    for (Dot& product : products) product = {product.sum / 64, product.magnitude / 64};
    bias = random_numbers(16, 5);
  }
  std::vector<Dot> products;
  std::vector<double> bias;

  template <class Check>
  void each(const Check& check) const {
    for (std::size_t e = 0; e < products.size(); ++e) check(products[e], bias[e % 16]);
  }
};

constexpr Rounding kSeparate{Way::separate, DType::fp16, 4096};
constexpr Rounding kFused{Way::fused, DType::fp16, 4096};

TEST(Forward, AllowsTheRoundingsOfSeparateKernels) {
  Layer().each([](const Dot& product, double bias) {
    const double z = to_fp16(to_fp16(product.sum) + bias);
    const Expected expected = forward(Operation::bias_gelu, kSeparate, product, bias);

    EXPECT_NEAR(to_fp16(GeluTanh()(z)), expected.value, expected.allowed);
    EXPECT_LT(expected.allowed, 0.02);
  });
}

TEST(Forward, AllowsOneRoundingOfAFusedOne) {
  Layer().each([](const Dot& product, double bias) {
    const double y = to_fp16(GeluTanh()(product.sum + bias));
    const Expected expected = forward(Operation::bias_gelu, kFused, product, bias);

    EXPECT_NEAR(y, expected.value, expected.allowed);
    EXPECT_LT(expected.allowed, forward(Operation::bias_gelu, kSeparate, product, bias).allowed);
  });
}

TEST(Forward, SeesThatABiasOrAnActivationIsMissing) {
  int without_bias = 0, without_gelu = 0, with_relu = 0;
  Layer().each([&](const Dot& product, double bias) {
    const Expected expected = forward(Operation::bias_gelu, kSeparate, product, bias);
    const auto is_wrong = [&](double y) { return std::fabs(y - expected.value) > expected.allowed ? 1 : 0; };
    without_bias += is_wrong(GeluTanh()(product.sum));
    without_gelu += is_wrong(product.sum + bias);
    with_relu += is_wrong(std::fmax(0, product.sum + bias));
  });

  EXPECT_GT(without_bias, 200);  // of 256
  EXPECT_GT(without_gelu, 150);
  EXPECT_GT(with_relu, 150);
}

TEST(WithBias, IsTheInputOfTheActivation) {
  const Expected z = with_bias(kFused, {.sum = 1.5, .magnitude = 3}, 0.25);

  EXPECT_EQ(z.value, 1.75);
  EXPECT_EQ(forward(Operation::bias, kFused, {.sum = 1.5, .magnitude = 3}, 0.25).value, 1.75);
  EXPECT_EQ(forward(Operation::bias_relu, kFused, {.sum = -1.5, .magnitude = 3}, 0.25).value, 0);
}

TEST(Backward, AllowsTheRoundingsOfBothWaysAndSeesAMissingDerivative) {
  const std::vector<double> kept = random_numbers(256, 6);
  std::size_t e = 0;
  int without = 0;
  Layer().each([&](const Dot& product, double) {
    const double x = kept[e++];
    const double separate = to_fp16(GeluTanhGradient()(x, to_fp16(product.sum)));
    const double fused = to_fp16(GeluTanhGradient()(x, product.sum));
    const Expected of_separate = backward(Operation::gelu_gradient, kSeparate, product, x);
    const Expected of_fused = backward(Operation::gelu_gradient, kFused, product, x);

    EXPECT_NEAR(separate, of_separate.value, of_separate.allowed);
    EXPECT_NEAR(fused, of_fused.value, of_fused.allowed);
    without += std::fabs(product.sum - of_fused.value) > of_fused.allowed ? 1 : 0;
  });

  EXPECT_GT(without, 240);  // of 256
}

// Sums and activations' inputs of which cuBLASLt on an H200 gave what a product rounded to bf16 first gives, which is
// not the number next to the exact gradient.
TEST(Backward, AllowsThatAnEpilogueRoundsTheProductBeforeTheDerivative) {
  static constexpr Rounding kRounding{Way::fused, DType::bf16, 64};
  const auto allows = [](double sum, double kept, double gradient) {
    const Expected expected =
        backward(Operation::gelu_gradient, kRounding, {.sum = sum, .magnitude = std::fabs(sum)}, kept);
    return std::fabs(gradient - expected.value) <= expected.allowed;
  };

  EXPECT_TRUE(allows(4.14253855, 1.671875, 4.65625));
  EXPECT_TRUE(allows(-29.08044755, 1.75, -32.5));
  EXPECT_FALSE(allows(4.14253855, 1.671875, 4.14253855)) << "without the derivative";
  EXPECT_FALSE(allows(-29.08044755, 1.75, -32.75));
}

TEST(Backward, OfReluIsTheProductOrNothing) {
  const Dot product{.sum = 3, .magnitude = 5};

  EXPECT_EQ(backward(Operation::relu_gradient, kFused, product, 0.5).value, 3);
  EXPECT_EQ(backward(Operation::relu_gradient, kFused, product, 0).value, 0);
  EXPECT_LT(backward(Operation::relu_gradient, kFused, product, 0).allowed, 1e-7);
}

TEST(ColumnSum, AllowsOneRoundingOfAnExactColumn) {
  const std::vector<double> column(2048, 0.5);

  const Expected sum = column_sum(DType::fp16, column, true);

  EXPECT_EQ(sum.value, 1024);
  EXPECT_LT(sum.allowed, 1.0);
}

TEST(ColumnSum, AllowsThatTheColumnIsARoundingOfWhatWasSummed) {
  std::vector<double> before(4096), column;
  verify::fill_uniform<double>(before, 7, -100, 100);
  double sum_before = 0;
  for (const double x : before) {
    sum_before += x;
    column.push_back(to_fp16(x));
  }

  const Expected sum = column_sum(DType::fp16, column, false);

  EXPECT_NEAR(to_fp16(sum_before), sum.value, sum.allowed);
  EXPECT_LT(sum.allowed, 100) << "a token that is missing would not be seen";
}

// An input as the benchmark draws it, of seed 1: uniform in [-2, 2), to the nearest fp16.
double drawn(std::uint64_t slot, std::int64_t i) {
  return to_fp16(4 * static_cast<double>(verify::Generator(8 + slot).uniform_float(static_cast<std::uint64_t>(i))) - 2);
}

// ReLU's input for one element of 16384 x 2048, whose sums have 4096 products.
struct ReluInput {
  ReluInput(std::int64_t row, std::int64_t column) {
    for (std::int64_t l = 0; l < kInner; ++l) {
      const double product = drawn(1, row * kInner + l) * drawn(0, column * kInner + l);
      sum += product;
      magnitude += std::fabs(product);
    }
    bias = drawn(2, row);
  }
  bool may_be_zero() const {
    const verify::DotBound bound = verify::dot_bound(kInner, {.accumulate_unit = 0x1p-23, .truncates = true});
    return fusion::may_be_zero(bound, kScale, sum, magnitude, bias, 0x1p-25);
  }

  static constexpr std::int64_t kInner = 4096;
  static constexpr double kScale = 1.0 / 64;
  double sum = 0, magnitude = 0, bias = 0;
};

// An H200's mask let the gradient of this one pass, though the stored output is 0.
TEST(ReluSign, IsOpenWhereTheSumInFp32MayReachZero) {
  const ReluInput found(1855, 1688);
  EXPECT_NEAR(ReluInput::kScale * found.sum + found.bias, -3.83e-6, 1e-8);
  EXPECT_TRUE(found.may_be_zero());
}

TEST(ReluSign, IsKnownOfAlmostAllInputs) {
  int open = 0;
  for (std::int64_t row = 0; row < 200; ++row) open += ReluInput(row, 1688).may_be_zero() ? 1 : 0;
  EXPECT_LE(open, 4);
}

}  // namespace
}  // namespace cupel::bench::fusion
