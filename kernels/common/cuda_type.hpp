// The element types as cuBLAS and cuDNN name them.
#pragma once

#include <library_types.h>

#include "kernels/common/dtype.hpp"

namespace cupel::kernels {

constexpr cudaDataType_t cuda_type(DType type) {
  return type == DType::fp16 ? CUDA_R_16F : type == DType::bf16 ? CUDA_R_16BF : CUDA_R_32F;
}

}  // namespace cupel::kernels
