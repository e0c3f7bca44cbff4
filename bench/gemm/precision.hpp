// The precisions that products are computed in: formats, compute type, what a device must have, and how far off a right
// result may be. Host code only.
#pragma once

#include <cublas_v2.h>

#include <cstdint>
#include <string>

#include "cupel/device/peaks.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::bench::gemm {

enum class Precision {
  fp64,
  fp32,           ///< CUDA cores: pedantic, so neither TF32 nor emulation
  tf32,           ///< fp32 operands, rounded to 10 bits of fraction in the tensor cores
  fp16,           ///< fp32 accumulation
  bf16,           ///< fp32 accumulation
  fp16_in_fp16,   ///< fp16 accumulation
  fp8_e4m3,       ///< bf16 output
  fp8_e4m3_fast,  ///< the same with fast accumulation: sums stay in the tensor cores' own registers
  fp8_e5m2,       ///< e5m2 times e4m3, as gradients times weights are; two e5m2 operands are not supported
  int8,           ///< int32 output, exact
  fp4_e2m1,       ///< blocks of 16 with an e4m3 scale each (NVFP4); bf16 output
};

struct Traits {
  const char* name;  ///< as in benchmark names
  kernels::dot::Element a, b, c;
  cudaDataType_t type_a, type_b, type_c;
  cublasComputeType_t compute;
  cudaDataType_t scale_type;      ///< of alpha and beta
  device::Arithmetic arithmetic;  ///< whose peak it is held against
  bool needs_lt;                  ///< only cuBLASLt has it, and only with the first operand transposed
};

const Traits& traits(Precision precision);

/// The factor of the stored numbers of an operand: fp8 and int8 spread normal numbers over their range, as
/// per-tensor scales do.
double step_of(kernels::dot::Element element);

/// How products of inner length k are rounded. Sources in the .cpp.
verify::DotRounding rounding(Precision precision);

}  // namespace cupel::bench::gemm
