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

std::string lacking(Precision precision, const record::DeviceInfo& device) {
  const bool ampere = precision == Precision::tf32 || precision == Precision::bf16;
  const int wanted = precision == Precision::fp8_e4m3 ? 89 : (ampere ? 80 : 75);
  const int has = 10 * device.compute_major + device.compute_minor;
  if (has >= wanted) return {};
  const auto dotted = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  return std::string(to_string(precision)) + " wants compute capability " + dotted(wanted) + " or newer; " +
         device.name + " has " + dotted(has);
}

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

std::string Problem::key() const {
  std::string key = std::string(kernels::dot::to_string(pass)) + to_string(precision) + to_string(layout);
  for (const std::int64_t size : {shape.batch, shape.in_channels, shape.out_channels, shape.groups}) {
    key += "," + std::to_string(size);
  }
  for (const auto* space : {&shape.in, &shape.filter, &shape.padding, &shape.stride, &shape.dilation}) {
    for (int a = 0; a < 3; ++a) key += "," + std::to_string((*space)[a]);
  }
  return key;
}

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

// As for matrix products (bench/gemm/precision.cpp). Winograd's and Fourier's transforms add and subtract neighbours
// before they multiply, so that roundings of operands and sums come back enlarged: by about 10 for tiles of 4 x 4 and
// more for larger ones (Lavin and Gray, 2016, "Fast Algorithms for Convolutional Neural Networks", table 5; Barabasz et
// al., 2020, "Error Analysis and Improving the Accuracy of Winograd Convolution").
verify::DotBound bound(const Problem& problem, const Notes& notes) {
  verify::DotRounding rounding{.accumulate_unit = 0x1p-23, .truncates = true};
  switch (problem.precision) {
    case Precision::fp32:
      // CUDA cores round; a whole last place, for algorithms that add in pieces. TF32, which is off by 3e-4 whatever
      // the length, breaks this at every one.
      rounding = {.accumulate_unit = 0x1p-23};
      break;
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
      rounding = {.accumulate_unit = 0x1p-13, .truncates = true, .terms_per_addition = 8, .output_unit = 0x1p-8};
      break;
  }
  constexpr double kTransform = 16;
  const bool transforms = notes.winograd || notes.fft;
  if (transforms) {
    const double of_format = problem.precision == Precision::bf16   ? 0x1p-8
                             : problem.precision == Precision::fp32 ? 0x1p-24
                                                                    : 0x1p-10;
    rounding.input_unit = kTransform * std::max(rounding.input_unit, of_format);
    rounding.accumulate_unit *= kTransform;
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

// Seen on an H200 (cuDNN 9.19), in the norm: engine 47 in bf16 errs one rounding where a sum is in one piece and 1.3
// where it is split in 2, 3 or 7; engine 61 in fp16 (depthwise) 1.8 to 3, by the size of its tile, whatever the split;
// engine 58 in bf16, forward, 1.4 with four and eight parts (ci/rounded-parts-pytorch).
std::optional<verify::DotBound> bound_of_rounded_parts(const Problem& problem, const Notes& notes) {
  if (!is_half(problem.precision)) return std::nullopt;
  const verify::DotBound narrow = bound(problem, notes);
  const std::int64_t length = reduction_length(problem.shape, problem.pass);
  verify::DotBound wide = verify::dot_bound(length, {.accumulate_unit = narrow.of_value,
                                                     .output_unit = narrow.of_value,
                                                     .output_absolute = static_cast<double>(length) * narrow.absolute});
  // A product less is off by 1 / sqrt(length) in the norm.
  const double half_a_product = 0.5 / std::sqrt(static_cast<double>(length));
  if (wide.frobenius > half_a_product) {
    wide.of_magnitude *= half_a_product / wide.frobenius;
    wide.frobenius = half_a_product;
  }
  if (wide.frobenius <= narrow.frobenius) return std::nullopt;
  return wide;
}

// A sum of n signs has standard deviation sqrt(n): kDeviations of that are to be no more than the whole numbers that
// the format has without a gap, which go up to one over its unit.
double density_of_exact_signs(const Problem& problem) {
  const double unit = bound(problem, {}).of_value;
  const double largest = unit > 0 ? 1 / unit : 0x1p24;
  const double deviation = largest / verify::kDeviations;
  const auto length = static_cast<double>(reduction_length(problem.shape, problem.pass));
  return std::min(1.0, deviation / std::sqrt(length));
}

}  // namespace cupel::bench::conv
