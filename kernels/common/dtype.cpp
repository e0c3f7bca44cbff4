#include "kernels/common/dtype.hpp"

namespace cupel::kernels {

const char* to_string(DType type) {
  switch (type) {
    case DType::fp16:
      return "fp16";
    case DType::bf16:
      return "bf16";
    case DType::fp32:
      break;
  }
  return "fp32";
}

double unit_roundoff(DType type) {
  using verify::Precision;
  return verify::unit_roundoff(type == DType::fp16   ? Precision::fp16
                               : type == DType::bf16 ? Precision::bf16
                                                     : Precision::fp32);
}

}  // namespace cupel::kernels
