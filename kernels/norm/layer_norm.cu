#include "kernels/common/smooth.hpp"
#include "kernels/norm/launch_rows.cuh"

namespace cupel::kernels::norm {
namespace {

struct Moments {
  float mean, variance;
};

// In one pass: each thread sums what its elements differ from the first of them, and its square. That is its own, so it
// lies within sqrt(n) deviations of the mean of its n elements, and little is lost by the difference of the sums.
// Source: Chan, Golub and LeVeque (1983), "Algorithms for Computing the Sample Variance", on shifted data.
template <class Walk, class Row>
__device__ Moments moments(const Walk& walk, const Row& row) {
  constexpr int N = Walk::N;
  float count = 0, pivot = 0, sum = 0, squares = 0;
  walk.each(row, [&](int, const float(&x)[N]) {
    if (count == 0) pivot = x[0];
    count += N;
    for (int e = 0; e < N; ++e) {
      const float difference = x[e] - pivot;
      sum += difference;
      squares = fmaf(difference, difference, squares);
    }
  });
  const float average = count > 0 ? sum * reciprocal(count) : 0.0f;
  const float mean = walk.average(fmaf(pivot, count, sum)), apart = pivot + average - mean;
  return {mean, walk.average(fmaxf(0.0f, squares - sum * average) + count * apart * apart)};
}

template <class T>
struct LayerNorm {
  using Element = T;
  const T* in;
  ColumnArrays<T, 2> gamma_beta;
  float epsilon;
  T* out;
  float *mean, *inverse_deviation;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const Moments found = moments(walk, row);
    const float center = found.mean, inverse = reciprocal(sqrtf(found.variance + epsilon));
    walk.each(row, gamma_beta, [&](int c, const float(&x)[N], const float(&z)[2][N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = fmaf((x[e] - center) * inverse, z[0][e], z[1][e]);
      Walk::store(out + r * walk.columns() + c, y);
    });
    if (walk.speaks() && mean != nullptr) mean[r] = center;
    if (walk.speaks() && inverse_deviation != nullptr) inverse_deviation[r] = inverse;
  }
};

template <class T>
struct LayerNormBackward {
  using Element = T;
  const T *in, *d_out;
  ColumnArrays<T, 1> gamma;
  const float *mean, *inverse_deviation;
  T* d_in;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const auto d_row = walk.row(d_out + r * walk.columns(), 1);
    const float center = mean[r], inverse = inverse_deviation[r];
    float sums[2] = {};  // of d, and of d (x - center)
    walk.each(row, d_row, gamma, [&](int, const float(&x)[N], const float(&d_y)[N], const float(&z)[1][N]) {
      for (int e = 0; e < N; ++e) {
        const float d = d_y[e] * z[0][e];
        sums[0] += d;
        sums[1] = fmaf(d, x[e] - center, sums[1]);
      }
    });
    walk.sum(sums);
    const float each = reciprocal(static_cast<float>(walk.columns()));
    const float average = sums[0] * each, slope = sums[1] * each * inverse * inverse;
    walk.each(row, d_row, gamma, [&](int c, const float(&x)[N], const float(&d_y)[N], const float(&z)[1][N]) {
      float y[N];
      for (int e = 0; e < N; ++e) y[e] = inverse * (d_y[e] * z[0][e] - average - (x[e] - center) * slope);
      Walk::store(d_in + r * walk.columns() + c, y);
    });
  }
};

}  // namespace

void layer_norm(DType type, const void* in, const void* gamma, const void* beta, float epsilon, void* out, float* mean,
                float* inverse_deviation, const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_shape("layer_norm", shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), "layer_norm");
  require_columns({{gamma, "gamma"}, {beta, "beta"}}, shape, size_of(type), "layer_norm");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const LayerNorm<T> operation{static_cast<const T*>(in),
                                 {{static_cast<const T*>(gamma), static_cast<const T*>(beta)}},
                                 epsilon,
                                 static_cast<T*>(out),
                                 mean,
                                 inverse_deviation};
    launch_rows<1, true>(operation, shape, all_aligned(in, gamma, beta, out), stream);
  });
}

void layer_norm_backward(DType type, const void* in, const void* gamma, const void* d_out, const float* mean,
                         const float* inverse_deviation, void* d_in, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "layer_norm_backward";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}}, shape, size_of(type), kName);
  require_arrays({{mean, "mean"}, {inverse_deviation, "inverse_deviation"}}, shape.rows, 4, kName);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const LayerNormBackward<T> operation{
        static_cast<const T*>(in), static_cast<const T*>(d_out), {{static_cast<const T*>(gamma)}}, mean,
        inverse_deviation,         static_cast<T*>(d_in)};
    launch_rows<2, true>(operation, shape, all_aligned(in, gamma, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
