#include "kernels/norm/softmax.cuh"

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
    const auto found = exponentials(walk, row);
    const float inverse = 1.0f / found.sum;
    walk.each(row, [&](int c, const float(&x)[N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = found.below(x[e]) * inverse;
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
    const auto d_row = walk.row(d_out + r * walk.columns(), 1);
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
  constexpr const char* kName = "softmax";
  launch_softmax<Softmax>(kName, require_shape(kName, shape), type, in, out, shape, stream);
}

void softmax_backward(DType type, const void* out, const void* d_out, void* d_in, const Shape& shape,
                      cudaStream_t stream) {
  constexpr const char* kName = "softmax_backward";
  launch_softmax_backward<SoftmaxBackward>(kName, require_shape(kName, shape), type, out, d_out, d_in, shape, stream);
}

}  // namespace cupel::kernels::norm
