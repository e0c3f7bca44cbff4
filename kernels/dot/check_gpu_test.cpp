#include "kernels/dot/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cupel/verify/generator.hpp"
#include "kernels/dot/reference.hpp"

namespace cupel::kernels::dot {
namespace {

constexpr verify::DotBound kExact{};

std::vector<double> small_integers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(count));
  verify::fill_small_integers(std::span<double>(values), seed, -4, 4);
  return values;
}

cuda::DeviceBuffer<double> on_device(const std::vector<double>& values) {
  return cuda::DeviceBuffer<double>(std::span<const double>(values));
}

Array array_of(const cuda::DeviceBuffer<double>& buffer) { return {buffer.data(), Element::fp64, 1}; }

// A product of small integers, exact in double: 37 x 29 with inner length 41, the first operand transposed.
struct Product37x29 {
  static constexpr std::int64_t m = 37, n = 29, k = 41;
  std::vector<double> a = small_integers(m * k, 1), b = small_integers(k * n, 2), c = std::vector<double>(m * n);

  Product37x29() { reference::gemm(m, n, k, a, true, b, false, c); }

  DotErrors check(const Look& look) const {
    const auto da = on_device(a), db = on_device(b), dc = on_device(c);
    const cuda::Stream stream;
    return DotChecker().gemm({array_of(da), k, 1}, {array_of(db), 1, k}, {array_of(dc), 1, m}, m, n, k, look, stream);
  }
};

TEST(DotChecker, FindsNothingWrongWithARightProduct) {
  const DotErrors errors = Product37x29().check({kExact, 37 * 29, 1});

  EXPECT_TRUE(errors.passed()) << errors.message();
  EXPECT_EQ(errors.checked, 37 * 29);
  EXPECT_EQ(errors.relative_frobenius, 0);
  EXPECT_EQ(errors.maximum, 0);
}

TEST(DotChecker, SeesOneWrongElement) {
  Product37x29 product;
  product.c[500] += 1;

  const DotErrors errors = product.check({kExact, 37 * 29, 1});

  EXPECT_FALSE(errors.passed());
  EXPECT_EQ(errors.wrong, 1);
  EXPECT_GT(errors.maximum, 0);
}

TEST(DotChecker, TakesWhatIsNoNumberForWrong) {
  Product37x29 product;
  product.c[3] = std::numeric_limits<double>::quiet_NaN();

  EXPECT_EQ(product.check({{.of_magnitude = 1e30}, 37 * 29, 1}).wrong, 1);
}

TEST(DotChecker, AllowsWhatTheBoundAllows) {
  Product37x29 product;
  product.c[7] += 0.5;

  EXPECT_TRUE(product.check({{.absolute = 0.5, .frobenius = 1}, 37 * 29, 1}).passed());
  EXPECT_FALSE(product.check({{.absolute = 0.49, .frobenius = 1}, 37 * 29, 1}).passed());
  EXPECT_FALSE(product.check({{.absolute = 0.5, .frobenius = 0}, 37 * 29, 1}).passed()) << "the norm has a bound, too";
}

TEST(DotChecker, LooksAtAsManyElementsAsAsked) { EXPECT_EQ(Product37x29().check({kExact, 100, 9}).checked, 100); }

TEST(DotChecker, RefusesMoreSamplesThanElements) {
  EXPECT_THROW(Product37x29().check({kExact, 37 * 29 + 1, 1}), std::invalid_argument);
}

TEST(DotChecker, CountsStepsOfBothOperandsAndOfTheResult) {
  Product37x29 product;
  for (double& x : product.c) x *= 3;
  const auto a = on_device(product.a), b = on_device(product.b), c = on_device(product.c);
  const cuda::Stream stream;

  const DotErrors errors =
      DotChecker().gemm({{a.data(), Element::fp64, 2}, product.k, 1}, {{b.data(), Element::fp64, 0.75}, 1, product.k},
                        {{c.data(), Element::fp64, 0.5}, 1, product.m}, product.m, product.n, product.k,
                        {kExact, product.m * product.n, 1}, stream);

  EXPECT_TRUE(errors.passed()) << errors.message();
}

TEST(DotChecker, LosesNothingOfAResultInDouble) {
  // A plain sum in double, in the order of the lanes, would be 1.
  const std::vector<double> a = {1, 0x1p-54, 0x1p-54, 0x1p-54, 0x1p-54}, ones(5, 1), c = {1 + 0x1p-52};
  const auto da = on_device(a), db = on_device(ones), dc = on_device(c);
  const cuda::Stream stream;

  const DotErrors errors = DotChecker().gemm({array_of(da), 0, 1}, {array_of(db), 1, 0}, {array_of(dc), 1, 1}, 1, 1, 5,
                                             {kExact, 1, 1}, stream);

  EXPECT_TRUE(errors.passed()) << errors.message();
}

TEST(DotChecker, LosesNothingOfAProductInDouble) {
  // (1 + 2^-30)^2 - (1 + 2^-29) = 2^-60, which the rounded square does not have.
  const std::vector<double> a = {1 + 0x1p-30, 1 + 0x1p-29}, b = {1 + 0x1p-30, -1}, c = {0x1p-60};
  const auto da = on_device(a), db = on_device(b), dc = on_device(c);
  const cuda::Stream stream;

  const DotErrors errors = DotChecker().gemm({array_of(da), 0, 1}, {array_of(db), 1, 0}, {array_of(dc), 1, 1}, 1, 1, 2,
                                             {kExact, 1, 1}, stream);

  EXPECT_TRUE(errors.passed()) << errors.message();
}

// So many products that a block computes one element.
constexpr std::int64_t kLong = 40'009;

TEST(DotChecker, SeesOneWrongElementOfLongSums) {
  const std::vector<double> a = small_integers(5 * kLong, 1), b = small_integers(kLong * 3, 2);
  std::vector<double> c(5 * 3);
  reference::gemm(5, 3, kLong, a, true, b, false, c);
  const cuda::Stream stream;
  const auto check = [&] {
    const auto da = on_device(a), db = on_device(b), dc = on_device(c);
    return DotChecker().gemm({array_of(da), kLong, 1}, {array_of(db), 1, kLong}, {array_of(dc), 1, 5}, 5, 3, kLong,
                             {kExact, 5 * 3, 1}, stream);
  };

  const DotErrors right = check();
  c[11] += 1;
  const DotErrors wrong = check();

  EXPECT_TRUE(right.passed()) << right.message();
  EXPECT_EQ(right.checked, 5 * 3);
  EXPECT_EQ(wrong.wrong, 1);
}

TEST(DotChecker, AddsMagnitudesOfLongSums) {
  const std::vector<double> ones(kLong, 1), c = {static_cast<double>(kLong) + 8};
  const auto da = on_device(ones), db = on_device(ones), dc = on_device(c);
  const cuda::Stream stream;

  const DotErrors errors = DotChecker().gemm({array_of(da), 0, 1}, {array_of(db), 1, 0}, {array_of(dc), 1, 1}, 1, 1,
                                             kLong, {{.of_magnitude = 8.0 / kLong, .frobenius = 1}, 1, 1}, stream);

  EXPECT_DOUBLE_EQ(errors.worst_share, 1);
}

TEST(DotChecker, LosesNothingOfALongSumInDouble) {
  // The eight small ones, in the lane of the large one, in others of its warp and in other warps, are together just
  // more than half of the last place of 1: without one of them the sum is 1.
  std::vector<double> a(kLong);
  for (const std::size_t i : {0, 1, 33, 1001, 1256, 1512, 30'000, 40'000}) a[i] = 1.01 * 0x1p-56;
  a[1000] = 1;
  const std::vector<double> ones(kLong, 1), c = {1 + 0x1p-52};
  const auto da = on_device(a), db = on_device(ones), dc = on_device(c);
  const cuda::Stream stream;

  const DotErrors errors = DotChecker().gemm({array_of(da), 0, 1}, {array_of(db), 1, 0}, {array_of(dc), 1, 1}, 1, 1,
                                             kLong, {kExact, 1, 1}, stream);

  EXPECT_TRUE(errors.passed()) << errors.message();
}

// On either side of the length from which a block computes an element, and more elements than blocks are launched.
TEST(DotChecker, FindsOneWrongElementOfManyLongSums) {
  for (const std::int64_t k : {64 * 256 - 1, 64 * 256}) {
    constexpr std::int64_t m = 83, n = 50;
    const std::vector<double> a(static_cast<std::size_t>(k), 1);
    std::vector<double> b(static_cast<std::size_t>(k * n), 1);
    for (std::int64_t j = 0; j < n; ++j) b[static_cast<std::size_t>(j * k)] = static_cast<double>(j);
    std::vector<double> c(m * n);
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < m; ++i) c[static_cast<std::size_t>(i + j * m)] = static_cast<double>(k - 1 + j);
    }
    c[4149] += 1;
    const auto da = on_device(a), db = on_device(b), dc = on_device(c);
    const cuda::Stream stream;

    const DotErrors errors = DotChecker().gemm({array_of(da), 0, 1}, {array_of(db), 1, k}, {array_of(dc), 1, m}, m, n,
                                               k, {kExact, m * n, 1}, stream);

    EXPECT_EQ(errors.checked, m * n) << k;
    EXPECT_EQ(errors.wrong, 1) << k;
    EXPECT_NEAR(errors.relative_frobenius * std::sqrt(m * n) * static_cast<double>(k), 1, 0.01) << k;
  }
}

TEST(DotChecker, AgreesWithTheReferenceOfALongGradientOfAFilter) {
  const Convolution shape{.batch = 5,
                          .in_channels = 2,
                          .out_channels = 3,
                          .in = {{1, 60, 60}},
                          .filter = {{1, 3, 3}},
                          .padding = {{0, 1, 1}}};
  ASSERT_GE(reduction_length(shape, Pass::backward_filter), 64 * 256);
  const cuda::Stream stream;
  for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
    const auto left = small_integers(output_count(shape), 1), right = small_integers(input_count(shape), 2);
    std::vector<double> result(static_cast<std::size_t>(filter_count(shape)));
    reference::convolve(shape, Pass::backward_filter, layout, left, right, result);
    const auto check = [&] {
      const auto dl = on_device(left), dr = on_device(right), dd = on_device(result);
      return DotChecker().convolution(shape, Pass::backward_filter, layouts_of(layout, shape), array_of(dl),
                                      array_of(dr), array_of(dd), {kExact, filter_count(shape), 1}, stream);
    };

    EXPECT_TRUE(check().passed());
    result[7] += 1;
    EXPECT_EQ(check().wrong, 1);
  }
}

std::int64_t left_count(const Convolution& shape, Pass pass) {
  return pass == Pass::forward ? input_count(shape) : output_count(shape);
}
std::int64_t right_count(const Convolution& shape, Pass pass) {
  return pass == Pass::backward_filter ? input_count(shape) : filter_count(shape);
}

TEST(DotChecker, AgreesWithTheReferenceOfEveryPassAndLayout) {
  const Convolution shape{.batch = 3,
                          .in_channels = 6,
                          .out_channels = 4,
                          .groups = 2,
                          .in = {{1, 9, 7}},
                          .filter = {{1, 3, 2}},
                          .padding = {{0, 1, 1}},
                          .stride = {{1, 2, 1}},
                          .dilation = {{1, 1, 2}}};
  const cuda::Stream stream;
  DotChecker checker;
  for (const Pass pass : {Pass::forward, Pass::backward_data, Pass::backward_filter}) {
    for (const Layout layout : {Layout::channels_first, Layout::channels_last}) {
      const auto left = small_integers(left_count(shape, pass), 1), right = small_integers(right_count(shape, pass), 2);
      std::vector<double> result(static_cast<std::size_t>(result_count(shape, pass)));
      reference::convolve(shape, pass, layout, left, right, result);
      const auto check = [&] {
        const auto dl = on_device(left), dr = on_device(right), dd = on_device(result);
        return checker.convolution(shape, pass, layouts_of(layout, shape), array_of(dl), array_of(dr), array_of(dd),
                                   {kExact, result_count(shape, pass), 1}, stream);
      };

      const DotErrors right_result = check();
      EXPECT_TRUE(right_result.passed()) << to_string(pass) << ": " << right_result.message();
      EXPECT_EQ(right_result.checked, result_count(shape, pass));
      result.back() += 1;
      EXPECT_EQ(check().wrong, 1) << to_string(pass);
    }
  }
}

}  // namespace
}  // namespace cupel::kernels::dot
