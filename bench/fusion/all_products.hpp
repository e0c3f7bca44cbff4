// Every element of a matrix product with an operation behind it, held on the device against the same in double.
// Compiled by nvcc; callers need not be.
#pragma once

#include <cstdint>

#include "bench/fusion/all_elements.hpp"
#include "bench/fusion/epilogue_check.hpp"

namespace cupel::bench::fusion {

/// The right result. Arrays are device memory; shape and operation are those of epilogue_check.hpp.
struct RightProducts {
  Operation operation = Operation::bias;
  Rounding rounding;
  ProductShape shape;
  double scale = 1;
  const void* a = nullptr;
  const void* b = nullptr;
  const void* bias = nullptr;  ///< forward, an element a row
  const void* kept = nullptr;  ///< backward of an activation: its input or, of ReLU, output, as large as the result
  /// Backward of ReLU, whose output came from the same operands, the left one transposed: what that pass multiplied
  /// them with. Its bias is `bias`. Where its sum may as well be 0 or more, the gradient may be passed on or not.
  double forward_scale = 0;
};

/// How many elements of `out` are farther off than about twice what forward() and backward() allow, and the first of
/// them, column by column. It costs as much as the product itself in double. Waits. Throws CudaError.
Wrong find_wrong(const RightProducts& right, const void* out);

}  // namespace cupel::bench::fusion
