// Every element that a bandwidth benchmark wrote, held on the device against what its inputs make of it. Compiled by
// nvcc; callers need not be.
#pragma once

#include <cstdint>

namespace cupel::bench::memory {

/// The value that element i has to have, of inputs that are drawn again from their seeds (fill_uniform() in [-1, 1)).
struct RightElements {
  enum class Kind { constant, copy, triad };
  Kind kind = Kind::constant;
  float factor = 0;          ///< the constant, or what triad multiplies the second input with
  std::int64_t stride = 1;   ///< of copy: between the elements that are read
  std::uint64_t first = 0;   ///< seed of the input of copy, and of what triad adds to
  std::uint64_t second = 0;  ///< seed of triad's other input
};

struct WrongElements {
  std::int64_t count = 0, first = 0;
};

/// How many of `count` elements in device memory differ, and the first of them. Waits. Throws CudaError.
WrongElements find_wrong(const RightElements& right, const float* out, std::int64_t count);

}  // namespace cupel::bench::memory
