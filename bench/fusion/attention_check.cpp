#include "bench/fusion/attention_check.hpp"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>

#include "bench/fusion/all_gradients.hpp"
#include "bench/fusion/all_rows.hpp"
#include "bench/fusion/arrays.hpp"
#include "cupel/cuda/cuda.hpp"
#include "kernels/attention/statistics.hpp"

namespace cupel::bench::fusion {
namespace {

namespace attention = kernels::attention;

attention::Rounding rounding_of(kernels::DType type, AttentionWay way) {
  return {.unit = kernels::unit_roundoff(type),
          .subnormal = type == kernels::DType::fp16 ? 0x1p-25 : 0,
          .scores = way == AttentionWay::unfused};
}

std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.6g", x);
  return digits;
}

const void* from(const void* tensor, kernels::DType type, std::int64_t first) {
  return static_cast<const char*>(tensor) + first * kernels::size_of(type);
}

}  // namespace

AttentionCheck::AttentionCheck(const AttentionShape& shape, const AttentionTensors& tensors, AttentionWay way,
                               std::int64_t matrix_index)
    : shape_(shape),
      tensors_(tensors),
      rounding_(rounding_of(shape.type, way)),
      first_(matrix_index * shape.sequence * shape.size),
      q_(matrix(tensors.q)),
      k_(matrix(tensors.k)),
      v_(matrix(tensors.v)) {}

std::vector<double> AttentionCheck::matrix(const void* tensor) const {
  return elements(shape_.type, tensor, first_, shape_.sequence * shape_.size);
}

attention::Head AttentionCheck::head() const {
  return {q_, k_, v_, shape_.sequence, shape_.size, shape_.causal, shape_.scale()};
}

const std::vector<double>& AttentionCheck::d_out() {
  if (d_out_.empty()) d_out_ = matrix(tensors_.d_out);
  return d_out_;
}

const std::vector<attention::RowStatistics>& AttentionCheck::statistics() {
  if (!statistics_.empty()) return statistics_;
  cuda::DeviceBuffer<attention::RowStatistics> found(static_cast<std::size_t>(shape_.sequence));
  const auto of_matrix = [this](const void* tensor) { return from(tensor, shape_.type, first_); };
  const cuda::Stream stream;
  attention::row_statistics(shape_.type, of_matrix(tensors_.q), of_matrix(tensors_.k), of_matrix(tensors_.v),
                            of_matrix(tensors_.d_out), {shape_.sequence, shape_.size, shape_.causal, shape_.scale()},
                            found.data(), stream);
  statistics_ = found.to_host();
  return statistics_;
}

void AttentionCheck::compare(const char* name, const void* tensor, std::int64_t i, const attention::Row& expected) {
  const std::vector<double> seen = elements(shape_.type, tensor, first_ + i * shape_.size, shape_.size);
  for (std::size_t c = 0; c < seen.size(); ++c) {
    const double error = std::fabs(seen[c] - expected.values[c]);
    ++checked_;
    squared_error_ += std::isnan(error) ? std::numeric_limits<double>::infinity() : error * error;
    squared_value_ += expected.values[c] * expected.values[c];
    if (error <= expected.allowed[c]) continue;  // false for NaN
    if (wrong_++ > 0) continue;
    first_wrong_ = std::string(name) + " of row " + std::to_string(i) + ", column " + std::to_string(c) + " is " +
                   text(seen[c]) + ", not " + text(expected.values[c]) + " within " + text(expected.allowed[c]);
  }
}

void AttentionCheck::out(std::int64_t i) { compare("out", tensors_.out, i, out_row(head(), i, rounding_)); }

void AttentionCheck::d_query(std::int64_t i) {
  compare("d_q", tensors_.d_q, i, d_query_row(head(), d_out(), i, rounding_));
}

void AttentionCheck::d_key(std::int64_t i) {
  compare("d_k", tensors_.d_k, i, d_key_row(head(), d_out(), statistics(), i, rounding_));
}

void AttentionCheck::d_value(std::int64_t i) {
  compare("d_v", tensors_.d_v, i, d_value_row(head(), d_out(), statistics(), i, rounding_));
}

std::string AttentionCheck::message() const {
  if (passed()) return "all " + std::to_string(checked_) + " elements agree";
  return std::to_string(wrong_) + " of " + std::to_string(checked_) + " elements are wrong; first " + first_wrong_;
}

double AttentionCheck::relative_error() const {
  return squared_value_ == 0 ? 0 : std::sqrt(squared_error_ / squared_value_);
}

// A result is a sum of shares times values, so its product with d_out is one of shares times slopes. A share is off by
// a rounding, and by one more for each unit of its score where scores are stored, and their sum, by which they are
// divided, by as much at most; the errors of shares are independent. The result's elements are rounded once each.
std::string wrong_query(const AttentionShape& shape, const AttentionTensors& tensors, AttentionWay way) {
  constexpr double kDeviations = 8, kLargeScore = 4;  // scores of normal numbers have a deviation of 1
  const std::int64_t rows = shape.matrices() * shape.sequence;
  cuda::DeviceBuffer<attention::RowStatistics> expected(static_cast<std::size_t>(rows));
  cuda::DeviceBuffer<RowDot> seen(static_cast<std::size_t>(rows));
  const cuda::Stream stream;
  for (std::int64_t matrix = 0; matrix < shape.matrices(); ++matrix) {
    const auto of_matrix = [&](const void* tensor) {
      return from(tensor, shape.type, matrix * shape.sequence * shape.size);
    };
    attention::row_statistics(shape.type, of_matrix(tensors.q), of_matrix(tensors.k), of_matrix(tensors.v),
                              of_matrix(tensors.d_out), {shape.sequence, shape.size, shape.causal, shape.scale()},
                              expected.data() + matrix * shape.sequence, stream);
  }
  row_dots(shape.type, tensors.out, tensors.d_out, {rows, shape.size}, seen.data(), stream);
  const std::vector<attention::RowStatistics> right = expected.to_host();
  const std::vector<RowDot> dots = seen.to_host();
  const double unit = kernels::unit_roundoff(shape.type), rounded = way == AttentionWay::unfused ? 1 + kLargeScore : 1;
  for (std::size_t row = 0; row < dots.size(); ++row) {
    const double shares = rounded * right[row].norm_slope, sum = std::fabs(right[row].mean_slope);
    const double allowed = kDeviations * unit * (shares + sum + std::sqrt(dots[row].squares));
    if (std::fabs(dots[row].sum - right[row].mean_slope) <= allowed) continue;  // false for NaN
    const auto place = static_cast<std::int64_t>(row);
    return "query " + std::to_string(place % shape.sequence) + " of matrix " + std::to_string(place / shape.sequence) +
           ": its result by d_out is " + text(dots[row].sum) + ", not " + text(right[row].mean_slope) + " within " +
           text(allowed);
  }
  return "";
}

std::string wrong_gradient(const AttentionShape& shape, const AttentionTensors& tensors, AttentionWay way) {
  return find_wrong_gradients(shape, tensors, rounding_of(shape.type, way)).message(shape);
}

}  // namespace cupel::bench::fusion
