#include "bench/gemm/precision.hpp"

#include <array>

namespace cupel::bench::gemm {
namespace {

using device::Arithmetic;
using kernels::dot::Element;

// In the order of Precision.
constexpr std::array<Traits, 11> kTraits = {{
    {"fp64", Element::fp64, Element::fp64, Element::fp64, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F,
     CUDA_R_64F, Arithmetic::fp64_tensor, false},
    {"fp32", Element::fp32, Element::fp32, Element::fp32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
     CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F, Arithmetic::fp32, false},
    {"tf32", Element::fp32, Element::fp32, Element::fp32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
     CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, Arithmetic::tf32, false},
    {"fp16", Element::fp16, Element::fp16, Element::fp16, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F,
     CUDA_R_32F, Arithmetic::fp16, false},
    {"bf16", Element::bf16, Element::bf16, Element::bf16, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F,
     CUDA_R_32F, Arithmetic::bf16, false},
    {"fp16_in_fp16", Element::fp16, Element::fp16, Element::fp16, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F,
     CUBLAS_COMPUTE_16F, CUDA_R_16F, Arithmetic::fp16_in_fp16, false},
    {"fp8_e4m3", Element::fp8_e4m3, Element::fp8_e4m3, Element::bf16, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF,
     CUBLAS_COMPUTE_32F, CUDA_R_32F, Arithmetic::fp8, true},
    {"fp8_e4m3_fast", Element::fp8_e4m3, Element::fp8_e4m3, Element::bf16, CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF,
     CUBLAS_COMPUTE_32F, CUDA_R_32F, Arithmetic::fp8, true},
    {"fp8_e5m2", Element::fp8_e5m2, Element::fp8_e4m3, Element::bf16, CUDA_R_8F_E5M2, CUDA_R_8F_E4M3, CUDA_R_16BF,
     CUBLAS_COMPUTE_32F, CUDA_R_32F, Arithmetic::fp8, true},
    {"int8", Element::int8, Element::int8, Element::int32, CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I,
     CUDA_R_32I, Arithmetic::int8, false},
    {"fp4_e2m1", Element::fp4_e2m1, Element::fp4_e2m1, Element::bf16, CUDA_R_4F_E2M1, CUDA_R_4F_E2M1, CUDA_R_16BF,
     CUBLAS_COMPUTE_32F, CUDA_R_32F, Arithmetic::fp4, true},
}};

// No normal number of verify::Generator is beyond this.
constexpr double kLargestNormal = 6.7;

constexpr double kHalfBf16 = 0x1p-8;  // unit roundoff of an output in bf16

}  // namespace

const Traits& traits(Precision precision) { return kTraits[static_cast<std::size_t>(precision)]; }

double step_of(Element element) {
  switch (element) {
    case Element::fp8_e4m3:
    case Element::fp8_e5m2:
    case Element::int8:
      return kLargestNormal / kernels::dot::largest(element);
    case Element::fp4_e2m1:
      return 0.5;  // two standard deviations make half the range: most numbers lie where the format is fine
    default:
      return 1;
  }
}

// Tensor cores cut sums off instead of rounding them (Fasi, Higham, Mikaitis and Pranesh, 2021, "Numerical behavior of
// NVIDIA tensor cores"); sums in fp16 are rounded, but what enters them is cut off, so they are allowed a whole last
// place. Hopper's keep about 13 bits of fraction between fp8 products (DeepSeek-V3 technical report, 2024, section
// 3.3.2), of which an instruction adds 32, a quarter of them counted here; without fast accumulation the sum goes to
// fp32 registers every 128 products. TF32 operands may be cut off to 10 bits.
verify::DotRounding rounding(Precision precision) {
  switch (precision) {
    case Precision::fp64:
      return {.accumulate_unit = 0x1p-53};
    case Precision::fp32:
      return {.accumulate_unit = 0x1p-24};
    case Precision::tf32:
      return {.input_unit = 0x1p-10, .accumulate_unit = 0x1p-23, .truncates = true};
    case Precision::fp16:
      return {.accumulate_unit = 0x1p-23, .truncates = true, .output_unit = 0x1p-11, .output_absolute = 0x1p-25};
    case Precision::bf16:
      return {.accumulate_unit = 0x1p-23, .truncates = true, .output_unit = kHalfBf16};
    case Precision::fp16_in_fp16:
      return {.accumulate_unit = 0x1p-10, .output_absolute = 0x1p-25};
    case Precision::fp8_e4m3:
    case Precision::fp8_e5m2:
      return {.accumulate_unit = 0x1p-13, .truncates = true, .chain = 128, .output_unit = kHalfBf16};
    case Precision::fp8_e4m3_fast:
      return {.accumulate_unit = 0x1p-13, .truncates = true, .terms_per_addition = 8, .output_unit = kHalfBf16};
    case Precision::int8:
      return {.accumulate_unit = 0};
    case Precision::fp4_e2m1:
      return {.accumulate_unit = 0x1p-23, .truncates = true, .output_unit = kHalfBf16};
  }
  return {};
}

}  // namespace cupel::bench::gemm
