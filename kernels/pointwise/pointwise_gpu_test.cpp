#include "kernels/pointwise/pointwise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/pointwise/reference.hpp"

namespace cupel::kernels::pointwise {
namespace {

using test::Array;
using test::expect_close;
using test::random_values;
using test::rounded;
using test::stored_as;
using test::Values;

constexpr Activation kActivations[] = {Activation::relu,     Activation::tanh,      Activation::sigmoid,
                                       Activation::gelu_erf, Activation::gelu_tanh, Activation::silu};

// tanh is within 6 ulp, a sigmoid of x within 4 + 2 |x| (smooth.hpp), which times x counts less the larger x is; and a
// GELU or SiLU has up to six more roundings of values below 3 in magnitude: 16 roundings are ample, and far below what
// a wrong coefficient gives.
constexpr double kSteps = 16;
constexpr double kMagnitude = 4;

struct Case {
  DType type;
  std::int64_t count;
  std::int64_t offset;  // of the inputs, in elements
  std::int64_t out_offset;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.type)) + "_" + std::to_string(info.param.count) + "_from_" +
         std::to_string(info.param.offset) + "_to_" + std::to_string(info.param.out_offset);
}

// Either side of a pack (4 or 8), a warp, a block and a tile; 0, 1, a prime; aligned, misaligned alike, and apart.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    for (const std::int64_t count : {0, 1, 3, 7, 8, 9, 31, 33, 255, 257, 2047, 2048, 2049, 8191, 8193, 104'729}) {
      all.push_back({type, count, 0, 0});
      all.push_back({type, count, 3, 3});
      all.push_back({type, count, 1, 2});
    }
  }
  return all;
}

class Pointwise : public testing::TestWithParam<Case> {
 protected:
  DType type() const { return GetParam().type; }
  std::int64_t count() const { return GetParam().count; }
  Values random(std::uint64_t seed) const { return random_values(type(), count(), seed); }
  Array in(const Values& values) const { return Array(type(), values, GetParam().offset); }
  Array out() const { return Array(type(), count(), GetParam().out_offset); }
  Values expected() const { return Values(static_cast<std::size_t>(count())); }
  verify::Tolerance tolerance() const { return stored_as(type(), kSteps, kMagnitude); }

  cuda::Stream stream_;
};

TEST_P(Pointwise, AddAndMultiplyRoundOnce) {
  const Values a = random(1), b = random(2);
  const Array device_a = in(a), device_b = in(b);
  Array sum = out(), product = out();
  Values expected_sum = expected(), expected_product = expected();
  reference::add(a, b, expected_sum);
  reference::multiply(a, b, expected_product);

  add(type(), device_a.data(), device_b.data(), sum.data(), count(), stream_);
  multiply(type(), device_a.data(), device_b.data(), product.data(), count(), stream_);

  // Computed in fp32 and then rounded to 16 bits: two roundings may differ from one by the first of them.
  expect_close(rounded(type(), expected_sum), sum.get(), stored_as(type(), 1, 4));
  expect_close(rounded(type(), expected_product), product.get(), stored_as(type(), 1, 4));
}

// But for the smallest numbers of fp16, which have a bit less.
TEST_P(Pointwise, ScaleByAPowerOfTwoIsExact) {
  const Values x = random(3);
  const Array device_x = in(x);
  Array y = out();
  Values expected_y = expected();
  reference::scale(x, 0.5f, expected_y);

  scale(type(), device_x.data(), 0.5f, y.data(), count(), stream_);

  expect_close(rounded(type(), expected_y), y.get());
}

TEST_P(Pointwise, ActivationsAgreeWithTheReference) {
  const Values x = random_values(type(), count(), 4, -6, 6);
  const Array device_x = in(x);
  for (const Activation activation : kActivations) {
    SCOPED_TRACE(to_string(activation));
    Array y = out();
    Values expected_y = expected();
    reference::activate(activation, x, expected_y);

    activate(type(), activation, device_x.data(), y.data(), count(), stream_);

    expect_close(expected_y, y.get(), tolerance());
  }
}

// Looks at the last digits of fp32: near zero, far from it, where exponentials leave the range, and where there is no
// number.
TEST(Activations, KeepTheirDigitsNearZeroAndFarFromIt) {
  Values x;
  for (double magnitude = 1e-30; magnitude < 80; magnitude *= 1.25) x.insert(x.end(), {magnitude, -magnitude});
  for (double& value : x) value = static_cast<double>(static_cast<float>(value));
  const auto count = static_cast<std::int64_t>(x.size());
  const Array device_x(DType::fp32, x);
  const cuda::Stream stream;
  for (const Activation activation : {Activation::tanh, Activation::sigmoid, Activation::silu}) {
    SCOPED_TRACE(to_string(activation));
    Array y(DType::fp32, count);
    Values expected(x.size());
    reference::activate(activation, x, expected);

    activate(DType::fp32, activation, device_x.data(), y.data(), count, stream);

    // An ulp is at most 2^-23 of the number.
    const Values is = y.get();
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_LE(std::abs(is[i] - expected[i]), (6 + 2 * std::abs(x[i])) * 0x1p-23 * std::abs(expected[i]))
          << "at " << x[i];
    }
  }
}

TEST(Activations, OfNotANumberAreNotANumber) {
  const Array device_x(DType::fp32, Values{std::numeric_limits<double>::quiet_NaN()});
  const cuda::Stream stream;
  for (const Activation activation : kActivations) {
    Array y(DType::fp32, 1);
    activate(DType::fp32, activation, device_x.data(), y.data(), 1, stream);
    EXPECT_TRUE(std::isnan(y.get()[0])) << to_string(activation);
  }
}

TEST_P(Pointwise, DropoutDropsWhatTheReferenceDrops) {
  const Values x(static_cast<std::size_t>(count()), 1.5);
  const Array device_x = in(x);
  Array y = out();
  Values expected_y = expected();
  reference::dropout(x, 0.5f, 77, expected_y);

  dropout(type(), device_x.data(), 0.5f, 77, y.data(), count(), stream_);

  expect_close(expected_y, y.get());
}

TEST_P(Pointwise, CastRoundsToNearestWhateverTheTypes) {
  for (const DType to : {DType::fp32, DType::fp16, DType::bf16}) {
    SCOPED_TRACE(to_string(to));
    const Values x = random(5);
    const Array device_x = in(x);
    Array y(to, count(), GetParam().out_offset);

    cast(type(), device_x.data(), to, y.data(), count(), stream_);

    expect_close(rounded(to, x), y.get());
  }
}

TEST_P(Pointwise, FusedBiasActivationDropoutAndResidualAgreeWithTheStepsInARow) {
  // Rows whose length is a multiple of a pack, and rows whose length is not.
  for (const std::int64_t columns : {1, 7, 24}) {
    SCOPED_TRACE(columns);
    const std::int64_t rows = count() / columns, size = rows * columns;
    const Values x = random_values(type(), size, 6), residual = random_values(type(), size, 7),
                 bias = random_values(type(), columns, 8);
    const Array device_x = in(x), device_residual = in(residual), device_bias = in(bias);
    Array y(type(), size, GetParam().out_offset), biased(type(), size, GetParam().out_offset);
    Values expected_y(x.size()), expected_biased(x.size());
    reference::bias_activation_residual(Activation::gelu_erf, x, bias, residual, 0.1f, 9, expected_y);
    reference::add_bias(x, bias, expected_biased);

    bias_activation_residual(type(), Activation::gelu_erf, device_x.data(), device_bias.data(), device_residual.data(),
                             0.1f, 9, y.data(), rows, columns, stream_);
    add_bias(type(), device_x.data(), device_bias.data(), biased.data(), rows, columns, stream_);

    expect_close(expected_y, y.get(), tolerance());
    expect_close(expected_biased, biased.get(), stored_as(type(), 1, 4));
  }
}

TEST_P(Pointwise, FusedChainsAgreeWithTheReferenceAndUnfusedOnesUpToTheirRoundings) {
  const Values x = random(10), other = random_values(type(), count(), 11, -1, 1);
  const Array device_x = in(x), device_other = in(other);
  for (int operations = 2; operations <= kLongestChain; ++operations) {
    SCOPED_TRACE(operations);
    Array fused = out(), unfused = out();
    Values expected_y = expected();
    reference::chain(x, other, operations, expected_y);

    chain_fused(type(), device_x.data(), device_other.data(), operations, fused.data(), count(), stream_);
    chain_unfused(type(), device_x.data(), device_other.data(), operations, unfused.data(), count(), stream_);

    expect_close(expected_y, fused.get(), tolerance());
    // Each step but the last rounds a value of at most 3 to the type, and no later step magnifies that by more than
    // GELU's and SiLU's greatest slope, 1.13 and 1.1.
    expect_close(expected_y, unfused.get(), {.absolute = 1.3 * 3 * operations * unit_roundoff(type()) + 1e-5});
  }
}

TEST_P(Pointwise, InPlaceIsTheSame) {
  const Values x = random(12), other = random(13);
  Array in_place = in(x), apart = in(x);
  const Array device_x = in(x), device_other = in(other);

  add(type(), in_place.data(), device_other.data(), in_place.data(), count(), stream_);
  add(type(), device_x.data(), device_other.data(), apart.data(), count(), stream_);

  expect_close(apart.get(), in_place.get());
}

INSTANTIATE_TEST_SUITE_P(Cases, Pointwise, testing::ValuesIn(cases()), name_of);

TEST(PointwiseArguments, AreRefusedByName) {
  Array x(DType::fp32, 8), y(DType::fp32, 8);
  const cuda::Stream stream;

  EXPECT_EQ(test::refusal([&] { add(DType::fp32, x.data(), nullptr, y.data(), 8, stream); }),
            "add: b must be an array, not null");
  EXPECT_EQ(test::refusal([&] { scale(DType::fp32, x.data(), 1, y.data(), -1, stream); }),
            "scale: count must be 0 or more");
  EXPECT_EQ(test::refusal([&] { dropout(DType::fp32, x.data(), 1, 1, y.data(), 8, stream); }),
            "dropout: probability must be 0 or more and less than 1");
  EXPECT_EQ(test::refusal([&] { chain_fused(DType::fp32, x.data(), x.data(), 9, y.data(), 8, stream); }),
            "chain_fused: operations must be 2 to 8");
  EXPECT_EQ(test::refusal([&] { add_bias(DType::fp32, x.data(), x.data(), y.data(), 2, 0, stream); }),
            "add_bias: columns must be 1 or more");
}

TEST(PointwiseActivations, KeepNotANumberAndInfinity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Array x(DType::fp32, Values{std::numeric_limits<double>::quiet_NaN(), kInfinity});
  const cuda::Stream stream;
  for (const Activation activation :
       {Activation::relu, Activation::gelu_erf, Activation::gelu_tanh, Activation::silu}) {
    Array y(DType::fp32, 2);
    activate(DType::fp32, activation, x.data(), y.data(), 2, stream);
    EXPECT_TRUE(std::isnan(y.get()[0])) << to_string(activation);
    EXPECT_EQ(y.get()[1], kInfinity) << to_string(activation);
  }
}

// One array in place: 2^31 + 17 elements of two bytes. Zeros times anything are zeros, but for the last element.
TEST(PointwiseScale, ReachesTheLastOfMoreThanTwoToThe31Elements) {
  constexpr std::int64_t kCount = (std::int64_t{1} << 31) + 17;
  auto memory = test::large_array(2 * kCount);
  if (!memory) return;
  auto* data = memory->data();
  const cuda::Stream stream;
  const auto one = from_float<__half>(1);
  __half last[2];
  cuda::check(cudaMemsetAsync(data, 0, memory->size_bytes(), stream));
  cuda::check(cudaMemcpyAsync(data + 2 * (kCount - 1), &one, 2, cudaMemcpyHostToDevice, stream));

  scale(DType::fp16, data, 3, data, kCount, stream);

  cuda::check(cudaMemcpyAsync(last, data + 2 * (kCount - 2), 4, cudaMemcpyDeviceToHost, stream));
  stream.synchronize();
  EXPECT_EQ(to_float(last[0]), 0);
  EXPECT_EQ(to_float(last[1]), 3);
}

}  // namespace
}  // namespace cupel::kernels::pointwise
