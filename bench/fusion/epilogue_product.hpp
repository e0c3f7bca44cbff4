// A matrix product with an epilogue through cuBLASLt, by the algorithm that its heuristics put first.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>

#include "bench/fusion/epilogue_check.hpp"
#include "kernels/common/dtype.hpp"

namespace cupel::bench::fusion {

/// c = epilogue(scale a b): fp16 or bf16, sums in fp32.
struct ProductDescription {
  kernels::DType type = kernels::DType::fp16;
  ProductShape shape;
  float scale = 1;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;  ///< or the gradient of one: m elements, of BGRADB n
  void* kept = nullptr;  ///< for the backward pass, written or read: mask_bytes() of ReLU, of GELU m x n elements
};

/// cuBLASLt's mask of a ReLU: a bit an element, columns of a multiple of 128 bits.
constexpr std::int64_t mask_leading(std::int64_t m) { return (m + 127) / 128 * 128; }
constexpr std::int64_t mask_bytes(const ProductShape& shape) { return mask_leading(shape.m) / 8 * shape.n; }

class EpilogueProduct {
 public:
  /// Throws Unavailable, CublasError, OutOfMemory; Skip where there is no algorithm.
  explicit EpilogueProduct(const ProductDescription& description);
  ~EpilogueProduct();

  /// Enqueues. Arrays in device memory, at multiples of 16 bytes. Throws CublasError.
  void multiply(const void* a, const void* b, void* c, cudaStream_t stream) const;

  /// The algorithm that cuBLASLt chose, in its own numbers.
  std::string algorithm() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace cupel::bench::fusion
