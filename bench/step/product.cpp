#include "bench/step/product.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

#include "cupel/harness/memoized.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/handles.hpp"
#include "kernels/common/cuda_type.hpp"

namespace cupel::bench::step {
namespace {

constexpr float kOne = 1, kZero = 0;

cublasComputeType_t compute_type(const Product& product) {
  return product.tf32 && product.type == kernels::DType::fp32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

cublasOperation_t operation(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }

vendor::LtLayout layout(const Product& product, std::int64_t rows, std::int64_t columns, bool transpose) {
  if (transpose) std::swap(rows, columns);
  return {kernels::cuda_type(product.type), static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
          rows};
}

// The bias's address is set at each call; which algorithm is taken must not depend on it.
struct Lt {
  Lt(const Product& product, bool with_bias)
      : matmul(compute_type(product), CUDA_R_32F),
        a(layout(product, product.m, product.k, product.transpose_a)),
        b(layout(product, product.k, product.n, product.transpose_b)),
        c(layout(product, product.m, product.n, false)) {
    matmul.set(CUBLASLT_MATMUL_DESC_TRANSA, operation(product.transpose_a));
    matmul.set(CUBLASLT_MATMUL_DESC_TRANSB, operation(product.transpose_b));
    if (with_bias) {
      matmul.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
      matmul.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, kernels::cuda_type(product.type));
    }
    const std::vector<cublasLtMatmulAlgo_t> found = vendor::lt_algorithms(
        vendor::cublas_lt_handle(), matmul, a, b, c, vendor::cublas_lt_workspace().size_bytes(), 1);
    if (found.empty()) throw std::runtime_error("cuBLASLt has no algorithm for a product of the step");
    algorithm = found.front();
  }

  vendor::LtMatmul matmul;
  vendor::LtLayout a, b, c;
  cublasLtMatmulAlgo_t algorithm{};
};

std::unique_ptr<Lt> make_lt(const Product& product, bool with_bias) {
  vendor::require_cublas();
  return std::make_unique<Lt>(product, with_bias);
}

}  // namespace

void multiply(const Product& product, const void* a, const void* b, void* c, const void* bias, cudaStream_t stream) {
  Lt& lt = *harness::memoized<make_lt>(product, bias != nullptr);
  if (bias != nullptr) lt.matmul.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
  vendor::check(vendor::cublas_lt::matmul(
      vendor::cublas_lt_handle(), lt.matmul.get(), static_cast<const void*>(&kOne), a, lt.a.get(), b, lt.b.get(),
      static_cast<const void*>(&kZero), static_cast<const void*>(c), lt.c.get(), c, lt.c.get(), &lt.algorithm,
      static_cast<void*>(vendor::cublas_lt_workspace().data()), vendor::cublas_lt_workspace().size_bytes(), stream));
}

void multiply_many(const Product& product, float alpha, const Many& a, const Many& b, const Many& c, std::int64_t count,
                   cudaStream_t stream) {
  vendor::require_cublas();
  const cudaDataType_t type = kernels::cuda_type(product.type);
  vendor::check(vendor::cublas::gemm_strided_batched_ex(
      vendor::cublas_on(stream), operation(product.transpose_a), operation(product.transpose_b), product.m, product.n,
      product.k, static_cast<const void*>(&alpha), a.data, type, a.leading, a.stride, b.data, type, b.leading, b.stride,
      static_cast<const void*>(&kZero), const_cast<void*>(c.data), type, c.leading, c.stride, count,
      compute_type(product), CUBLAS_GEMM_DEFAULT));
}

}  // namespace cupel::bench::step
