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
  switch (type) {
    case DType::fp16:
      return 0x1p-11;
    case DType::bf16:
      return 0x1p-8;
    case DType::fp32:
      break;
  }
  return 0x1p-24;
}

}  // namespace cupel::kernels
