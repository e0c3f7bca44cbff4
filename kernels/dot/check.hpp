// Holds matrix products and convolutions against what they should be, where they lie: each element that is looked at is
// computed again from the same inputs, by the definition, as if in twice double precision, by code that shares nothing
// with the libraries.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/dot_bound.hpp"
#include "kernels/dot/convolution.hpp"
#include "kernels/dot/elements.hpp"

namespace cupel::kernels::dot {

/// An array in device memory; its values are what is stored times `step`.
struct Array {
  const void* data = nullptr;
  Element element = Element::fp32;
  double step = 1;
};

/// Element (i, j) lies at i * row + j * column.
struct Matrix {
  Array array;
  std::int64_t row = 1;
  std::int64_t column = 0;
};

/// Which elements are looked at, and how far off they may be. samples: 1 to all; other seeds look at others.
struct Look {
  verify::DotBound bound;
  std::int64_t samples = 1;
  std::uint64_t seed = 0;
};

struct DotErrors {
  std::int64_t checked = 0;
  std::int64_t wrong = 0;         ///< beyond the bound, or not a number
  double relative_frobenius = 0;  ///< of what was checked; infinite with a number that is none
  double maximum = 0;             ///< largest error of an element, over the root mean square of the exact ones
  double frobenius_bound = 0;
  double worst_share = 0;  ///< largest error of an element as a share of what it may be

  /// The bound of the norm holds in the mean: it is asked of this many elements and more.
  static constexpr std::int64_t kMany = 1000;
  bool passed() const { return wrong == 0 && (checked < kMany || relative_frobenius <= frobenius_bound); }

  /// One line: how many are wrong, the errors and their bounds.
  std::string message() const;
};

/// Sums that the kernels add to, in device memory.
struct DotSums;

/// Checks results one after the other. Its functions block until the result is there; what they check must be complete
/// or on `stream`.
class DotChecker {
 public:
  DotChecker();
  ~DotChecker();

  /// c = a b with inner length k. Throws CudaError; std::invalid_argument if m, n or k is below 1.
  DotErrors gemm(const Matrix& a, const Matrix& b, const Matrix& c, std::int64_t m, std::int64_t n, std::int64_t k,
                 const Look& look, cudaStream_t stream);

  /// The result of a pass from its two operands, in the order of Product. Throws CudaError; std::invalid_argument.
  DotErrors convolution(const Convolution& shape, Pass pass, const Layouts& layouts, const Array& left,
                        const Array& right, const Array& result, const Look& look, cudaStream_t stream);

 private:
  DotErrors read(const Look& look, cudaStream_t stream) const;
  cuda::DeviceBuffer<char> sums_;
};

}  // namespace cupel::kernels::dot
