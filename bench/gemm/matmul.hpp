// One matrix product through cuBLAS or cuBLASLt. Handles, workspaces and constants are the process's, made once.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "cupel/vendor/cublas.hpp"
#include "cupel/vendor/handles.hpp"

namespace cupel::bench::gemm {

/// One and zero in the type of alpha and beta, in host memory.
const void* one(cudaDataType_t scale_type);
const void* zero(cudaDataType_t scale_type);

constexpr cublasOperation_t operation(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }

/// Elements from one column of the stored matrix to the next.
constexpr std::int64_t leading_a(const Shape& shape) { return shape.transpose_a ? shape.k : shape.m; }
constexpr std::int64_t leading_b(const Shape& shape) { return shape.transpose_b ? shape.n : shape.k; }

/// Device memory of a product.
struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
};

/// cuBLAS's own choice of algorithm. Enqueues; throws CublasError. Not for precisions that need cuBLASLt.
void multiply_by_cublas(Precision precision, const Shape& shape, const Operands& operands, cudaStream_t stream);

/// A product through cuBLASLt, with the algorithms that its heuristics offer.
class LtProduct {
 public:
  /// Throws Unavailable, CublasError, OutOfMemory.
  LtProduct(Precision precision, const Shape& shape);
  ~LtProduct();

  /// The heuristics' choices, best first by their own judgement, at most `most`. Throws Skip when there are none.
  std::vector<cublasLtMatmulAlgo_t> choices(int most) const;

  /// Enqueues; throws CublasError.
  void multiply(const Operands& operands, const cublasLtMatmulAlgo_t& algorithm, cudaStream_t stream) const;

 private:
  struct Parts;
  Precision precision_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cupel::bench::gemm
