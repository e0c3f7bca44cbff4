#include "kernels/norm/exponentials.cuh"

namespace cupel::kernels::norm {
namespace {

template <class T>
struct Softmax {
  using Element = T;
  const T* in;
  T* out;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const Exponentials found = exponentials(walk, row);
    const float inverse = 1.0f / found.sum;
    walk.each(row, [&](int c, const float(&x)[N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = expf(x[e] - found.max) * inverse;
      Walk::store(out + r * walk.columns() + c, y);
    });
  }
};

template <class T>
struct SoftmaxBackward {
  using Element = T;
  const T *out, *d_out;
  T* d_in;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(out + r * walk.columns());
    const auto d_row = walk.row(d_out + r * walk.columns());
    float sum = 0;
    walk.each(row, d_row, [&](int, const float(&y)[N], const float(&d)[N]) {
      for (int e = 0; e < N; ++e) sum += y[e] * d[e];
    });
    sum = walk.sum(sum);
    walk.each(row, d_row, [&](int c, const float(&y)[N], const float(&d)[N]) {
      float x[N];
      for (int e = 0; e < N; ++e) x[e] = (d[e] - sum) * y[e];
      Walk::store(d_in + r * walk.columns() + c, x);
    });
  }
};

}  // namespace

void softmax(DType type, const void* in, void* out, const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_shape("softmax", shape);
  require_array(in, count, size_of(type), "softmax", "in");
  require_array(out, count, size_of(type), "softmax", "out");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Softmax<T> operation{static_cast<const T*>(in), static_cast<T*>(out)};
    launch_rows<8>(operation, shape, all_aligned(in, out), stream);
  });
}

void softmax_backward(DType type, const void* out, const void* d_out, void* d_in, const Shape& shape,
                      cudaStream_t stream) {
  const std::int64_t count = require_shape("softmax_backward", shape);
  require_array(out, count, size_of(type), "softmax_backward", "out");
  require_array(d_out, count, size_of(type), "softmax_backward", "d_out");
  require_array(d_in, count, size_of(type), "softmax_backward", "d_in");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const SoftmaxBackward<T> operation{static_cast<const T*>(out), static_cast<const T*>(d_out), static_cast<T*>(d_in)};
    launch_rows<4>(operation, shape, all_aligned(out, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
