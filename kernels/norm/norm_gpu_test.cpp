#include "kernels/norm/norm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/norm/reference.hpp"

namespace cupel::kernels::norm {
namespace {

using test::Array;
using test::expect_close;
using test::random_values;
using test::stored_as;
using test::Values;

constexpr float kEpsilon = 1e-3f;  // as a float is, in the reference too

// A thread adds at most 64 elements one by one and the trees add ten more; the formula itself is ten operations. So a
// hundred roundings of values below 8 bound what fp32 adds to the one rounding of the store.
constexpr double kSteps = 100;
constexpr double kMagnitude = 8;

struct Case {
  DType type;
  std::int64_t rows, columns, offset;
};

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.type)) + "_" + std::to_string(info.param.rows) + "x" +
         std::to_string(info.param.columns) + "_from_" + std::to_string(info.param.offset);
}

// Columns either side of where another kernel takes over: two packs a lane (fp32 64, 16 bits 128), four of a warp (512,
// 1024), of a block (8192, 16384), more of them in registers and shared memory (32768, 65536), and in part read again
// (gradients in fp32). Odd numbers and offsets go by single elements, by a warp up to 1024 columns and by a block
// beyond.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    all.push_back({type, 0, 64, 0});
    all.push_back({type, 1, 1, 0});
    for (const std::int64_t columns : {8, 32, 33, 64, 72, 120, 128, 136, 256, 264, 512, 520, 1024, 1032, 4096, 4099}) {
      all.push_back({type, 7, columns, 0});
    }
    all.push_back({type, 1031, 40, 0});
    all.push_back({type, 5, 1024, 1});
    all.push_back({type, 5, 2048, 3});
    for (const std::int64_t columns : {8192, 8200, 16384, 16392, 32768, 32776, 50008, 65535, 65536}) {
      all.push_back({type, 2, columns, 0});
    }
  }
  return all;
}

// The error of a sum over the rows: one addition a row of a strip, and one a strip.
double roundings_of_sums(const Shape& shape) {
  const double strips = row_strips(shape);
  return static_cast<double>(shape.rows) / strips + strips + 8;
}

class Norm : public testing::TestWithParam<Case> {
 protected:
  DType type() const { return GetParam().type; }
  Shape shape() const { return {GetParam().rows, GetParam().columns}; }
  std::int64_t count() const { return shape().rows * shape().columns; }
  std::int64_t columns() const { return shape().columns; }
  Values random(std::uint64_t seed) const { return random_values(type(), count(), seed); }
  Values of_columns(std::uint64_t seed) const { return random_values(type(), columns(), seed, 0.5, 1.5); }
  Array in(const Values& values) const { return Array(type(), values, GetParam().offset); }
  Array out() const { return Array(type(), count(), GetParam().offset); }
  Array of_rows() const { return Array(DType::fp32, shape().rows); }
  Values values() const { return Values(static_cast<std::size_t>(count())); }
  verify::Tolerance tolerance() const { return stored_as(type(), kSteps, kMagnitude); }
  // Some six temporaries of values below `magnitude` are rounded to the type.
  verify::Tolerance textbook_tolerance(double magnitude) const {
    return {.absolute = 6 * unit_roundoff(type()) * magnitude + kSteps * kMagnitude * 0x1p-24};
  }

  cuda::Stream stream_;
};

TEST_P(Norm, LayerNormForwardAndBackwardAgreeWithTheReference) {
  const Values x = random(1), gamma = of_columns(2), beta = of_columns(3), d_out = random(4);
  const Array device_x = in(x), device_gamma = in(gamma), device_beta = in(beta), device_d_out = in(d_out);
  Array y = out(), textbook = out(), d_in = out(), mean = of_rows(), inverse = of_rows();
  Array d_in_textbook = out();
  Array d_gamma(DType::fp32, columns()), d_beta(DType::fp32, columns()), partial(DType::fp32, partial_floats(shape()));
  TextbookWorkspace workspace(type(), shape());
  Values expected = values(), expected_d_in = values(), expected_d_gamma(gamma.size()), expected_d_beta(gamma.size());
  reference::layer_norm(x, gamma, beta, kEpsilon, expected, columns());
  reference::layer_norm_backward(x, gamma, d_out, kEpsilon, expected_d_in, expected_d_gamma, expected_d_beta,
                                 columns());

  layer_norm(type(), device_x.data(), device_gamma.data(), device_beta.data(), kEpsilon, y.data(), mean.floats(),
             inverse.floats(), shape(), stream_);
  layer_norm_backward(type(), device_x.data(), device_gamma.data(), device_d_out.data(), mean.floats(),
                      inverse.floats(), d_in.data(), shape(), stream_);
  parameter_gradients(type(), device_x.data(), device_d_out.data(), mean.floats(), inverse.floats(), d_gamma.floats(),
                      d_beta.floats(), partial.floats(), shape(), stream_);
  layer_norm_backward_textbook(type(), device_x.data(), device_gamma.data(), device_d_out.data(), mean.floats(),
                               inverse.floats(), d_in_textbook.data(), workspace, shape(), stream_);
  layer_norm_textbook(type(), device_x.data(), device_gamma.data(), device_beta.data(), kEpsilon, textbook.data(),
                      workspace, shape(), stream_);

  // A row of one column has no deviation: what is left of it is rounding, divided by the root of epsilon (32).
  expect_close(expected, y.get(), tolerance());
  expect_close(expected, textbook.get(), textbook_tolerance(16));
  const double largest_inverse = columns() < 16 ? 32 : 4;
  expect_close(expected_d_in, d_in.get(), stored_as(type(), kSteps, kMagnitude * largest_inverse));
  expect_close(expected_d_in, d_in_textbook.get(), textbook_tolerance(16 * largest_inverse));
  const double roundings = roundings_of_sums(shape());
  const verify::Tolerance sums{.absolute = roundings * 0x1p-24 * 8 * static_cast<double>(shape().rows) + 1e-6};
  expect_close(expected_d_gamma, d_gamma.get(), sums);
  expect_close(expected_d_beta, d_beta.get(), sums);

  parameter_gradients_textbook(type(), device_x.data(), device_d_out.data(), mean.floats(), inverse.floats(),
                               d_gamma.floats(), d_beta.floats(), partial.floats(), workspace, shape(), stream_);
  const verify::Tolerance rounded_sums = textbook_tolerance(16 * largest_inverse * static_cast<double>(shape().rows));
  expect_close(expected_d_gamma, d_gamma.get(), rounded_sums);
  expect_close(expected_d_beta, d_beta.get(), rounded_sums);
}

TEST_P(Norm, RmsNormForwardAndBackwardAgreeWithTheReference) {
  const Values x = random(1), gamma = of_columns(2), d_out = random(4);
  const Array device_x = in(x), device_gamma = in(gamma), device_d_out = in(d_out);
  Array y = out(), textbook = out(), d_in = out(), d_in_textbook = out(), inverse = of_rows();
  TextbookWorkspace workspace(type(), shape());
  Values expected = values(), expected_d_in = values(), expected_d_gamma(gamma.size());
  reference::rms_norm(x, gamma, kEpsilon, expected, columns());
  reference::rms_norm_backward(x, gamma, d_out, kEpsilon, expected_d_in, expected_d_gamma, columns());

  rms_norm(type(), device_x.data(), device_gamma.data(), kEpsilon, y.data(), inverse.floats(), shape(), stream_);
  rms_norm_backward(type(), device_x.data(), device_gamma.data(), device_d_out.data(), inverse.floats(), d_in.data(),
                    shape(), stream_);
  rms_norm_backward_textbook(type(), device_x.data(), device_gamma.data(), device_d_out.data(), inverse.floats(),
                             d_in_textbook.data(), workspace, shape(), stream_);
  rms_norm_textbook(type(), device_x.data(), device_gamma.data(), kEpsilon, textbook.data(), workspace, shape(),
                    stream_);

  expect_close(expected, y.get(), tolerance());
  expect_close(expected, textbook.get(), textbook_tolerance(16));
  const double largest_inverse = columns() < 16 ? 32 : 4;
  expect_close(expected_d_in, d_in.get(), stored_as(type(), kSteps, kMagnitude * largest_inverse));
  expect_close(expected_d_in, d_in_textbook.get(), textbook_tolerance(16 * largest_inverse));
}

// Shares are at most 1; exp is within 2 ulp, its argument within half an ulp of 32 at most: 2^-20 relative.
verify::Tolerance share_tolerance(DType type) {
  return {.absolute = kSteps * 0x1p-24 + (type == DType::fp16 ? 0x1p-25 : 0),
          .relative = 1.001 * unit_roundoff(type) + 0x1p-19};
}

TEST_P(Norm, SoftmaxForwardAndBackwardAgreeWithTheReference) {
  const Values x = random_values(type(), count(), 5, -8, 8), d_out = random(6);
  const Array device_x = in(x), device_d_out = in(d_out);
  Array y = out(), textbook = out(), d_in = out(), d_in_textbook = out();
  TextbookWorkspace workspace(type(), shape());
  Values expected = values(), expected_d_in = values();
  reference::softmax(x, expected, columns());

  softmax(type(), device_x.data(), y.data(), shape(), stream_);
  softmax_textbook(type(), device_x.data(), textbook.data(), workspace, shape(), stream_);
  expect_close(expected, y.get(), share_tolerance(type()));
  // Differences of up to 16 are rounded to the type before the exponential, which turns that into a relative error.
  expect_close(expected, textbook.get(), {.absolute = 1e-5, .relative = (16 + 3) * unit_roundoff(type()) + 0x1p-19});

  const Values stored = y.get();
  reference::softmax_backward(stored, d_out, expected_d_in, columns());
  softmax_backward(type(), y.data(), device_d_out.data(), d_in.data(), shape(), stream_);
  softmax_backward_textbook(type(), y.data(), device_d_out.data(), d_in_textbook.data(), workspace, shape(), stream_);
  expect_close(expected_d_in, d_in.get(), stored_as(type(), kSteps, 4));
  expect_close(expected_d_in, d_in_textbook.get(), textbook_tolerance(4));
}

TEST_P(Norm, CrossEntropyForwardAndBackwardAgreeWithTheReference) {
  const Values x = random_values(type(), count(), 7, -8, 8);
  std::vector<std::int32_t> label;
  for (std::int64_t r = 0; r < shape().rows; ++r) label.push_back(static_cast<std::int32_t>((r * 37 + 5) % columns()));
  cuda::DeviceBuffer<std::int32_t> device_label(std::max<std::size_t>(1, label.size()));
  if (!label.empty()) device_label.from_host(std::span<const std::int32_t>(label));
  const Array device_x = in(x);
  Array loss = of_rows(), log_sum = of_rows(), textbook = of_rows(), d_in = out(), d_in_textbook = out();
  TextbookWorkspace workspace(type(), shape());
  Values expected(label.size()), expected_d_in = values();
  reference::cross_entropy(x, label, expected, columns());
  reference::cross_entropy_backward(x, label, 0.5, expected_d_in, columns());

  cross_entropy(type(), device_x.data(), device_label.data(), loss.floats(), log_sum.floats(), shape(), stream_);
  cross_entropy_backward(type(), device_x.data(), device_label.data(), log_sum.floats(), 0.5f, d_in.data(), shape(),
                         stream_);
  cross_entropy_backward_textbook(type(), device_x.data(), device_label.data(), log_sum.floats(), 0.5f,
                                  d_in_textbook.data(), shape(), stream_);
  cross_entropy_textbook(type(), device_x.data(), device_label.data(), textbook.floats(), workspace, shape(), stream_);

  // A loss is below 32; the logarithm turns the sum's relative error of kSteps roundings into an absolute one.
  expect_close(expected, loss.get(), {.absolute = (kSteps + 64) * 0x1p-24});
  expect_close(expected, textbook.get(), {.absolute = (32 + 16 + 3) * unit_roundoff(type()) + 1e-5});
  expect_close(expected_d_in, d_in.get(), stored_as(type(), kSteps, 1));
  // A share p is off by p log p, at most 0.37, roundings of its exponent, and three of its own.
  expect_close(expected_d_in, d_in_textbook.get(), {.absolute = 4 * unit_roundoff(type()) + kSteps * 0x1p-24});
}

INSTANTIATE_TEST_SUITE_P(Cases, Norm, testing::ValuesIn(cases()), name_of);

class BatchNorm : public testing::TestWithParam<Case> {};

TEST_P(BatchNorm, TrainingInferenceAndBackwardAgreeWithTheReference) {
  const auto [type, rows, columns, offset] = GetParam();
  const Shape shape{rows, columns};
  const std::int64_t count = rows * columns;
  const cuda::Stream stream;
  const Values x = random_values(type, count, 1), d_out = random_values(type, count, 2);
  const Values gamma = random_values(DType::fp32, columns, 3, 0.5, 1.5), beta = random_values(DType::fp32, columns, 4);
  Array device_x(type, x, offset), device_d_out(type, d_out, offset), y(type, count, offset),
      folded(type, count, offset), d_in(type, count, offset);
  Array device_gamma(DType::fp32, gamma), device_beta(DType::fp32, beta), mean(DType::fp32, columns),
      inverse(DType::fp32, columns), factor(DType::fp32, columns), shift(DType::fp32, columns),
      d_gamma(DType::fp32, columns), d_beta(DType::fp32, columns), partial(DType::fp32, partial_floats(shape));
  const std::vector<double> zeros(static_cast<std::size_t>(columns));
  Values expected(x.size()), plain(x.size()), expected_d_in(x.size()),
      expected_mean = zeros, variance = zeros, expected_d_gamma = zeros, expected_d_beta = zeros;
  if (count > 0) {
    reference::batch_norm(x, gamma, beta, kEpsilon, false, plain, expected_mean, variance, columns);
    reference::batch_norm(x, gamma, beta, kEpsilon, true, expected, expected_mean, variance, columns);
    reference::batch_norm_backward(x, d_out, gamma, kEpsilon, expected_d_in, expected_d_gamma, expected_d_beta,
                                   columns);
  }
  Array device_mean(DType::fp32, expected_mean), device_variance(DType::fp32, variance);

  batch_norm_training(type, device_x.data(), device_gamma.floats(), device_beta.floats(), kEpsilon, true, y.data(),
                      mean.floats(), inverse.floats(), partial.floats(), shape, stream);
  fold_batch_norm(device_gamma.floats(), device_beta.floats(), device_mean.floats(), device_variance.floats(), kEpsilon,
                  factor.floats(), shift.floats(), columns, stream);
  scale_shift(type, device_x.data(), factor.floats(), shift.floats(), false, folded.data(), shape, stream);
  batch_norm_backward(type, device_x.data(), device_d_out.data(), device_gamma.floats(), mean.floats(),
                      inverse.floats(), d_in.data(), d_gamma.floats(), d_beta.floats(), partial.floats(), shape,
                      stream);

  TextbookWorkspace workspace(type, shape);
  Array textbook(type, count, offset), inferred(type, count, offset), d_in_textbook(type, count, offset),
      mean_textbook(DType::fp32, columns), inverse_textbook(DType::fp32, columns),
      d_gamma_textbook(DType::fp32, columns), d_beta_textbook(DType::fp32, columns);
  batch_norm_training_textbook(type, device_x.data(), device_gamma.floats(), device_beta.floats(), kEpsilon, true,
                               textbook.data(), mean_textbook.floats(), inverse_textbook.floats(), partial.floats(),
                               workspace, shape, stream);
  Array scratch(DType::fp32, columns);
  batch_norm_inference_textbook(type, device_x.data(), device_gamma.floats(), device_beta.floats(),
                                device_mean.floats(), device_variance.floats(), kEpsilon, true, inferred.data(),
                                scratch.floats(), workspace, shape, stream);
  batch_norm_backward_textbook(type, device_x.data(), device_d_out.data(), device_gamma.floats(), mean.floats(),
                               inverse.floats(), d_in_textbook.data(), d_gamma_textbook.floats(),
                               d_beta_textbook.floats(), partial.floats(), workspace, shape, stream);

  // Where a column has few rows its deviation may be small, and the root of epsilon bounds the inverse (32).
  const double steps = 100 + roundings_of_sums(shape), magnitude = rows < 32 ? 8 * 32 : 8;
  expect_close(expected, y.get(), stored_as(type, steps, magnitude));
  expect_close(plain, folded.get(), stored_as(type, steps, magnitude));
  if (count == 0) return;
  const verify::Tolerance sums{.absolute = roundings_of_sums(shape) * 0x1p-24 * magnitude * static_cast<double>(rows)};
  expect_close(expected_d_gamma, d_gamma.get(), sums);
  expect_close(expected_d_beta, d_beta.get(), sums);
  expect_close(expected_d_in, d_in.get(), stored_as(type, 3 * steps, rows < 32 ? magnitude * 32 : magnitude));

  // Some ten temporaries below 4 are rounded to the type; the inverse deviation magnifies what is before it.
  const double rounded = 10 * 4 * unit_roundoff(type), largest_inverse = rows < 32 ? 32 : 4;
  expect_close(expected, textbook.get(), {.absolute = rounded + steps * 0x1p-24 * magnitude});
  expect_close(expected, inferred.get(), {.absolute = rounded + steps * 0x1p-24 * magnitude});
  expect_close(expected_d_gamma, d_gamma_textbook.get(),
               {.absolute = sums.absolute + static_cast<double>(rows) * 4 * unit_roundoff(type)});
  expect_close(expected_d_beta, d_beta_textbook.get(), sums);
  expect_close(expected_d_in, d_in_textbook.get(),
               {.absolute = (rounded + 3 * steps * 0x1p-24 * magnitude) * largest_inverse});
}

TEST_P(BatchNorm, WithReluIsTheReferencesForwardAndBackward) {
  const auto [type, rows, columns, offset] = GetParam();
  const Shape shape{rows, columns};
  const std::int64_t count = rows * columns;
  const cuda::Stream stream;
  const Values x = random_values(type, count, 1), d_out = random_values(type, count, 2);
  const Values gamma = random_values(DType::fp32, columns, 3, 0.5, 1.5), beta = random_values(DType::fp32, columns, 4);
  const Array device_x(type, x, offset), device_d_out(type, d_out, offset);
  Array device_gamma(DType::fp32, gamma), device_beta(DType::fp32, beta), y(type, count, offset),
      plain(type, count, offset), d_in(type, count, offset), mean(DType::fp32, columns), inverse(DType::fp32, columns),
      d_gamma(DType::fp32, columns), d_beta(DType::fp32, columns), partial(DType::fp32, partial_floats(shape));

  for (const bool relu : {false, true}) {
    batch_norm_training(type, device_x.data(), device_gamma.floats(), device_beta.floats(), kEpsilon, relu,
                        relu ? y.data() : plain.data(), mean.floats(), inverse.floats(), partial.floats(), shape,
                        stream);
  }
  batch_norm_relu_backward(type, device_x.data(), y.data(), device_d_out.data(), device_gamma.floats(), mean.floats(),
                           inverse.floats(), d_in.data(), d_gamma.floats(), d_beta.floats(), partial.floats(), shape,
                           stream);

  if (count == 0) return;  // guards are left alone
  const Values out = y.get();
  Values expected(x.size()), expected_d_in(x.size()), expected_mean(gamma.size()), variance(gamma.size()),
      expected_d_gamma(gamma.size()), expected_d_beta(gamma.size());
  // Bounds as above.
  const double steps = 100 + roundings_of_sums(shape), magnitude = rows < 32 ? 8 * 32 : 8;
  const verify::Tolerance sums{.absolute = roundings_of_sums(shape) * 0x1p-24 * magnitude * static_cast<double>(rows)};
  reference::batch_norm(x, gamma, beta, kEpsilon, false, expected, expected_mean, variance, columns);
  expect_close(expected, plain.get(), stored_as(type, steps, magnitude));
  for (double& value : expected) value = std::max(value, 0.0);
  expect_close(expected, out, stored_as(type, steps, magnitude));
  // Which elements pass is the kernel's own output's to say: near 0 the formula's may have the other sign.
  reference::batch_norm_relu_backward(x, out, d_out, gamma, kEpsilon, expected_d_in, expected_d_gamma, expected_d_beta,
                                      columns);
  expect_close(expected_d_gamma, d_gamma.get(), sums);
  expect_close(expected_d_beta, d_beta.get(), sums);
  expect_close(expected_d_in, d_in.get(), stored_as(type, 3 * steps, rows < 32 ? magnitude * 32 : magnitude));
}

std::vector<Case> batch_cases() {
  std::vector<Case> all;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    for (const std::int64_t columns : {1, 3, 64, 255, 257, 264}) {
      for (const std::int64_t rows : {0, 2, 255, 257, 1031}) all.push_back({type, rows, columns, columns % 3});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Cases, BatchNorm, testing::ValuesIn(batch_cases()), name_of);

// In one launch: a row or two of a thread, a tile that is not full, more rows than stay on the SMs, forward (fp32) and
// backward.
std::vector<Case> resident_cases() {
  std::vector<Case> all = {{DType::fp32, 130003, 64, 0}};
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    all.push_back({type, 8461, 64, 0});
    all.push_back({type, 20011, 72, 0});
    all.push_back({type, 9001, 264, 0});
    all.push_back({type, 90001, 64, 0});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Resident, BatchNorm, testing::ValuesIn(resident_cases()), name_of);

// Mean 30000, deviation below 1: the difference of the mean of squares and the square of the mean would be off by 50.
// The mean of a row is off by a few ulp of 30000, 2^-9 each.
TEST(LayerNorm, OfValuesFarFromZeroKeepsTheirDeviation) {
  const cuda::Stream stream;
  for (const std::int64_t columns : {256, 8192, 65536, 8191}) {
    SCOPED_TRACE(columns);
    const Values x = random_values(DType::fp32, columns, 1, 29'999, 30'001), ones(x.size(), 1), zeros(x.size(), 0);
    Array device_x(DType::fp32, x), gamma(DType::fp32, ones), beta(DType::fp32, zeros), y(DType::fp32, columns);
    Values expected(x.size());
    reference::layer_norm(x, ones, zeros, kEpsilon, expected, columns);

    layer_norm(DType::fp32, device_x.data(), gamma.data(), beta.data(), kEpsilon, y.data(), nullptr, nullptr,
               {1, columns}, stream);

    expect_close(expected, y.get(), {.absolute = 0.1});
  }
}

TEST(Softmax, OfARowOfMinusInfinityIsNotANumberAndOfOneWithAFiniteElementIsRight) {
  const cuda::Stream stream;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::int64_t columns : {8, 1000, 1001, 65536}) {
    SCOPED_TRACE(columns);
    Values nothing(static_cast<std::size_t>(columns), -kInfinity), one = nothing, expected(one.size(), 0);
    one.back() = -1000;
    expected.back() = 1;
    Array device_nothing(DType::fp32, nothing), device_one(DType::fp32, one), y(DType::fp32, columns);

    softmax(DType::fp32, device_one.data(), y.data(), {1, columns}, stream);
    EXPECT_EQ(y.get(), expected);
    softmax(DType::fp32, device_nothing.data(), y.data(), {1, columns}, stream);
    EXPECT_TRUE(std::isnan(y.get().front()));
  }
}

// The error in rows whose elements are large beside their differences, as far as the type tells them apart.
TEST(Exponentials, OfValuesFarFromZeroAreOfTheirDifferences) {
  const cuda::Stream stream;
  const std::vector<std::int32_t> label = {5};
  const cuda::DeviceBuffer<std::int32_t> device_label{std::span<const std::int32_t>(label)};
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    for (const double magnitude : {-3e4, 3e4, 1e6, 3e8, 6e8, 1e12, -1e12, 3e38}) {
      if (type == DType::fp16 && std::abs(magnitude) > 65504) continue;
      // Some twenty of the type's numbers, but differences of at least 10 in all.
      const double width = std::max(5.0, 20 * std::abs(magnitude) * unit_roundoff(type));
      for (const std::int64_t columns : {8, 64, 1000, 1001, 8192, 65536}) {
        SCOPED_TRACE(testing::Message() << to_string(type) << ", about " << magnitude << ", columns " << columns);
        const Values x = random_values(type, columns, 3, magnitude - width, magnitude + width);
        Array in(type, x), y(type, columns), loss(DType::fp32, 1), log_sum(DType::fp32, 1);
        Values expected(x.size()), expected_loss(1);
        reference::softmax(x, expected, columns);
        reference::cross_entropy(x, label, expected_loss, columns);

        softmax(type, in.data(), y.data(), {1, columns}, stream);
        cross_entropy(type, in.data(), device_label.data(), loss.floats(), log_sum.floats(), {1, columns}, stream);

        expect_close(expected, y.get(), stored_as(type, kSteps, 1));
        expect_close(expected_loss, loss.get(), {.absolute = (kSteps + 64) * 0x1p-24, .relative = 0x1p-22});
      }
    }
  }
}

TEST(CrossEntropy, OfALabelThatIsNoColumnIsNotANumber) {
  const cuda::Stream stream;
  Array x(DType::fp32, Values{1, 2, 3, 4}), loss(DType::fp32, 1), log_sum(DType::fp32, 1);
  for (const std::int32_t wrong : {-1, 4}) {
    const std::vector<std::int32_t> label = {wrong};
    const cuda::DeviceBuffer<std::int32_t> device_label{std::span<const std::int32_t>(label)};

    cross_entropy(DType::fp32, x.data(), device_label.data(), loss.floats(), log_sum.floats(), {1, 4}, stream);

    EXPECT_TRUE(std::isnan(loss.get()[0])) << wrong;
  }
}

TEST(NormInPlace, IsTheSame) {
  const cuda::Stream stream;
  for (const std::int64_t columns : {64, 4096, 4097, 65536}) {
    const Values x = random_values(DType::fp16, 3 * columns, 1);
    Array in_place(DType::fp16, x), in(DType::fp16, x), out(DType::fp16, 3 * columns);

    softmax(DType::fp16, in_place.data(), in_place.data(), {3, columns}, stream);
    softmax(DType::fp16, in.data(), out.data(), {3, columns}, stream);

    EXPECT_EQ(in_place.get(), out.get()) << columns;
  }
}

TEST(NormArguments, AreRefusedByName) {
  Array x(DType::fp32, 8);
  const cuda::Stream stream;
  const auto of_softmax = [&](const void* in, const Shape& shape) {
    return test::refusal([&] { softmax(DType::fp32, in, x.data(), shape, stream); });
  };

  EXPECT_EQ(of_softmax(nullptr, {1, 8}), "softmax: in must be an array, not null");
  EXPECT_EQ(of_softmax(x.data(), {-1, 8}), "softmax: shape.rows must be 0 to 2147483647");
  EXPECT_EQ(of_softmax(x.data(), {1, 0}), "softmax: shape.columns must be 1 to 65536");
  EXPECT_EQ(of_softmax(x.data(), {1, 65537}), "softmax: shape.columns must be 1 to 65536");
  EXPECT_EQ(test::refusal([&] {
              layer_norm(DType::fp32, x.data(), nullptr, x.data(), 0, x.data(), nullptr, nullptr, {1, 8}, stream);
            }),
            "layer_norm: gamma must be an array, not null");
  EXPECT_EQ(test::refusal([&] {
              batch_norm_relu_backward(DType::fp32, x.data(), nullptr, x.data(), x.floats(), x.floats(), x.floats(),
                                       x.data(), x.floats(), x.floats(), x.floats(), {1, 8}, stream);
            }),
            "batch_norm_relu_backward: out must be an array, not null");
}

// 2^31 + 65536 equal elements of two bytes in rows of 65536: every share is 2^-16, exact in fp16 (a subnormal number).
TEST(Softmax, ReachesTheLastOfMoreThanTwoToThe31Elements) {
  constexpr std::int64_t kRows = 32769, kColumns = 65536, kCount = kRows * kColumns;
  auto memory = test::large_array(2 * kCount);
  if (!memory) return;
  const cuda::Stream stream;
  __half last = from_float<__half>(0);
  cuda::check(cudaMemsetAsync(memory->data(), 0, memory->size_bytes(), stream));

  softmax(DType::fp16, memory->data(), memory->data(), {kRows, kColumns}, stream);

  cuda::check(cudaMemcpyAsync(&last, memory->data() + 2 * (kCount - 1), 2, cudaMemcpyDeviceToHost, stream));
  stream.synchronize();
  EXPECT_EQ(to_float(last), 0x1p-16f);
}

}  // namespace
}  // namespace cupel::kernels::norm
