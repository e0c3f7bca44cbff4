// Operations of launch_elementwise() on rows whose columns, or rows, have values of their own.
#pragma once

#include "kernels/common/divider.hpp"
#include "kernels/common/elementwise.cuh"

namespace cupel::kernels::norm {

/// Calls function(x, v): x the inputs' elements k, v = values[k], for the N elements of a pack.
template <int N, class Function>
struct ValueCursor {
  float values[N];
  Function function;
  template <int kInputs>
  __device__ float operator()(int k, const float (&x)[kInputs]) const {
    return function(x, values[k]);
  }
};

/// function(x, v): x the inputs' elements, v the value of the element's column.
template <class C, class Function>
class ByColumn {
 public:
  static constexpr Tile kTile = Tile::narrow;

  ByColumn(const C* values, std::int64_t columns, Function function)
      : values_(values),
        columns_(columns),
        divider_(columns),
        function_(function),
        vector_(is_vector_aligned(values)) {}

  /// A pack may go over the end of a row. Where it does not, the columns' values are packs, too: one by one they would
  /// be more accesses than the elements' own, by as much as there are elements in a pack.
  template <int N>
  __device__ ValueCursor<N, Function> at(std::int64_t first) const {
    std::int64_t column = divider_.remainder(first);
    ValueCursor<N, Function> cursor;
    cursor.function = function_;
    if (vector_ && column % N == 0 && column + N <= columns_) {
      const Pack<C, N> values = load_pack<N>(values_ + column);
#pragma unroll
      for (int k = 0; k < N; ++k) cursor.values[k] = to_float(values.values[k]);
      return cursor;
    }
#pragma unroll
    for (int k = 0; k < N; ++k) {
      cursor.values[k] = to_float(values_[column]);
      if (++column == columns_) column = 0;
    }
    return cursor;
  }

 private:
  const C* values_;
  std::int64_t columns_;
  Divider divider_;
  Function function_;
  bool vector_;
};

/// function(x, v): v the value of the element's row.
template <class Function>
class ByRow {
 public:
  static constexpr Tile kTile = Tile::narrow;

  ByRow(const float* values, std::int64_t columns, Function function)
      : values_(values), columns_(columns), divider_(columns), function_(function) {}

  template <int N>
  __device__ ValueCursor<N, Function> at(std::int64_t first) const {
    std::int64_t row = divider_.quotient(first), column = first - row * columns_;
    ValueCursor<N, Function> cursor;
    cursor.function = function_;
#pragma unroll
    for (int k = 0; k < N; ++k) {
      cursor.values[k] = values_[row];
      if (++column == columns_ && k + 1 < N) {
        column = 0;
        // Behind the last row there is none; the pack ends there, too.
        ++row;
      }
    }
    return cursor;
  }

 private:
  const float* values_;
  std::int64_t columns_;
  Divider divider_;
  Function function_;
};

}  // namespace cupel::kernels::norm
