#include "bench/fusion/epilogue_product.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/handles.hpp"
#include "kernels/common/cuda_type.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using vendor::LtLayout;

LtLayout layout(DType type, std::int64_t rows, std::int64_t columns) {
  if (type == DType::fp32) throw std::invalid_argument("an epilogue's product is of fp16 or bf16");
  return {kernels::cuda_type(type), static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), rows};
}

cublasOperation_t operation(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }

bool has_mask(cublasLtEpilogue_t epilogue) {
  return epilogue == CUBLASLT_EPILOGUE_RELU_AUX || epilogue == CUBLASLT_EPILOGUE_RELU_AUX_BIAS ||
         epilogue == CUBLASLT_EPILOGUE_DRELU || epilogue == CUBLASLT_EPILOGUE_DRELU_BGRAD;
}

}  // namespace

struct EpilogueProduct::Parts {
  explicit Parts(const ProductDescription& d)
      : scale(d.scale),
        matmul(CUBLAS_COMPUTE_32F, CUDA_R_32F),
        a(layout(d.type, d.shape.leading_a(), d.shape.transpose_a ? d.shape.m : d.shape.k)),
        b(layout(d.type, d.shape.leading_b(), d.shape.transpose_b ? d.shape.k : d.shape.n)),
        c(layout(d.type, d.shape.m, d.shape.n)) {
    matmul.set(CUBLASLT_MATMUL_DESC_TRANSA, operation(d.shape.transpose_a));
    matmul.set(CUBLASLT_MATMUL_DESC_TRANSB, operation(d.shape.transpose_b));
    matmul.set(CUBLASLT_MATMUL_DESC_EPILOGUE, d.epilogue);
    if (d.bias != nullptr) matmul.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, d.bias);
    if (d.kept != nullptr) {
      matmul.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, d.kept);
      matmul.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, has_mask(d.epilogue) ? mask_leading(d.shape.m) : d.shape.m);
    }
  }

  float scale;
  vendor::LtMatmul matmul;
  LtLayout a, b, c;
  cublasLtMatmulAlgo_t algorithm{};
};

EpilogueProduct::EpilogueProduct(const ProductDescription& description) : parts_(std::make_unique<Parts>(description)) {
  const std::vector<cublasLtMatmulAlgo_t> algorithms =
      vendor::lt_algorithms(vendor::cublas_lt_handle(), parts_->matmul, parts_->a, parts_->b, parts_->c,
                            vendor::cublas_lt_workspace().size_bytes(), 1);
  if (algorithms.empty()) {
    harness::skip("cuBLASLt has no algorithm for epilogue " + std::to_string(static_cast<int>(description.epilogue)) +
                  " in " + kernels::to_string(description.type) + " at this shape here");
  }
  parts_->algorithm = algorithms.front();
}

EpilogueProduct::~EpilogueProduct() = default;

void EpilogueProduct::multiply(const void* a, const void* b, void* c, cudaStream_t stream) const {
  constexpr float kZero = 0;
  vendor::check(vendor::cublas_lt::matmul(
      vendor::cublas_lt_handle(), parts_->matmul.get(), static_cast<const void*>(&parts_->scale), a, parts_->a.get(), b,
      parts_->b.get(), static_cast<const void*>(&kZero), static_cast<const void*>(c), parts_->c.get(), c,
      parts_->c.get(), &parts_->algorithm, static_cast<void*>(vendor::cublas_lt_workspace().data()),
      vendor::cublas_lt_workspace().size_bytes(), stream));
}

std::string EpilogueProduct::algorithm() const { return vendor::to_string(parts_->algorithm); }

}  // namespace cupel::bench::fusion
