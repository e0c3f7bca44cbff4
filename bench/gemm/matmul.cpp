#include "bench/gemm/matmul.hpp"

#include <cuda_fp16.h>

#include <algorithm>
#include <string>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::gemm {
namespace {

using kernels::dot::Element;

// Both values of every type that alpha and beta have.
struct Scalars {
  double f64;
  float f32;
  __half f16;
  std::int32_t i32;
};

const void* scalar(const Scalars& value, cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F:
      return &value.f64;
    case CUDA_R_16F:
      return &value.f16;
    case CUDA_R_32I:
      return &value.i32;
    default:
      return &value.f32;
  }
}

// A float in device memory with the step of a format: what cuBLASLt calls a per-tensor scale.
cuda::DeviceBuffer<float> tensor_scale(Element element) {
  const auto step = static_cast<float>(step_of(element));
  return cuda::DeviceBuffer<float>(std::span<const float>(&step, 1));
}

// Scales of blocks of 16: all are one, so that their order in memory, which is tiled, does not matter.
const std::uint8_t* block_scales(std::int64_t rows, std::int64_t k) {
  constexpr std::uint8_t kOneInE4m3 = 0x38;
  constexpr std::int64_t kBlock = 16, kTileRows = 128, kTileColumns = 4;
  const auto up = [](std::int64_t x, std::int64_t multiple) { return (x + multiple - 1) / multiple * multiple; };
  const auto wanted = static_cast<std::size_t>(up(rows, kTileRows) * up((k + kBlock - 1) / kBlock, kTileColumns));
  static auto& scales = *new cuda::DeviceBuffer<std::uint8_t>;
  if (scales.size() < wanted) {
    scales = cuda::DeviceBuffer<std::uint8_t>(wanted);
    cuda::check(cudaMemset(scales.data(), kOneInE4m3, wanted));
    cuda::check(cudaDeviceSynchronize());  // before other streams read them
  }
  return scales.data();
}

void set_scales(vendor::LtMatmul& matmul, Precision precision, const Shape& shape) {
  const Traits& traits = gemm::traits(precision);
  if (precision == Precision::fp4_e2m1) {
    // One array serves both operands; asked for the larger first, it does not move in between.
    const void* scales = block_scales(std::max(shape.m, shape.n), shape.k);
    const cublasLtMatmulMatrixScale_t mode = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
    matmul.set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode);
    matmul.set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode);
    matmul.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales);
    matmul.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales);
  } else if (traits.needs_lt) {
    matmul.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, harness::memoized<tensor_scale>(traits.a).data());
    matmul.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, harness::memoized<tensor_scale>(traits.b).data());
    matmul.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<std::int8_t>(precision == Precision::fp8_e4m3_fast));
  }
}

}  // namespace

const void* one(cudaDataType_t scale_type) {
  static const Scalars value{1, 1, __float2half(1), 1};
  return scalar(value, scale_type);
}

const void* zero(cudaDataType_t scale_type) {
  static const Scalars value{0, 0, __float2half(0), 0};
  return scalar(value, scale_type);
}

void multiply_by_cublas(Precision precision, const Shape& shape, const Operands& operands, cudaStream_t stream) {
  const Traits& t = traits(precision);
  vendor::check(vendor::cublas::gemm_ex(
      vendor::cublas_on(stream), operation(shape.transpose_a), operation(shape.transpose_b), shape.m, shape.n, shape.k,
      one(t.scale_type), operands.a, t.type_a, leading_a(shape), operands.b, t.type_b, leading_b(shape),
      zero(t.scale_type), operands.c, t.type_c, shape.m, t.compute, CUBLAS_GEMM_DEFAULT));
}

struct LtProduct::Parts {
  Parts(const Traits& t, const Shape& shape)
      : matmul(t.compute, t.scale_type),
        a(t.type_a, static_cast<std::uint64_t>(leading_a(shape)),
          static_cast<std::uint64_t>(shape.transpose_a ? shape.m : shape.k), leading_a(shape)),
        b(t.type_b, static_cast<std::uint64_t>(leading_b(shape)),
          static_cast<std::uint64_t>(shape.transpose_b ? shape.k : shape.n), leading_b(shape)),
        c(t.type_c, static_cast<std::uint64_t>(shape.m), static_cast<std::uint64_t>(shape.n), shape.m) {}

  vendor::LtMatmul matmul;
  vendor::LtLayout a, b, c;
};

LtProduct::LtProduct(Precision precision, const Shape& shape)
    : precision_(precision), parts_(std::make_unique<Parts>(traits(precision), shape)) {
  parts_->matmul.set(CUBLASLT_MATMUL_DESC_TRANSA, operation(shape.transpose_a));
  parts_->matmul.set(CUBLASLT_MATMUL_DESC_TRANSB, operation(shape.transpose_b));
  set_scales(parts_->matmul, precision, shape);
}

LtProduct::~LtProduct() = default;

std::vector<cublasLtMatmulAlgo_t> LtProduct::choices(int most) const {
  std::vector<cublasLtMatmulAlgo_t> algorithms =
      vendor::lt_algorithms(vendor::cublas_lt_handle(), parts_->matmul, parts_->a, parts_->b, parts_->c,
                            vendor::cublas_lt_workspace().size_bytes(), most);
  if (algorithms.empty()) {
    harness::skip(std::string("cuBLASLt has no algorithm for ") + traits(precision_).name + " at this shape here");
  }
  return algorithms;
}

void LtProduct::multiply(const Operands& operands, const cublasLtMatmulAlgo_t& algorithm, cudaStream_t stream) const {
  const Traits& t = traits(precision_);
  vendor::check(vendor::cublas_lt::matmul(
      vendor::cublas_lt_handle(), parts_->matmul.get(), one(t.scale_type), operands.a, parts_->a.get(), operands.b,
      parts_->b.get(), zero(t.scale_type), operands.c, parts_->c.get(), operands.c, parts_->c.get(), &algorithm,
      static_cast<void*>(vendor::cublas_lt_workspace().data()), vendor::cublas_lt_workspace().size_bytes(), stream));
}

}  // namespace cupel::bench::gemm
