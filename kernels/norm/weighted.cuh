// A row beside a gradient that is multiplied by a weight of each column.
#pragma once

#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

/// Goes through a row and the products of `gradient` and the weights. row and gradient: made for the places 0 and 1;
/// the weights go to the one behind them, and the gradient is changed, where columns are kept.
template <class Walk, class Row, class T>
class Weighted {
  static constexpr int N = Walk::N;

 public:
  __device__ Weighted(const Walk& walk, const Row& row, Row& gradient, const ColumnArrays<T, 1>& weights)
      : walk_(walk), row_(row), gradient_(gradient), weights_(weights) {
    if constexpr (Walk::kKeepsColumns) {
      constexpr int kPlace = 2;
      walk.multiply(gradient, weights.at[0], kPlace);
    }
  }

  /// f(column, x, gradient * weight)
  template <class F>
  __device__ void each(const F& f) const {
    if constexpr (Walk::kKeepsColumns) {
      walk_.each(row_, gradient_, f);
    } else {
      walk_.each(row_, gradient_, weights_, [&](int c, const float(&x)[N], const float(&d)[N], const float(&w)[1][N]) {
        float product[N];
        for (int e = 0; e < N; ++e) product[e] = d[e] * w[0][e];
        f(c, x, product);
      });
    }
  }

 private:
  const Walk& walk_;
  const Row &row_, &gradient_;
  const ColumnArrays<T, 1>& weights_;
};

}  // namespace cupel::kernels::norm
