#include "kernels/norm/launch_rows.cuh"
#include "kernels/norm/moments.cuh"

namespace cupel::kernels::norm {
namespace {

// Each thread's own are exact to a few roundings; one joining makes them the row's.
template <class Walk, class Row>
__device__ Moments moments(const Walk& walk, const Row& row) {
  constexpr int N = Walk::N;
  Moments mine{};
  if constexpr (Walk::kOnce) {
    walk.each(row, [&](int, const float(&x)[N]) {
      mine.count += N;
      for (int e = 0; e < N; ++e) mine.mean += x[e];
    });
    if (mine.count > 0) mine.mean *= reciprocal(mine.count);
    walk.each(row, [&](int, const float(&x)[N]) {
      for (int e = 0; e < N; ++e) mine.squares += (x[e] - mine.mean) * (x[e] - mine.mean);
    });
  } else {
    walk.each(row, [&](int, const float(&x)[N]) { mine.add(x); });
  }
  return walk.join(mine, Moments{}, [](const Moments& a, const Moments& b) { return join(a, b); });
}

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
    const Moments found = moments(walk, row);
    const float center = found.mean, inverse = 1.0f / sqrtf(found.squares / found.count + epsilon);
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
    launch_rows<1>(operation, shape, all_aligned(in, gamma, beta, out), stream);
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
    launch_rows<2>(operation, shape, all_aligned(in, gamma, d_out, d_in), stream);
  });
}

}  // namespace cupel::kernels::norm
