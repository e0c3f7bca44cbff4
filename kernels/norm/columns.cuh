// Operations of launch_elementwise() on rows whose columns, or rows, have values of their own.
#pragma once

#include "kernels/common/divider.hpp"
#include "kernels/common/elementwise.cuh"

namespace cupel::kernels::norm {

/// function(x, v): x the inputs' elements, v[k] the element's column's value in the k-th of kValues arrays of C.
template <class C, int kValues, class Function>
class ByColumn {
 public:
  static constexpr Tile kTile = Tile::narrow;

  ByColumn(const C* const (&values)[kValues], std::int64_t columns, Function function)
      : columns_(columns), divider_(columns), function_(function) {
    std::copy(std::begin(values), std::end(values), values_);
    for (const C* array : values) vector_ = vector_ && is_vector_aligned(array);
  }

  template <int N>
  struct Cursor {
    float values[kValues][N];
    Function function;
    template <int kInputs>
    __device__ float operator()(int k, const float (&x)[kInputs]) const {
      float v[kValues];
#pragma unroll
      for (int j = 0; j < kValues; ++j) v[j] = values[j][k];
      return function(x, v);
    }
  };

  /// A pack may go over the end of a row. Where it does not, the columns' values are packs, too: one by one they would
  /// be more accesses than the elements' own, by as much as there are elements in a pack.
  template <int N>
  __device__ Cursor<N> at(std::int64_t first) const {
    std::int64_t column = divider_.remainder(first);
    Cursor<N> cursor;
    cursor.function = function_;
    if (vector_ && column % N == 0 && column + N <= columns_) {
#pragma unroll
      for (int j = 0; j < kValues; ++j) {
        const Pack<C, N> values = load_pack<N>(values_[j] + column);
#pragma unroll
        for (int k = 0; k < N; ++k) cursor.values[j][k] = to_float(values.values[k]);
      }
      return cursor;
    }
#pragma unroll
    for (int k = 0; k < N; ++k) {
#pragma unroll
      for (int j = 0; j < kValues; ++j) cursor.values[j][k] = to_float(values_[j][column]);
      if (++column == columns_) column = 0;
    }
    return cursor;
  }

 private:
  const C* values_[kValues];
  std::int64_t columns_;
  Divider divider_;
  Function function_;
  bool vector_ = true;
};

/// function(x, v): v the value of the element's row.
template <class Function>
class ByRow {
 public:
  static constexpr Tile kTile = Tile::narrow;

  ByRow(const float* values, std::int64_t columns, Function function)
      : values_(values), columns_(columns), divider_(columns), function_(function) {}

  template <int N>
  struct Cursor {
    float values[N];
    Function function;
    template <int kInputs>
    __device__ float operator()(int k, const float (&x)[kInputs]) const {
      return function(x, values[k]);
    }
  };

  template <int N>
  __device__ Cursor<N> at(std::int64_t first) const {
    std::int64_t row = divider_.quotient(first), column = first - row * columns_;
    Cursor<N> cursor;
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
