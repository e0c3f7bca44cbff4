// Softmax of rows, and its gradient, of what a View<Walk> of the row sees: all of it, or the columns up to the
// diagonal.
//
// A view has what Walk has of row(), each(), greatest(), sum() and max(); View(walk, r, unseen) sees row r and puts
// `unseen` in place of what it does not see, and zero_the_rest() stores where each() does not come to.
#pragma once

#include "kernels/norm/exponentials.cuh"
#include "kernels/norm/launch_rows.cuh"

namespace cupel::kernels::norm {

template <class T, template <class> class View>
struct Softmax {
  using Element = T;
  const T* in;
  T* out;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const View<Walk> view(walk, r, -INFINITY);  // whose exponential is 0
    const auto row = view.row(in + r * walk.columns());
    const auto found = exponentials(view, row);
    const float inverse = 1.0f / found.sum;
    T* const to = out + r * walk.columns();
    view.each(row, [&](int c, const float(&x)[N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = found.below(x[e]) * inverse;
      Walk::store(to + c, y);
    });
    view.zero_the_rest(to);
  }
};

template <class T, template <class> class View>
struct SoftmaxBackward {
  using Element = T;
  const T *out, *d_out;
  T* d_in;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const View<Walk> view(walk, r, 0);
    const auto row = view.row(out + r * walk.columns());
    const auto d_row = view.row(d_out + r * walk.columns(), 1);
    float sum = 0;
    view.each(row, d_row, [&](int, const float(&y)[N], const float(&d)[N]) {
      for (int e = 0; e < N; ++e) sum += y[e] * d[e];
    });
    sum = view.sum(sum);
    T* const to = d_in + r * walk.columns();
    view.each(row, d_row, [&](int c, const float(&y)[N], const float(&d)[N]) {
      float x[N];
      for (int e = 0; e < N; ++e) x[e] = (d[e] - sum) * y[e];
      Walk::store(to + c, x);
    });
    view.zero_the_rest(to);
  }
};

/// On the rows of `shape`, which is checked and has `count` elements; the arrays are refused in the name of `function`.
template <template <class> class View>
void launch_softmax(const char* function, std::int64_t count, DType type, const void* in, void* out, const Shape& shape,
                    cudaStream_t stream) {
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), function);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Softmax<T, View> operation{static_cast<const T*>(in), static_cast<T*>(out)};
    launch_rows<1>(operation, shape, all_aligned(in, out), stream);
  });
}

/// Likewise.
template <template <class> class View>
void launch_softmax_backward(const char* function, std::int64_t count, DType type, const void* out, const void* d_out,
                             void* d_in, const Shape& shape, cudaStream_t stream) {
  require_arrays({{out, "out"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), function);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const SoftmaxBackward<T, View> operation{static_cast<const T*>(out), static_cast<const T*>(d_out),
                                             static_cast<T*>(d_in)};
    launch_rows<2>(operation, shape, all_aligned(out, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
