// Rows of a matrix by teams of threads: a part of a warp for short rows, a block for long ones.
//
// An operation on rows has an element type `Element` and `template <class Walk> operator()(row, walk)`.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/common/argument.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/teams.cuh"
#include "kernels/norm/walk.cuh"

namespace cupel::kernels::norm {

inline constexpr int kMostThreads = 1024;
inline constexpr int kTeamBlock = 128;  // of teams smaller than a block

inline int whole_warps(std::int64_t threads) {
  return static_cast<int>(std::min<std::int64_t>((threads + kWarp - 1) / kWarp * kWarp, kMostThreads));
}

template <class OfThread, int kWidth, class Operation>
__global__ void __launch_bounds__(kTeamBlock) team_kernel(Operation operation, std::int64_t rows, int columns) {
  const std::int64_t row = std::int64_t{blockIdx.x} * (kTeamBlock / kWidth) + threadIdx.x / kWidth;
  const bool has_row = row < rows;
  const Walk<typename Operation::Element, OfThread, WarpTeam<kWidth>> walk({}, static_cast<int>(threadIdx.x % kWidth),
                                                                           columns, has_row ? columns : 0);
  operation(has_row ? row : 0, walk);
}

/// A row a block. kept: packs of a thread in shared memory, of each row that the operation goes through at once.
template <class OfThread, class Operation>
__global__ void __launch_bounds__(kMostThreads) block_kernel(Operation operation, int columns, int kept) {
  extern __shared__ uint4 shared[];
  const int threads = static_cast<int>(blockDim.x);
  const Walk<typename Operation::Element, OfThread, BlockTeam> walk({threads}, threadIdx.x, columns, columns,
                                                                    {kept, threads, shared + threadIdx.x});
  operation(std::int64_t{blockIdx.x}, walk);
}

/// Checks a shape and returns its number of elements.
inline std::int64_t require_shape(const char* function, const Shape& shape) {
  // A row is a block, of which a grid has at most 2^31 - 1.
  require_argument(shape.rows >= 0 && shape.rows < (std::int64_t{1} << 31), function, "shape.rows", "0 to 2147483647");
  require_argument(shape.columns >= 1 && shape.columns <= kMostColumns, function, "shape.columns", "1 to 65536");
  return shape.rows * shape.columns;
}

/// Arrays with an element a column; where there are no rows nothing is read.
inline void require_columns(std::initializer_list<NamedArray> arrays, const Shape& shape, std::int64_t element_bytes,
                            const char* function) {
  require_arrays(arrays, shape.rows == 0 ? 0 : shape.columns, element_bytes, function);
}

template <class... Arrays>
bool all_aligned(const Arrays*... arrays) {
  return (is_vector_aligned(arrays) && ...);
}

}  // namespace cupel::kernels::norm
