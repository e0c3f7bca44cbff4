#include "bench/conv/problem.hpp"

#include <algorithm>
#include <cmath>

namespace cupel::bench::conv {

using device::Arithmetic;
using kernels::dot::Element;

const char* to_string(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::tf32:
      return "tf32";
    case Precision::fp16:
      return "fp16";
    case Precision::bf16:
      return "bf16";
    case Precision::fp8_e4m3:
      break;
  }
  return "fp8_e4m3";
}

const char* to_string(Layout layout) { return layout == Layout::channels_first ? "nchw" : "nhwc"; }

Element operand_element(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return Element::fp32;
    case Precision::fp16:
      return Element::fp16;
    case Precision::bf16:
      return Element::bf16;
    case Precision::fp8_e4m3:
      break;
  }
  return Element::fp8_e4m3;
}

Element result_element(Precision precision) {
  return precision == Precision::fp8_e4m3 ? Element::bf16 : operand_element(precision);
}

Arithmetic arithmetic(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return Arithmetic::fp32;
    case Precision::tf32:
      return Arithmetic::tf32;
    case Precision::fp16:
      return Arithmetic::fp16;
    case Precision::bf16:
      return Arithmetic::bf16;
    case Precision::fp8_e4m3:
      break;
  }
  return Arithmetic::fp8;
}

// No normal number of verify::Generator is beyond 6.7: they are spread over the range, as a scale of the tensor does.
double step_of(Precision precision) { return precision == Precision::fp8_e4m3 ? 6.7 / 448 : 1; }

std::int64_t Problem::left_count() const { return pass == Pass::forward ? input_count(shape) : output_count(shape); }

std::int64_t Problem::right_count() const {
  return pass == Pass::backward_filter ? input_count(shape) : filter_count(shape);
}

std::int64_t Problem::result_count() const { return kernels::dot::result_count(shape, pass); }

record::Workload Problem::work() const {
  return {.bytes_read = size_bytes(operand_element(precision), left_count() + right_count()),
          .bytes_written = size_bytes(result_element(precision), result_count()),
          .flops = flops(shape)};
}

std::int64_t Problem::memory_bytes() const { return work().bytes(); }

bool is_half(Precision precision) { return precision == Precision::fp16 || precision == Precision::bf16; }

namespace {

// TF32 is off by 2.5e-4 and more, whatever the length: half of that is no fp32.
constexpr double kNotFp32 = 0x1p-13;

}  // namespace

// As PyTorch has it: fp32 without TF32 takes no engine with the note of tensor cores, in no case one that rounds fp32
// to half. What keeps sums in less than fp32 is taken where the result is in a half format, as frameworks do.
bool legal(Precision precision, const Notes& notes) {
  if (notes.down_converts) return false;
  if (notes.reduces_precision && !is_half(precision)) return false;
  return precision != Precision::fp32 || !notes.tensor_cores;
}

namespace {

// A sum of k products that lacks one lacks 1 / sqrt(k) of the norm: half of that.
double half_a_product(const Problem& problem) {
  return 0.5 / std::sqrt(static_cast<double>(reduction_length(problem.shape, problem.pass)));
}

// Products that a tensor core adds to a sum at once, on the device that takes the fewest (Fasi, Higham, Mikaitis and
// Pranesh, 2021, "Numerical behavior of NVIDIA tensor cores", table 4: 4 on V100 and T4, 8 on A100).
constexpr std::int64_t kTermsAtOnce = 4;

// As for matrix products (bench/gemm/precision.cpp).
verify::DotRounding rounding_of(Precision precision) {
  verify::DotRounding rounding{.accumulate_unit = 0x1p-23, .truncates = true, .terms_per_addition = kTermsAtOnce};
  switch (precision) {
    case Precision::fp32:
      // CUDA cores round; a whole last place, for algorithms that add in pieces. TF32, which is off by 3e-4 whatever
      // the length, breaks this at every one.
      return {.accumulate_unit = 0x1p-23};
    case Precision::tf32:
      rounding.input_unit = 0x1p-10;
      break;
    case Precision::fp16:
      rounding.output_unit = 0x1p-11;
      rounding.output_absolute = 0x1p-25;
      break;
    case Precision::bf16:
      rounding.output_unit = 0x1p-8;
      break;
    case Precision::fp8_e4m3:
      return {.accumulate_unit = 0x1p-13, .truncates = true, .terms_per_addition = 8, .output_unit = 0x1p-8};
  }
  return rounding;
}

}  // namespace

verify::DotBound bound_of_one_chain(const Problem& problem) {
  return verify::dot_bound(reduction_length(problem.shape, problem.pass), rounding_of(problem.precision));
}

// Winograd's and Fourier's transforms add and subtract neighbours before they multiply, so that roundings of operands
// and sums come back enlarged: by about 10 for tiles of 4 x 4 and more for larger ones (Lavin and Gray, 2016, "Fast
// Algorithms for Convolutional Neural Networks", table 5; Barabasz et al., 2020, "Error Analysis and Improving the
// Accuracy of Winograd Convolution").
verify::DotBound bound(const Problem& problem, const Notes& notes) {
  verify::DotRounding rounding = rounding_of(problem.precision);
  rounding.most = half_a_product(problem);
  constexpr double kTransform = 16;
  const bool transforms = notes.winograd || notes.fft;
  if (transforms) {
    const double of_format = problem.precision == Precision::bf16   ? 0x1p-8
                             : problem.precision == Precision::fp32 ? 0x1p-24
                                                                    : 0x1p-10;
    rounding.accumulate_unit *= kTransform;
    rounding.most = half_a_product(problem) / 2;
    // Both operands': the other half, but for what rounding them alone may do.
    rounding.input_unit = std::min(kTransform * of_format, std::max(rounding.most / 2, of_format));
  }
  const std::int64_t length = reduction_length(problem.shape, problem.pass);
  verify::DotBound bound = verify::dot_bound(length, rounding);
  if (problem.precision == Precision::fp32) bound.frobenius = std::min(bound.frobenius, kNotFp32);
  // A transform mixes all elements of a tile, so that each has the errors of its neighbours: one at the border, with
  // one product of nine, or with small ones, is as far off as a whole one, whose standard deviation is sqrt(k) steps.
  // Such algorithms are stable in the norm only (Higham, 2002, "Accuracy and Stability of Numerical Algorithms", ch.
  // 23, 24).
  if (transforms) {
    const double step = step_of(problem.precision);
    const double deviation = std::sqrt(static_cast<double>(length)) * step * step;
    bound.absolute += verify::kDeviations * bound.frobenius * deviation;
  }
  return bound;
}

// Rounding to nearest is off by 0.41 to 0.43 units in the norm, of normal numbers; sums in fp32 by pieces add little.
double error_of_one_rounding(const Problem& problem) {
  const auto length = static_cast<double>(reduction_length(problem.shape, problem.pass));
  return 0.45 * bound(problem, {}).of_value + std::sqrt(length) * 0x1p-23;
}

// n parts that are rounded, and rounded again as they are added one after another, are off by 0.42 sqrt(2 + n / 2)
// units in the norm: 2.45 where there are 64, half a unit less than this. Seen on an H200 (cuDNN 9.19), in roundings of
// 0.42 units: engine 47 in bf16 1 where a sum is in one piece and 1.3 where it is split in 2, 3 or 7, in fp16 up
// to 3.7; engine 61 in fp16 (depthwise) 1.8 to 3, by the size of its tile, whatever the split; engine 58 in bf16,
// forward, 1.4 with four and eight parts (ci/rounded-parts-pytorch); engine 63 in fp16 5.3.
std::optional<verify::DotBound> bound_of_rounded_parts(const Problem& problem) {
  if (!is_half(problem.precision)) return std::nullopt;
  constexpr double kParts = 64;
  const verify::DotBound one = bound_of_one_chain(problem);
  return verify::dot_bound(reduction_length(problem.shape, problem.pass), {.accumulate_unit = one.of_value,
                                                                           .most = 2 * one.of_value,
                                                                           .output_unit = one.of_value,
                                                                           .output_absolute = kParts * one.absolute});
}

namespace {

// A sum of n signs has standard deviation sqrt(n): kDeviations of that are to be no more than the whole numbers that
// the result's format has without a gap, which go up to one over its unit.
kernels::dot::Sparse signs(double length, double unit) {
  return {.density = std::min(1.0, 1 / (unit * verify::kDeviations * std::sqrt(length)))};
}

// Sums of n products of numbers up to m have standard deviation m^2 / 3 sqrt(n) and a little more: one that fp16 does
// not have without rounding, nor bf16, and of which kDeviations are below fp16's largest number.
kernels::dot::Sparse whole_numbers(double length) {
  constexpr double kDeviation = 4096;
  const double most = std::sqrt(3 * kDeviation / std::sqrt(length));
  return {.magnitude = kernels::dot::Magnitude::whole, .most = std::max(1, static_cast<int>(most))};
}

}  // namespace

ExactOperands exact_operands(const Problem& problem) {
  // On average of a sum. Then 11 % of all sums have one that is not 0, and 0.7 % have more.
  constexpr double kProducts = 0.125;
  const double unit = bound(problem, {}).of_value;
  const auto length = static_cast<double>(reduction_length(problem.shape, problem.pass));
  const double density = std::min(1.0, std::sqrt(kProducts / length));
  return {.in_format = signs(length, unit > 0 ? unit : 0x1p-24),
          .in_fp32 = whole_numbers(length),
          .alone = {.density = density, .magnitude = kernels::dot::Magnitude::normal},
          .by_sign = {.density = density}};
}

}  // namespace cupel::bench::conv
