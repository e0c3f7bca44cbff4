// Batch norm, an operation a kernel.
#include "kernels/norm/batch_arguments.cuh"
#include "kernels/norm/column_sums.cuh"
#include "kernels/norm/eager.cuh"

namespace cupel::kernels::norm {
namespace {

using eager::Eager;
using eager::InverseRoot;
using eager::Plus;
using eager::Scaled;
using eager::Square;
using eager::Subtract;
using eager::Times;

struct Rectified {
  __device__ float operator()(const float (&x)[1]) const { return x[0] < 0 ? 0.0f : x[0]; }
};

template <int kPack, class T>
struct SumTerms {
  static constexpr int kRows = 4;
  const T* in;
  std::int64_t columns;

  __device__ void begin(std::int64_t) {}

  template <int N>
  __device__ void add(std::int64_t c, std::int64_t r, int step, Partial<kPack>& to) {
    Pack<T, kPack> x[N];
    load_rows(in, columns, c, r, step, x);
#pragma unroll
    for (int k = 0; k < N; ++k) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) to.first[j] += to_float(x[k].values[j]);
    }
  }

  __device__ void end(Partial<kPack>&) const {}
};

struct WriteScaled {
  float factor;
  float* out;
  __device__ void operator()(std::int64_t c, float sum, float, float) const { out[c] = sum * factor; }
};

// out[c] = factor times the sum of column c.
template <class T>
void column_sum(const T* in, float factor, float* out, float* partial, const Shape& shape, cudaStream_t stream) {
  const bool vectors = shape.columns % kVector<T> == 0 && is_vector_aligned(in);
  const auto make = [&](auto pack) { return SumTerms<decltype(pack)::value, T>{in, shape.columns}; };
  launch_over_rows<Sums, kVector<T>>(make, vectors, WriteScaled{factor, out}, partial, shape, stream);
}

template <class Function>
void over_columns(const Function& function, const float* in, float* out, std::int64_t columns, cudaStream_t stream) {
  launch_elementwise(Everywhere<Function>{function}, {in}, out, columns, stream);
}

}  // namespace

void batch_norm_training_textbook(DType type, const void* in, const float* gamma, const float* beta, float epsilon,
                                  bool relu, void* out, float* mean, float* inverse_deviation, float* partial,
                                  TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_training("batch_norm_training_textbook", type, in, gamma, beta, out, mean,
                                              inverse_deviation, partial, shape);
  if (count == 0) return;
  const float inverse_rows = 1.0f / static_cast<float>(shape.rows);
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *centered = static_cast<T*>(workspace.first()), *squares = static_cast<T*>(workspace.second());
    auto* result = static_cast<T*>(out);
    column_sum(static_cast<const T*>(in), inverse_rows, mean, partial, shape, stream);
    eager.with_column(Subtract{}, static_cast<const T*>(in), mean, centered);
    eager.all(Square{}, centered, squares);
    column_sum(squares, inverse_rows, inverse_deviation, partial, shape, stream);
    over_columns(InverseRoot{epsilon}, inverse_deviation, inverse_deviation, shape.columns, stream);
    eager.with_column(Times{}, centered, inverse_deviation, centered);
    eager.with_column(Times{}, centered, gamma, centered);
    eager.with_column(Plus{}, centered, beta, result);
    if (relu) eager.all(Rectified{}, result, result);
  });
}

void batch_norm_inference_textbook(DType type, const void* in, const float* gamma, const float* beta, const float* mean,
                                   const float* variance, float epsilon, bool relu, void* out, float* inverse_deviation,
                                   TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "batch_norm_inference_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), kName);
  require_columns({{gamma, "gamma"}, {beta, "beta"}, {mean, "mean"}, {variance, "variance"}}, shape, 4, kName);
  require_columns({{inverse_deviation, "inverse_deviation"}}, shape, 4, kName);
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *normal = static_cast<T*>(workspace.first()), *result = static_cast<T*>(out);
    over_columns(InverseRoot{epsilon}, variance, inverse_deviation, shape.columns, stream);
    eager.with_column(Subtract{}, static_cast<const T*>(in), mean, normal);
    eager.with_column(Times{}, normal, inverse_deviation, normal);
    eager.with_column(Times{}, normal, gamma, normal);
    eager.with_column(Plus{}, normal, beta, result);
    if (relu) eager.all(Rectified{}, result, result);
  });
}

void batch_norm_backward_textbook(DType type, const void* in, const void* d_out, const float* gamma, const float* mean,
                                  const float* inverse_deviation, void* d_in, float* d_gamma, float* d_beta,
                                  float* partial, TextbookWorkspace& workspace, const Shape& shape,
                                  cudaStream_t stream) {
  const std::int64_t count = require_backward("batch_norm_backward_textbook", type, in, d_out, gamma, mean,
                                              inverse_deviation, d_in, d_gamma, d_beta, partial, shape);
  if (count == 0) return;
  const Scaled average{1.0f / static_cast<float>(shape.rows)};
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *normal = static_cast<T*>(workspace.first()), *d = static_cast<T*>(workspace.second());
    auto* result = static_cast<T*>(d_in);
    const auto* d_y = static_cast<const T*>(d_out);
    eager.with_column(Subtract{}, static_cast<const T*>(in), mean, normal);
    eager.with_column(Times{}, normal, inverse_deviation, normal);
    column_sum(d_y, 1, d_beta, partial, shape, stream);
    eager.product(d_y, normal, d);
    column_sum(d, 1, d_gamma, partial, shape, stream);
    // The averages lie where the strips' sums have been.
    over_columns(average, d_beta, partial, shape.columns, stream);
    over_columns(average, d_gamma, partial + shape.columns, shape.columns, stream);
    eager.with_column(Subtract{}, d_y, partial, d);
    eager.with_column(Times{}, normal, partial + shape.columns, normal);
    eager.difference(d, normal, d);
    eager.with_column(Times{}, d, gamma, d);
    eager.with_column(Times{}, d, inverse_deviation, result);
  });
}

void parameter_gradients_textbook(DType type, const void* in, const void* d_out, const float* mean,
                                  const float* inverse_deviation, float* d_gamma, float* d_beta, float* partial,
                                  TextbookWorkspace& workspace, const Shape& shape, cudaStream_t stream) {
  constexpr const char* kName = "parameter_gradients_textbook";
  const std::int64_t count = require_shape(kName, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}}, count, size_of(type), kName);
  require_arrays({{mean, "mean"}, {inverse_deviation, "inverse_deviation"}}, shape.rows, 4, kName);
  require_arrays({{d_gamma, "d_gamma"}, {d_beta, "d_beta"}, {partial, "partial"}}, shape.columns, 4, kName);
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const Eager<T> eager(shape, stream);
    auto *normal = static_cast<T*>(workspace.first()), *d = static_cast<T*>(workspace.second());
    const auto* d_y = static_cast<const T*>(d_out);
    eager.with_row(Subtract{}, static_cast<const T*>(in), mean, normal);
    eager.with_row(Times{}, normal, inverse_deviation, normal);
    eager.product(d_y, normal, d);
    column_sum(d_y, 1, d_beta, partial, shape, stream);
    column_sum(d, 1, d_gamma, partial, shape, stream);
  });
}

}  // namespace cupel::kernels::norm
