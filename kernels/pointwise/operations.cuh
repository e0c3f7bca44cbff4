// The functors as operations of launch_elementwise().
#pragma once

#include <limits>

#include "kernels/common/argument.hpp"
#include "kernels/common/divider.hpp"
#include "kernels/common/elementwise.cuh"
#include "kernels/common/vector.cuh"
#include "kernels/pointwise/functors.hpp"

namespace cupel::kernels::pointwise {

template <class Function>
struct Unary {
  Function function;
  __device__ float operator()(const float (&x)[1]) const { return function(x[0]); }
};

template <class Function>
struct Binary {
  Function function;
  __device__ float operator()(const float (&x)[2]) const { return function(x[0], x[1]); }
};

/// Rows that share a bias: `function(i, biased, x)`, where biased is x[0] with its column's bias added and i the
/// element's place.
template <class T, class Function>
class WithBias {
 public:
  static constexpr Tile kTile = Tile::narrow;

  WithBias(const T* bias, std::int64_t columns, Function function)
      : bias_(bias), columns_(columns), divider_(columns), function_(function), vector_(is_vector_aligned(bias)) {}

  template <int N>
  struct Cursor {
    std::int64_t first;
    Pack<T, N> bias;
    Function function;
    template <int kInputs>
    __device__ float operator()(int k, const float (&x)[kInputs]) const {
      return function(first + k, x[0] + to_float(bias.values[k]), x);
    }
  };

  /// A pack may go over the end of a row. Where it does not, the bias is a pack too.
  template <int N>
  __device__ Cursor<N> at(std::int64_t first) const {
    std::int64_t column = divider_.remainder(first);
    Cursor<N> cursor{first, {}, function_};
    if (vector_ && column % N == 0 && column + N <= columns_) {
      cursor.bias = load_pack<N>(bias_ + column);
    } else {
#pragma unroll
      for (int k = 0; k < N; ++k) {
        cursor.bias.values[k] = bias_[column];
        if (++column == columns_) column = 0;
      }
    }
    return cursor;
  }

 private:
  const T* bias_;
  std::int64_t columns_;
  Divider divider_;
  Function function_;
  bool vector_;
};

struct AddBias {
  template <int kInputs>
  __device__ float operator()(std::int64_t, float biased, const float (&)[kInputs]) const {
    return biased;
  }
};

/// The numbers of a pack's elements, made two at a time where the first of them is even.
struct DropoutAt {
  static constexpr Tile kTile = Tile::narrow;
  Dropout dropout;

  template <int N>
  struct Cursor {
    std::uint32_t numbers[N];
    Dropout dropout;
    __device__ float operator()(int k, const float (&x)[1]) const { return dropout.with(numbers[k], x[0]); }
  };

  template <int N>
  __device__ Cursor<N> at(std::int64_t first) const {
    Cursor<N> cursor{{}, dropout};
    if (N > 1 && first % 2 == 0) {
#pragma unroll
      for (int k = 0; k + 1 < N; k += 2) {
        const Dropout::Two two = dropout.two((first + k) / 2);
        cursor.numbers[k] = two.even;
        cursor.numbers[k + 1] = two.odd;
      }
    } else {
#pragma unroll
      for (int k = 0; k < N; ++k) cursor.numbers[k] = dropout.number(first + k);
    }
    return cursor;
  }
};

/// Checks a shape and returns how many elements it has.
inline std::int64_t require_rows(const char* function, std::int64_t rows, std::int64_t columns) {
  require_argument(rows >= 0, function, "rows", "0 or more");
  require_argument(columns >= 1, function, "columns", "1 or more");
  require_argument(rows <= std::numeric_limits<std::int64_t>::max() / 8 / columns, function, "rows",
                   "so few that rows x columns can be counted");
  return rows * columns;
}

inline void require_probability(const char* function, float probability) {
  require_argument(probability >= 0 && probability < 1, function, "probability", "0 or more and less than 1");
}

}  // namespace cupel::kernels::pointwise
