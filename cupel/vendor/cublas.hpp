// cuBLAS and cuBLASLt, loaded when first used, with their errors as exceptions and their handles owned.
#pragma once

#include <cublasLt.h>
#include <cublas_v2.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/vendor/library.hpp"

namespace cupel::vendor {

SharedLibrary& cublas_library();
SharedLibrary& cublas_lt_library();

/// Throws Unavailable unless both libraries are there, as new as the headers this was built with.
void require_cublas();

template <>
std::string describe(cublasStatus_t status);
template <>
const char* why_not_here(cublasStatus_t status);
using CublasError = CallError<cublasStatus_t>;

/// The functions that are used here, by the names of the libraries without their prefix. Sizes are 64 bits wide.
namespace cublas {
inline const Entry<decltype(cublasCreate_v2)> create(cublas_library, "cublasCreate_v2");
inline const Entry<decltype(cublasDestroy_v2)> destroy(cublas_library, "cublasDestroy_v2");
inline const Entry<decltype(cublasSetStream_v2)> set_stream(cublas_library, "cublasSetStream_v2");
inline const Entry<decltype(cublasSetWorkspace_v2)> set_workspace(cublas_library, "cublasSetWorkspace_v2");
inline const Entry<decltype(cublasSetMathMode)> set_math_mode(cublas_library, "cublasSetMathMode");
inline const Entry<decltype(cublasGemmEx_64)> gemm_ex(cublas_library, "cublasGemmEx_64");
inline const Entry<decltype(cublasGemmBatchedEx_64)> gemm_batched_ex(cublas_library, "cublasGemmBatchedEx_64");
inline const Entry<decltype(cublasGemmStridedBatchedEx_64)> gemm_strided_batched_ex(cublas_library,
                                                                                    "cublasGemmStridedBatchedEx_64");
inline const Entry<decltype(cublasGemmGroupedBatchedEx_64)> gemm_grouped_batched_ex(cublas_library,
                                                                                    "cublasGemmGroupedBatchedEx_64");
}  // namespace cublas

namespace cublas_lt {
inline const Entry<decltype(cublasLtCreate)> create(cublas_lt_library, "cublasLtCreate");
inline const Entry<decltype(cublasLtDestroy)> destroy(cublas_lt_library, "cublasLtDestroy");
inline const Entry<decltype(cublasLtMatmul)> matmul(cublas_lt_library, "cublasLtMatmul");
inline const Entry<decltype(cublasLtMatmulAlgoGetHeuristic)> get_heuristic(cublas_lt_library,
                                                                           "cublasLtMatmulAlgoGetHeuristic");
inline const Entry<decltype(cublasLtMatmulDescCreate)> desc_create(cublas_lt_library, "cublasLtMatmulDescCreate");
inline const Entry<decltype(cublasLtMatmulDescDestroy)> desc_destroy(cublas_lt_library, "cublasLtMatmulDescDestroy");
inline const Entry<decltype(cublasLtMatmulDescSetAttribute)> desc_set(cublas_lt_library,
                                                                      "cublasLtMatmulDescSetAttribute");
inline const Entry<decltype(cublasLtMatrixLayoutCreate)> layout_create(cublas_lt_library, "cublasLtMatrixLayoutCreate");
inline const Entry<decltype(cublasLtMatrixLayoutDestroy)> layout_destroy(cublas_lt_library,
                                                                         "cublasLtMatrixLayoutDestroy");
inline const Entry<decltype(cublasLtMatmulPreferenceCreate)> preference_create(cublas_lt_library,
                                                                               "cublasLtMatmulPreferenceCreate");
inline const Entry<decltype(cublasLtMatmulPreferenceDestroy)> preference_destroy(cublas_lt_library,
                                                                                 "cublasLtMatmulPreferenceDestroy");
inline const Entry<decltype(cublasLtMatmulPreferenceSetAttribute)> preference_set(
    cublas_lt_library, "cublasLtMatmulPreferenceSetAttribute");
inline const Entry<decltype(cublasLtMatmulAlgoConfigGetAttribute)> algorithm_get(
    cublas_lt_library, "cublasLtMatmulAlgoConfigGetAttribute");
}  // namespace cublas_lt

/// A cuBLAS handle with a workspace of its own, so that no call allocates: default math, except that partial sums are
/// never kept in less than the compute type.
class CublasHandle {
 public:
  /// Throws Unavailable, CublasError, OutOfMemory.
  explicit CublasHandle(std::size_t workspace_bytes = kWorkspaceBytes);

  /// Work goes to `stream` from now on; the workspace stays.
  void set_stream(cudaStream_t stream);
  cublasHandle_t get() const { return handle_.get(); }

  /// The workspace that cuBLAS takes by itself on Hopper, and that PyTorch gives it there. Source: cuBLAS
  /// documentation, cublasSetWorkspace().
  static constexpr std::size_t kWorkspaceBytes = std::size_t{32} << 20;

 private:
  cuda::DeviceBuffer<char> workspace_;
  Owned<cublasHandle_t, cublas::destroy> handle_;
};

class CublasLtHandle {
 public:
  CublasLtHandle();
  cublasLtHandle_t get() const { return handle_.get(); }

 private:
  Owned<cublasLtHandle_t, cublas_lt::destroy> handle_;
};

/// The product that is computed: compute type, transposes, scales.
class LtMatmul {
 public:
  LtMatmul(cublasComputeType_t compute, cudaDataType_t scale_type)
      : desc_(made<decltype(desc_)>(cublas_lt::desc_create, compute, scale_type)) {}
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    check(cublas_lt::desc_set(desc_.get(), attribute, static_cast<const void*>(&value), sizeof value));
  }
  cublasLtMatmulDesc_t get() const { return desc_.get(); }

 private:
  Owned<cublasLtMatmulDesc_t, cublas_lt::desc_destroy> desc_;
};

/// A column-major matrix.
class LtLayout {
 public:
  LtLayout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns, std::int64_t leading)
      : layout_(made<decltype(layout_)>(cublas_lt::layout_create, type, rows, columns, leading)) {}
  cublasLtMatrixLayout_t get() const { return layout_.get(); }

 private:
  Owned<cublasLtMatrixLayout_t, cublas_lt::layout_destroy> layout_;
};

/// The choices that the heuristics have.
class LtPreference {
 public:
  template <class T>
  void set(cublasLtMatmulPreferenceAttributes_t attribute, const T& value) {
    check(cublas_lt::preference_set(preference_.get(), attribute, static_cast<const void*>(&value), sizeof value));
  }
  cublasLtMatmulPreference_t get() const { return preference_.get(); }

 private:
  Owned<cublasLtMatmulPreference_t, cublas_lt::preference_destroy> preference_ =
      made<decltype(preference_)>(cublas_lt::preference_create);
};

/// The algorithms that cuBLASLt's heuristics offer for c = a b with so much workspace, best first by their own
/// judgement, at most `most`; empty if there are none. As CublasHandle has it, partial sums are never kept in less than
/// the compute type. Pointers that `matmul` holds count by their alignment: set them before. Throws CublasError.
std::vector<cublasLtMatmulAlgo_t> lt_algorithms(cublasLtHandle_t handle, const LtMatmul& matmul, const LtLayout& a,
                                                const LtLayout& b, const LtLayout& c, std::size_t workspace_bytes,
                                                int most);

/// An algorithm in a few words, by the numbers that cuBLASLt gives it: "algorithm 66, tile 20, stages 35, split 1".
std::string to_string(const cublasLtMatmulAlgo_t& algorithm);

}  // namespace cupel::vendor
