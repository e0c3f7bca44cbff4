#include "cupel/vendor/cublas.hpp"

#include <cstdint>
#include <cstring>

namespace cupel::vendor {
namespace {

const Entry<decltype(cublasGetProperty)> get_property(cublas_library, "cublasGetProperty");
const Entry<decltype(cublasLtGetProperty)> get_lt_property(cublas_lt_library, "cublasLtGetProperty");

constexpr Version kCublasBuiltWith{CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};

template <class Property>
Version version_of(const Property& property) {
  Version version;
  check(property(MAJOR_VERSION, &version.major));
  check(property(MINOR_VERSION, &version.minor));
  check(property(PATCH_LEVEL, &version.patch));
  return version;
}

// A part of an algorithm's configuration; -1 if it has none such.
std::int64_t config_of(const cublasLtMatmulAlgo_t& algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute) {
  std::int32_t value = 0;
  std::size_t written = 0;
  const cublasStatus_t status =
      cublas_lt::algorithm_get(&algorithm, attribute, static_cast<void*>(&value), sizeof value, &written);
  return status == CUBLAS_STATUS_SUCCESS ? value : -1;
}

std::string soname(const char* base) { return std::string(base) + ".so." + std::to_string(kCublasBuiltWith.major); }

}  // namespace

// From the library itself if it is there: the text of an error must not fail in its turn.
template <>
std::string describe(cublasStatus_t status) {
  try {
    static const Entry<decltype(cublasGetStatusName)> name(cublas_library, "cublasGetStatusName");
    static const Entry<decltype(cublasGetStatusString)> text(cublas_library, "cublasGetStatusString");
    return std::string(name(status)) + ": " + text(status);
  } catch (const Unavailable&) {
    return "cuBLAS status " + std::to_string(static_cast<int>(status));
  }
}

template <>
const char* why_not_here(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_NOT_SUPPORTED:
    case CUBLAS_STATUS_ARCH_MISMATCH:
      return kNotSupportedHere;
    case CUBLAS_STATUS_ALLOC_FAILED:
      return kOutOfMemoryInside;
    default:
      return nullptr;
  }
}

SharedLibrary& cublas_lt_library() {
  static SharedLibrary library("cuBLASLt", {soname("libcublasLt")}, SharedLibrary::Loading::shared);
  return library;
}

// cuBLAS needs cuBLASLt: the one that is loaded by then is the one it gets.
SharedLibrary& cublas_library() {
  static SharedLibrary library("cuBLAS", {soname("libcublas")}, SharedLibrary::Loading::shared);
  cublas_lt_library().handle();
  return library;
}

void require_cublas() {
  require_version("cuBLASLt", kCublasBuiltWith, version_of(get_lt_property), cublas_lt_library().file());
  require_version("cuBLAS", kCublasBuiltWith, version_of(get_property), cublas_library().file());
}

CublasHandle::CublasHandle(std::size_t workspace_bytes) : workspace_(workspace_bytes) {
  require_cublas();
  handle_ = made<decltype(handle_)>(cublas::create);
  constexpr int kMath = CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  check(cublas::set_math_mode(get(), static_cast<cublasMath_t>(kMath)));
}

// Setting the stream puts cuBLAS's own workspace back, so ours is set after it.
void CublasHandle::set_stream(cudaStream_t stream) {
  check(cublas::set_stream(get(), stream));
  check(cublas::set_workspace(get(), static_cast<void*>(workspace_.data()), workspace_.size_bytes()));
}

CublasLtHandle::CublasLtHandle() {
  require_cublas();
  handle_ = made<decltype(handle_)>(cublas_lt::create);
}

std::vector<cublasLtMatmulAlgo_t> lt_algorithms(cublasLtHandle_t handle, const LtMatmul& matmul, const LtLayout& a,
                                                const LtLayout& b, const LtLayout& c, std::size_t workspace_bytes,
                                                int most) {
  LtPreference preference;
  preference.set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace_bytes);
  const std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  preference.set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions);

  std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(most));
  int found = 0;
  const cublasStatus_t status = cublas_lt::get_heuristic(handle, matmul.get(), a.get(), b.get(), c.get(), c.get(),
                                                         preference.get(), most, results.data(), &found);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};
  check(status);
  std::vector<cublasLtMatmulAlgo_t> algorithms;
  for (int i = 0; i < found; ++i) {
    const auto& result = results[static_cast<std::size_t>(i)];
    if (result.state == CUBLAS_STATUS_SUCCESS) algorithms.push_back(result.algo);
  }
  return algorithms;
}

std::string to_string(const cublasLtMatmulAlgo_t& algorithm) {
  return "algorithm " + std::to_string(config_of(algorithm, CUBLASLT_ALGO_CONFIG_ID)) + ", tile " +
         std::to_string(config_of(algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID)) + ", stages " +
         std::to_string(config_of(algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID)) + ", split " +
         std::to_string(config_of(algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM));
}

}  // namespace cupel::vendor
