// What the emulated device has in place of cuBLAS and cuBLASLt: the functions that cupel/vendor loads, for the types
// that it uses, as loops in double. Matrices are column by column. It refuses what the libraries' documentation does
// not have: types, leading dimensions that are too small, epilogues.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <vector>

#include "tests/emulator/launch.hpp"

namespace cupel::emulator {
namespace {

struct Library {
  cudaStream_t stream = nullptr;
};

double element(cudaDataType_t type, const void* data, std::int64_t i) {
  switch (type) {
    case CUDA_R_64F:
      return static_cast<const double*>(data)[i];
    case CUDA_R_32F:
      return static_cast<double>(static_cast<const float*>(data)[i]);
    case CUDA_R_16F:
      return static_cast<double>(__half2float(static_cast<const __half*>(data)[i]));
    case CUDA_R_16BF:
      return static_cast<double>(__bfloat162float(static_cast<const __nv_bfloat16*>(data)[i]));
    case CUDA_R_8F_E4M3:
      return static_cast<double>(static_cast<float>(static_cast<const __nv_fp8_e4m3*>(data)[i]));
    case CUDA_R_8F_E5M2:
      return static_cast<double>(static_cast<float>(static_cast<const __nv_fp8_e5m2*>(data)[i]));
    case CUDA_R_8I:
      return static_cast<const std::int8_t*>(data)[i];
    default:
      return static_cast<const std::int32_t*>(data)[i];
  }
}

void store(cudaDataType_t type, void* data, std::int64_t i, double value) {
  switch (type) {
    case CUDA_R_64F:
      static_cast<double*>(data)[i] = value;
      break;
    case CUDA_R_32F:
      static_cast<float*>(data)[i] = static_cast<float>(value);
      break;
    case CUDA_R_16F:
      static_cast<__half*>(data)[i] = __double2half(value);
      break;
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(data)[i] = __double2bfloat16(value);
      break;
    default:
      static_cast<std::int32_t*>(data)[i] = static_cast<std::int32_t>(std::llround(value));
      break;
  }
}

struct Operand {
  const void* data;
  cudaDataType_t type;
  std::int64_t leading;
  bool transposed;

  std::int64_t at(std::int64_t row, std::int64_t column) const {
    return transposed ? column + row * leading : row + column * leading;
  }
};

// c = alpha a b + beta c: m x k by k x n.
struct Product {
  std::int64_t m, n, k;
  Operand a, b;
  double alpha, beta;
  const void* c;
  void* d;
  cudaDataType_t type;
  std::int64_t leading;

  void compute() const {
    std::vector<double> left(static_cast<std::size_t>(m * k));
    for (std::int64_t p = 0; p < k; ++p) {
      for (std::int64_t i = 0; i < m; ++i)
        left[static_cast<std::size_t>(i + p * m)] = element(a.type, a.data, a.at(i, p));
    }
    std::vector<double> column(static_cast<std::size_t>(m));
    for (std::int64_t j = 0; j < n; ++j) {
      std::fill(column.begin(), column.end(), 0.0);
      for (std::int64_t p = 0; p < k; ++p) {
        const double right = element(b.type, b.data, b.at(p, j));
        const double* from = left.data() + p * m;
        for (std::int64_t i = 0; i < m; ++i) column[static_cast<std::size_t>(i)] += from[i] * right;
      }
      for (std::int64_t i = 0; i < m; ++i) {
        const std::int64_t place = i + j * leading;
        const double before = beta == 0 ? 0 : beta * element(type, c, place);
        store(type, d, place, alpha * column[static_cast<std::size_t>(i)] + before);
      }
    }
  }
};

cudaDataType_t scale_type(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_64F:
      return CUDA_R_64F;
    case CUBLAS_COMPUTE_16F:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
      return CUDA_R_32I;
    default:
      return CUDA_R_32F;
  }
}

// Of the tables in the documentation of cublasGemmEx() and cublasLtMatmul(), what is used here.
bool has(cublasComputeType_t compute, cudaDataType_t a, cudaDataType_t b, cudaDataType_t c) {
  switch (compute) {
    case CUBLAS_COMPUTE_64F:
      return a == CUDA_R_64F && b == a && c == a;
    case CUBLAS_COMPUTE_16F:
      return a == CUDA_R_16F && b == a && c == a;
    case CUBLAS_COMPUTE_32I:
      return a == CUDA_R_8I && b == a && c == CUDA_R_32I;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return a == CUDA_R_32F && b == a && c == a;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return b == a &&
             ((a == CUDA_R_32F && c == a) || ((a == CUDA_R_16F || a == CUDA_R_16BF) && (c == a || c == CUDA_R_32F)));
    default:
      return false;
  }
}

bool is_fp8(cudaDataType_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

// One product of a call for several.
struct Call {
  cublasOperation_t transpose_a, transpose_b;
  std::int64_t m, n, k;
  const void* alpha;
  cudaDataType_t type_a;
  std::int64_t leading_a;
  cudaDataType_t type_b;
  std::int64_t leading_b;
  const void* beta;
  cudaDataType_t type_c;
  std::int64_t leading_c;
  cublasComputeType_t compute;

  cublasStatus_t judge() const {
    const auto rows = [](cublasOperation_t operation, std::int64_t plain, std::int64_t transposed) {
      return std::max<std::int64_t>(1, operation == CUBLAS_OP_N ? plain : transposed);
    };
    if (m < 0 || n < 0 || k < 0 || leading_a < rows(transpose_a, m, k) || leading_b < rows(transpose_b, k, n) ||
        leading_c < std::max<std::int64_t>(1, m) || alpha == nullptr || beta == nullptr) {
      return CUBLAS_STATUS_INVALID_VALUE;
    }
    if (!has(compute, type_a, type_b, type_c)) return CUBLAS_STATUS_NOT_SUPPORTED;
    // cublasGemmEx(): of int8, pointers and leading dimensions are multiples of 4.
    if (compute == CUBLAS_COMPUTE_32I && (leading_a % 4 != 0 || leading_b % 4 != 0)) return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
  }

  Product of(const void* a, const void* b, void* c) const {
    const cudaDataType_t scale = scale_type(compute);
    return {m,
            n,
            k,
            {a, type_a, leading_a, transpose_a != CUBLAS_OP_N},
            {b, type_b, leading_b, transpose_b != CUBLAS_OP_N},
            element(scale, alpha, 0),
            element(scale, beta, 0),
            c,
            c,
            type_c,
            leading_c};
  }
};

template <class Body>
cublasStatus_t enqueue(const char* name, cudaStream_t stream, Body body) {
  launch_body(name, nullptr, dim3(1), dim3(1), 0, stream, body);
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cudaStream_t stream_of(cublasHandle_t handle) { return reinterpret_cast<Library*>(handle)->stream; }

std::int64_t bytes_of(cudaDataType_t type) {
  switch (type) {
    case CUDA_R_64F:
      return 8;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    default:
      return 1;
  }
}

template <class Pointer>
Pointer moved(Pointer data, cudaDataType_t type, std::int64_t elements) {
  using Byte = std::conditional_t<std::is_same_v<Pointer, void*>, char, const char>;
  return static_cast<Byte*>(data) + elements * bytes_of(type);
}

// cuBLASLt's descriptions.
struct Description {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  std::map<int, std::vector<char>> attributes;

  template <class T>
  T get(cublasLtMatmulDescAttributes_t which, T otherwise) const {
    const auto found = attributes.find(which);
    if (found == attributes.end() || found->second.size() != sizeof(T)) return otherwise;
    std::memcpy(&otherwise, found->second.data(), sizeof(T));
    return otherwise;
  }
  bool transposed(cublasLtMatmulDescAttributes_t which) const { return get(which, CUBLAS_OP_N) != CUBLAS_OP_N; }
};

struct LayoutOf {
  cudaDataType_t type;
  std::int64_t rows, columns, leading;
};

const Description& described(cublasLtMatmulDesc_t desc) { return *reinterpret_cast<const Description*>(desc); }
const LayoutOf& laid_out(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<const LayoutOf*>(layout); }

cublasStatus_t judge(const Description& how, const LayoutOf& a, const LayoutOf& b, const LayoutOf& c) {
  const bool ta = how.transposed(CUBLASLT_MATMUL_DESC_TRANSA), tb = how.transposed(CUBLASLT_MATMUL_DESC_TRANSB);
  const std::int64_t m = ta ? a.columns : a.rows, k = ta ? a.rows : a.columns;
  if (k != (tb ? b.columns : b.rows) || c.rows != m || c.columns != (tb ? b.rows : b.columns) || a.leading < a.rows ||
      b.leading < b.rows || c.leading < c.rows || how.scale != scale_type(how.compute)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (how.get(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT) != CUBLASLT_EPILOGUE_DEFAULT) {
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  if (is_fp8(a.type) && is_fp8(b.type)) {
    // "The A matrix must be transposed, B not", not both E5M2, and everything in steps of 16 bytes.
    const bool fits = ta && !tb && !(a.type == CUDA_R_8F_E5M2 && b.type == CUDA_R_8F_E5M2) && a.leading % 16 == 0 &&
                      b.leading % 16 == 0 && c.leading * bytes_of(c.type) % 16 == 0 && k % 16 == 0 &&
                      how.compute == CUBLAS_COMPUTE_32F &&
                      (c.type == CUDA_R_16BF || c.type == CUDA_R_16F || c.type == CUDA_R_32F);
    return fits ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return has(how.compute, a.type, b.type, c.type) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t property(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION ? CUBLAS_VER_MAJOR : type == MINOR_VERSION ? CUBLAS_VER_MINOR : CUBLAS_VER_PATCH;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace cupel::emulator

using namespace cupel::emulator;

cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) { return property(type, value); }
cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) { return property(type, value); }

const char* cublasGetStatusName(cublasStatus_t status) {
  return status == CUBLAS_STATUS_INVALID_VALUE   ? "CUBLAS_STATUS_INVALID_VALUE"
         : status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                                 : "a status of the emulated cuBLAS";
}
const char* cublasGetStatusString(cublasStatus_t) { return "by the emulated device"; }

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  *handle = reinterpret_cast<cublasHandle_t>(new Library);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete reinterpret_cast<Library*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  reinterpret_cast<Library*>(handle)->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasGemmEx_64(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, std::int64_t m,
                               std::int64_t n, std::int64_t k, const void* alpha, const void* a, cudaDataType type_a,
                               std::int64_t lda, const void* b, cudaDataType type_b, std::int64_t ldb, const void* beta,
                               void* c, cudaDataType type_c, std::int64_t ldc, cublasComputeType_t compute,
                               cublasGemmAlgo_t) {
  const Call call{ta, tb, m, n, k, alpha, type_a, lda, type_b, ldb, beta, type_c, ldc, compute};
  if (const cublasStatus_t status = call.judge(); status != CUBLAS_STATUS_SUCCESS) return status;
  return enqueue("cublasGemmEx", stream_of(handle), [product = call.of(a, b, c)] { product.compute(); });
}

cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb,
                                             std::int64_t m, std::int64_t n, std::int64_t k, const void* alpha,
                                             const void* a, cudaDataType type_a, std::int64_t lda, long long stride_a,
                                             const void* b, cudaDataType type_b, std::int64_t ldb, long long stride_b,
                                             const void* beta, void* c, cudaDataType type_c, std::int64_t ldc,
                                             long long stride_c, std::int64_t count, cublasComputeType_t compute,
                                             cublasGemmAlgo_t) {
  const Call call{ta, tb, m, n, k, alpha, type_a, lda, type_b, ldb, beta, type_c, ldc, compute};
  if (const cublasStatus_t status = call.judge(); status != CUBLAS_STATUS_SUCCESS) return status;
  std::vector<Product> products;
  for (std::int64_t i = 0; i < count; ++i) {
    products.push_back(
        call.of(moved(a, type_a, i * stride_a), moved(b, type_b, i * stride_b), moved(c, type_c, i * stride_c)));
  }
  return enqueue("cublasGemmStridedBatchedEx", stream_of(handle), [products] {
    for (const Product& product : products) product.compute();
  });
}

// The arrays of pointers are the device's.
cublasStatus_t cublasGemmBatchedEx_64(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, std::int64_t m,
                                      std::int64_t n, std::int64_t k, const void* alpha, const void* const a[],
                                      cudaDataType type_a, std::int64_t lda, const void* const b[], cudaDataType type_b,
                                      std::int64_t ldb, const void* beta, void* const c[], cudaDataType type_c,
                                      std::int64_t ldc, std::int64_t count, cublasComputeType_t compute,
                                      cublasGemmAlgo_t) {
  const Call call{ta, tb, m, n, k, alpha, type_a, lda, type_b, ldb, beta, type_c, ldc, compute};
  if (const cublasStatus_t status = call.judge(); status != CUBLAS_STATUS_SUCCESS) return status;
  const Product one = call.of(nullptr, nullptr, nullptr);
  return enqueue("cublasGemmBatchedEx", stream_of(handle), [=] {
    for (std::int64_t i = 0; i < count; ++i) {
      Product product = one;
      product.a.data = a[i];
      product.b.data = b[i];
      product.c = product.d = c[i];
      product.compute();
    }
  });
}

// What describes a group is the host's, the arrays of pointers are the device's.
cublasStatus_t cublasGemmGroupedBatchedEx_64(cublasHandle_t handle, const cublasOperation_t ta[],
                                             const cublasOperation_t tb[], const std::int64_t m[],
                                             const std::int64_t n[], const std::int64_t k[], const void* alpha,
                                             const void* const a[], cudaDataType_t type_a, const std::int64_t lda[],
                                             const void* const b[], cudaDataType_t type_b, const std::int64_t ldb[],
                                             const void* beta, void* const c[], cudaDataType_t type_c,
                                             const std::int64_t ldc[], std::int64_t groups,
                                             const std::int64_t group_size[], cublasComputeType_t compute) {
  std::vector<Product> products;
  for (std::int64_t g = 0; g < groups; ++g) {
    const cudaDataType_t scale = scale_type(compute);
    const Call call{ta[g],
                    tb[g],
                    m[g],
                    n[g],
                    k[g],
                    moved(alpha, scale, g),
                    type_a,
                    lda[g],
                    type_b,
                    ldb[g],
                    moved(beta, scale, g),
                    type_c,
                    ldc[g],
                    compute};
    if (const cublasStatus_t status = call.judge(); status != CUBLAS_STATUS_SUCCESS) return status;
    products.insert(products.end(), static_cast<std::size_t>(group_size[g]), call.of(nullptr, nullptr, nullptr));
  }
  return enqueue("cublasGemmGroupedBatchedEx", stream_of(handle), [=]() mutable {
    for (std::size_t i = 0; i < products.size(); ++i) {
      products[i].a.data = a[i];
      products[i].b.data = b[i];
      products[i].c = products[i].d = c[i];
      products[i].compute();
    }
  });
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(new Library);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<Library*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute, cudaDataType_t scale) {
  *desc = reinterpret_cast<cublasLtMatmulDesc_t>(new Description{compute, scale, {}});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc) {
  delete reinterpret_cast<Description*>(desc);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              const void* value, std::size_t bytes) {
  const auto* from = static_cast<const char*>(value);
  reinterpret_cast<Description*>(desc)->attributes[which] = std::vector<char>(from, from + bytes);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, std::int64_t leading) {
  *layout = reinterpret_cast<cublasLtMatrixLayout_t>(
      new LayoutOf{type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns), leading});
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete reinterpret_cast<LayoutOf*>(layout);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = reinterpret_cast<cublasLtMatmulPreference_t>(new Library);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete reinterpret_cast<Library*>(preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

// Three algorithms, all the same.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                                              cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                              cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found) {
  constexpr int kAlgorithms = 3;
  *found = 0;
  if (const cublasStatus_t status = judge(described(desc), laid_out(a), laid_out(b), laid_out(c));
      status != CUBLAS_STATUS_SUCCESS) {
    return status;
  }
  for (; *found < std::min(wanted, kAlgorithms); ++*found) {
    results[*found] = {};
    results[*found].algo.data[0] = static_cast<std::uint64_t>(*found) + 1;
    results[*found].state = CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t which, void* value,
                                                    std::size_t bytes, std::size_t* written) {
  const auto number = static_cast<std::int32_t>(which == CUBLASLT_ALGO_CONFIG_ID ? algorithm->data[0] : 0);
  if (bytes != sizeof(number)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(value, &number, sizeof(number));
  *written = sizeof(number);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t layout_a, const void* b, cublasLtMatrixLayout_t layout_b,
                              const void* beta, const void* c, cublasLtMatrixLayout_t layout_c, void* d,
                              cublasLtMatrixLayout_t, const cublasLtMatmulAlgo_t* algorithm, void*, std::size_t,
                              cudaStream_t stream) {
  const Description& how = described(desc);
  const LayoutOf &la = laid_out(layout_a), &lb = laid_out(layout_b), &lc = laid_out(layout_c);
  if (const cublasStatus_t status = judge(how, la, lb, lc); status != CUBLAS_STATUS_SUCCESS) return status;
  if (algorithm != nullptr && algorithm->data[0] == 0) return CUBLAS_STATUS_INVALID_VALUE;
  const bool ta = how.transposed(CUBLASLT_MATMUL_DESC_TRANSA), tb = how.transposed(CUBLASLT_MATMUL_DESC_TRANSB);
  const Product product{lc.rows,
                        lc.columns,
                        ta ? la.rows : la.columns,
                        {a, la.type, la.leading, ta},
                        {b, lb.type, lb.leading, tb},
                        element(how.scale, alpha, 0),
                        element(how.scale, beta, 0),
                        c,
                        d,
                        lc.type,
                        lc.leading};
  const auto* scale_a = how.get<const float*>(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, nullptr);
  const auto* scale_b = how.get<const float*>(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, nullptr);
  return enqueue("cublasLtMatmul", stream, [=] {
    Product scaled = product;
    if (scale_a != nullptr) scaled.alpha *= static_cast<double>(*scale_a);
    if (scale_b != nullptr) scaled.alpha *= static_cast<double>(*scale_b);
    scaled.compute();
  });
}
