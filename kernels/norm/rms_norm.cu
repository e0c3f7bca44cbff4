#include "kernels/norm/launch_rows.cuh"

namespace cupel::kernels::norm {
namespace {

template <class T>
struct RmsNorm {
  using Element = T;
  const T* in;
  ColumnArrays<T, 1> gamma;
  float epsilon;
  T* out;
  float* inverse_deviation;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    float squares = 0;
    walk.each(row, [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) squares += x[e] * x[e];
    });
    const float inverse = reciprocal(sqrtf(walk.average(squares) + epsilon));
    walk.each(row, gamma, [&](int c, const float(&x)[N], const float(&z)[1][N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = x[e] * inverse * z[0][e];
      Walk::store(out + r * walk.columns() + c, y);
    });
    if (walk.speaks() && inverse_deviation != nullptr) inverse_deviation[r] = inverse;
  }
};

template <class T>
struct RmsNormBackward {
  using Element = T;
  const T *in, *d_out;
  ColumnArrays<T, 1> gamma;
  const float* inverse_deviation;
  T* d_in;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const auto d_row = walk.row(d_out + r * walk.columns(), 1);
    const float inverse = inverse_deviation[r];
    float sum = 0;
    walk.each(row, d_row, gamma, [&](int, const float(&x)[N], const float(&d_y)[N], const float(&z)[1][N]) {
      for (int e = 0; e < N; ++e) sum = fmaf(d_y[e] * z[0][e], x[e], sum);
    });
    const float slope = walk.average(sum) * inverse * inverse;
    walk.each(row, d_row, gamma, [&](int c, const float(&x)[N], const float(&d_y)[N], const float(&z)[1][N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = inverse * (d_y[e] * z[0][e] - x[e] * slope);
      Walk::store(d_in + r * walk.columns() + c, y);
    });
  }
};

}  // namespace

void rms_norm(DType type, const void* in, const void* gamma, float epsilon, void* out, float* inverse_deviation,
              const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_shape("rms_norm", shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), "rms_norm");
  require_columns({{gamma, "gamma"}}, shape, size_of(type), "rms_norm");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const RmsNorm<T> operation{
        static_cast<const T*>(in), {{static_cast<const T*>(gamma)}}, epsilon, static_cast<T*>(out), inverse_deviation};
    launch_rows<1, true>(operation, shape, all_aligned(in, gamma, out), stream);
  });
}

void rms_norm_backward(DType type, const void* in, const void* gamma, const void* d_out, const float* inverse_deviation,
                       void* d_in, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "rms_norm_backward";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}}, shape, size_of(type), kName);
  require_array(inverse_deviation, shape.rows, 4, kName, "inverse_deviation");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const RmsNormBackward<T> operation{static_cast<const T*>(in),
                                       static_cast<const T*>(d_out),
                                       {{static_cast<const T*>(gamma)}},
                                       inverse_deviation,
                                       static_cast<T*>(d_in)};
    launch_rows<2, true>(operation, shape, all_aligned(in, gamma, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
