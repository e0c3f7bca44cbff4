// A framework's eager mode: an operation a kernel, each array through memory.
#pragma once

#include "kernels/common/argument.hpp"
#include "kernels/norm/columns.cuh"
#include "kernels/norm/launch_rows.cuh"

namespace cupel::kernels::norm::eager {

// One number of each row.
template <class T, bool kMax>
struct ReduceRow {
  using Element = T;
  const T* in;
  float factor;  // times the sum
  float* out;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    float mine = kMax ? -INFINITY : 0.0f;
    walk.each(walk.row(in + r * walk.columns()), [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) mine = kMax ? fmaxf(mine, x[e]) : mine + x[e];
    });
    const float total = kMax ? walk.max(mine) : walk.sum(mine) * factor;
    if (walk.speaks()) out[r] = total;
  }
};

struct Subtract {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] - v; }
};
struct Times {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] * v; }
};
struct Over {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] / v; }
};
struct Plus {
  __device__ float operator()(const float (&x)[1], float v) const { return x[0] + v; }
};
struct Square {
  __device__ float operator()(const float (&x)[1]) const { return x[0] * x[0]; }
};
struct Exponential {
  __device__ float operator()(const float (&x)[1]) const { return expf(x[0]); }
};
struct Logarithm {
  __device__ float operator()(const float (&x)[1]) const { return logf(x[0]); }
};
struct InverseRoot {
  float epsilon;
  __device__ float operator()(const float (&x)[1]) const { return 1.0f / sqrtf(x[0] + epsilon); }
};
struct Scaled {
  float factor;
  __device__ float operator()(const float (&x)[1]) const { return x[0] * factor; }
};
struct Difference {
  __device__ float operator()(const float (&x)[2]) const { return x[0] - x[1]; }
};
struct Product {
  __device__ float operator()(const float (&x)[2]) const { return x[0] * x[1]; }
};

// The operations with their shape and stream, so that a formula reads as one.
template <class T>
class Eager {
 public:
  Eager(const Shape& shape, cudaStream_t stream) : shape_(shape), stream_(stream) {}

  void row_sum(const T* in, float* out) const { reduce(ReduceRow<T, false>{in, 1, out}); }
  void row_mean(const T* in, float* out) const {
    reduce(ReduceRow<T, false>{in, 1.0f / static_cast<float>(shape_.columns), out});
  }
  void row_max(const T* in, float* out) const { reduce(ReduceRow<T, true>{in, 1, out}); }

  template <class Function>
  void with_row(Function function, const T* in, const float* row, T* out) const {
    launch_elementwise(ByRow<Function>(row, shape_.columns, function), {in}, out, count(), stream_);
  }
  template <class Function, class C>
  void with_column(Function function, const T* in, const C* column, T* out) const {
    launch_elementwise(ByColumn<C, Function>(column, shape_.columns, function), {in}, out, count(), stream_);
  }
  template <class Function>
  void all(Function function, const T* in, T* out) const {
    launch_elementwise(Everywhere<Function>{function}, {in}, out, count(), stream_);
  }
  void product(const T* a, const T* b, T* out) const {
    launch_elementwise(Everywhere<Product>{}, {a, b}, out, count(), stream_);
  }
  void difference(const T* a, const T* b, T* out) const {
    launch_elementwise(Everywhere<Difference>{}, {a, b}, out, count(), stream_);
  }
  template <class Function>
  void rows(Function function, const float* in, float* out) const {
    launch_elementwise(Everywhere<Function>{function}, {in}, out, shape_.rows, stream_);
  }

 private:
  std::int64_t count() const { return shape_.rows * shape_.columns; }
  template <class Operation>
  void reduce(const Operation& operation) const {
    launch_rows<0>(operation, shape_, is_vector_aligned(operation.in), stream_);
  }

  Shape shape_;
  cudaStream_t stream_;
};

}  // namespace cupel::kernels::norm::eager
