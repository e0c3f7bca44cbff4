#include "kernels/norm/moments.cuh"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {
namespace {

template <class T>
struct LayerNorm {
  using Element = T;
  const T *in, *gamma, *beta;
  float epsilon;
  T* out;
  float *mean, *inverse_deviation;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const auto n = static_cast<float>(walk.columns());
    float center, squares = 0;
    if constexpr (Walk::kOnce) {
      float sum = 0;
      walk.each(row, [&](int, const float(&x)[N]) {
        for (int e = 0; e < N; ++e) sum += x[e];
      });
      center = walk.sum(sum) / n;
      walk.each(row, [&](int, const float(&x)[N]) {
        for (int e = 0; e < N; ++e) squares += (x[e] - center) * (x[e] - center);
      });
    } else {
      Moments mine;
      walk.each(row, [&](int, const float(&x)[N]) { mine.add(x); });
      center = walk.sum(mine.count * mine.mean) / n;
      squares = mine.squares + mine.count * (mine.mean - center) * (mine.mean - center);
    }
    const float inverse = 1.0f / sqrtf(walk.sum(squares) / n + epsilon);
    walk.each(row, [&](int c, const float(&x)[N]) {
      float g[N], b[N];
      Walk::load(gamma + c, g);
      Walk::load(beta + c, b);
      for (int e = 0; e < N; ++e) g[e] = (x[e] - center) * inverse * g[e] + b[e];
      Walk::store(out + r * walk.columns() + c, g);
    });
    if (walk.speaks() && mean != nullptr) mean[r] = center;
    if (walk.speaks() && inverse_deviation != nullptr) inverse_deviation[r] = inverse;
  }
};

template <class T>
struct LayerNormBackward {
  using Element = T;
  const T *in, *gamma, *d_out;
  const float *mean, *inverse_deviation;
  T* d_in;

  template <class Walk>
  __device__ void operator()(std::int64_t r, const Walk& walk) const {
    constexpr int N = Walk::N;
    const auto row = walk.row(in + r * walk.columns());
    const auto d_row = walk.row(d_out + r * walk.columns());
    const float center = mean[r], inverse = inverse_deviation[r];
    float sum = 0, sum_normal = 0;
    walk.each(row, d_row, [&](int c, const float(&x)[N], const float(&d)[N]) {
      float g[N];
      Walk::load(gamma + c, g);
      for (int e = 0; e < N; ++e) {
        sum += d[e] * g[e];
        sum_normal += d[e] * g[e] * (x[e] - center) * inverse;
      }
    });
    const float average = walk.sum(sum) / static_cast<float>(walk.columns());
    const float average_normal = walk.sum(sum_normal) / static_cast<float>(walk.columns());
    walk.each(row, d_row, [&](int c, const float(&x)[N], const float(&d)[N]) {
      float g[N];
      Walk::load(gamma + c, g);
      for (int e = 0; e < N; ++e) {
        g[e] = inverse * (d[e] * g[e] - average - (x[e] - center) * inverse * average_normal);
      }
      Walk::store(d_in + r * walk.columns() + c, g);
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
                                 static_cast<const T*>(gamma),
                                 static_cast<const T*>(beta),
                                 epsilon,
                                 static_cast<T*>(out),
                                 mean,
                                 inverse_deviation};
    launch_rows<8>(operation, shape, all_aligned(in, gamma, beta, out), stream);
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
        static_cast<const T*>(in), static_cast<const T*>(gamma), static_cast<const T*>(d_out), mean,
        inverse_deviation,         static_cast<T*>(d_in)};
    launch_rows<4>(operation, shape, all_aligned(in, gamma, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
