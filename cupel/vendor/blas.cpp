#include "cupel/vendor/blas.hpp"

#include <limits>
#include <stdexcept>

namespace cupel::vendor {
namespace {

// As cblas.h has them; the header is not wanted for so little.
enum Order { kRowMajor = 101 };
enum Transpose { kAsItIs = 111, kTransposed = 112 };
using Sgemm = void(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int);
using GetConfig = char*();
using GetThreads = int();

SharedLibrary& openblas_library() {
  static auto& library = *new SharedLibrary("OpenBLAS", {"libopenblas.so.0", "libopenblas.so"});
  return library;
}

const Entry<Sgemm> sgemm(openblas_library, "cblas_sgemm");
const Entry<GetConfig> get_config(openblas_library, "openblas_get_config");
const Entry<GetThreads> get_threads(openblas_library, "openblas_get_num_threads");

int narrow(std::int64_t size) {
  if (size < 1 || size > std::numeric_limits<int>::max()) {
    throw std::invalid_argument("host_product: sizes must be 1 to 2147483647");
  }
  return static_cast<int>(size);
}

}  // namespace

void host_product(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  bool transpose_b) {
  const int rows = narrow(m), columns = narrow(n), inner = narrow(k);
  sgemm(static_cast<int>(kRowMajor), static_cast<int>(kAsItIs), static_cast<int>(transpose_b ? kTransposed : kAsItIs),
        rows, columns, inner, 1.0f, a, inner, b, transpose_b ? inner : columns, 0.0f, c, columns);
}

std::string host_blas() { return std::string(get_config()) + ", " + std::to_string(get_threads()) + " threads"; }

}  // namespace cupel::vendor
