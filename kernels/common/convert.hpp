// Between the element types and float, in kernels and on the host, and from a DType to its type.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <type_traits>

#include "cupel/verify/host_device.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::kernels {

CUPEL_HOST_DEVICE inline float to_float(float x) { return x; }
CUPEL_HOST_DEVICE inline float to_float(__half x) { return __half2float(x); }
CUPEL_HOST_DEVICE inline float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

/// Rounded to the nearest T, ties to even. Beyond the range of T: infinity.
template <class T>
CUPEL_HOST_DEVICE T from_float(float x) {
  if constexpr (std::is_same_v<T, __half>) {
    return __float2half_rn(x);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    return __float2bfloat16_rn(x);
  } else {
    return x;
  }
}

template <class T>
struct TypeTag {
  using type = T;
};

/// Calls function(TypeTag<T>()) with the type that `type` names.
template <class Function>
decltype(auto) with_type(DType type, Function&& function) {
  switch (type) {
    case DType::fp16:
      return function(TypeTag<__half>());
    case DType::bf16:
      return function(TypeTag<__nv_bfloat16>());
    case DType::fp32:
      break;
  }
  return function(TypeTag<float>());
}

}  // namespace cupel::kernels
