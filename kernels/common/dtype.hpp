// The element types of the kernels, by name: so that a header needs no CUDA type and a launcher no template.
#pragma once

#include <cstdint>

namespace cupel::kernels {

enum class DType { fp32, fp16, bf16 };

/// Bytes of one element.
constexpr std::int64_t size_of(DType type) { return type == DType::fp32 ? 4 : 2; }

/// "fp32", "fp16", "bf16".
const char* to_string(DType type);

/// Greatest relative error of storing a number in range: half the distance from 1 to the next number.
double unit_roundoff(DType type);

}  // namespace cupel::kernels
