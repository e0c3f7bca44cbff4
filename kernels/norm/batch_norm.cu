// Batch norm of channels-last arrays: statistics of each column over the rows, in strips that are joined, then one pass
// that normalises. Training reads the array twice: the statistics need all of it.
#include "kernels/common/argument.hpp"
#include "kernels/norm/batch_arguments.cuh"
#include "kernels/norm/column_sums.cuh"
#include "kernels/norm/columns.cuh"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {
namespace {

// Mean and squared deviations of each column: a few rows at a time, which one joining serves.
template <int kPack, class T>
struct MomentTerms {
  static constexpr int kRows = 4;
  const T* in;
  std::int64_t columns;

  __device__ void begin(std::int64_t) {}

  template <int N>
  __device__ void add(std::int64_t c, std::int64_t r, int step, Partial<kPack>& to) {
    Pack<T, kPack> x[N];
    load_rows(in, columns, c, r, step, x);
    Partial<kPack> rows;
    rows.count = N;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
#pragma unroll
      for (int k = 0; k < N; ++k) rows.first[j] += to_float(x[k].values[j]);
      rows.first[j] *= 1.0f / N;
#pragma unroll
      for (int k = 0; k < N; ++k) {
        const float difference = to_float(x[k].values[j]) - rows.first[j];
        rows.second[j] += difference * difference;
      }
    }
    MeanAndSquares::join(to, rows);
  }
};

struct WriteMoments {
  float epsilon;
  float *mean, *inverse_deviation;
  __device__ void operator()(std::int64_t c, float center, float squares, float count) const {
    mean[c] = center;
    inverse_deviation[c] = 1.0f / sqrtf(squares / count + epsilon);
  }
};

template <class T>
void launch_moments(const T* in, float epsilon, float* mean, float* inverse_deviation, float* partial,
                    const Shape& shape, cudaStream_t stream) {
  const bool vectors = shape.columns % kVector<T> == 0 && is_vector_aligned(in);
  const auto make = [&](auto pack) { return MomentTerms<decltype(pack)::value, T>{in, shape.columns}; };
  launch_over_rows<MeanAndSquares, kVector<T>>(make, vectors, WriteMoments{epsilon, mean, inverse_deviation}, partial,
                                               kBatchStrips, shape, stream);
}

// Chosen in the kernel: as a template parameter it takes nvcc 13 from 80 to 96 registers in bf16, with ReLU and
// without.
struct Normalise {
  bool relu;
  __device__ float operator()(const float (&x)[1], const float (&v)[4]) const {
    const float y = (x[0] - v[0]) * v[1] * v[2] + v[3];
    return relu && y < 0 ? 0.0f : y;
  }
};

struct ScaleShift {
  bool relu;
  __device__ float operator()(const float (&x)[1], const float (&v)[2]) const {
    const float y = fmaf(x[0], v[0], v[1]);
    return relu && y < 0 ? 0.0f : y;
  }
};

// x: input, d_out and, with ReLU, the output. v: mean, inverse deviation, gamma, d_gamma, d_beta.
template <bool kRelu>
struct Backward {
  float inverse_rows;
  __device__ float operator()(const float (&x)[kRelu ? 3 : 2], const float (&v)[5]) const {
    float d = x[1];
    if constexpr (kRelu) d = x[2] > 0 ? d : 0.0f;
    const float normal = (x[0] - v[0]) * v[1];
    return v[2] * v[1] * (d - v[4] * inverse_rows - normal * v[3] * inverse_rows);
  }
};

__global__ void __launch_bounds__(kColumnBlock)
    fold_kernel(const float* gamma, const float* beta, const float* mean, const float* variance, float epsilon,
                float* factor, float* shift, std::int64_t columns) {
  const std::int64_t c = std::int64_t{blockIdx.x} * kColumnBlock + threadIdx.x;
  if (c >= columns) return;
  const float f = gamma[c] / sqrtf(variance[c] + epsilon);
  factor[c] = f;
  shift[c] = beta[c] - mean[c] * f;
}

// out: the ReLU's; not looked at without one.
template <bool kRelu>
void backward(const char* name, DType type, const void* in, const void* out, const void* d_out, const float* gamma,
              const float* mean, const float* inverse_deviation, void* d_in, float* d_gamma, float* d_beta,
              float* partial, const Shape& shape, cudaStream_t stream) {
  const std::int64_t count =
      require_backward(name, type, in, d_out, gamma, mean, inverse_deviation, d_in, d_gamma, d_beta, partial, shape);
  if (kRelu) require_array(out, count, size_of(type), name, "out");
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto *x = static_cast<const T*>(in), *y = static_cast<const T*>(out), *d = static_cast<const T*>(d_out);
    launch_gradient_sums<true, kRelu>(x, y, d, mean, inverse_deviation, d_gamma, d_beta, partial, kBatchStrips, shape,
                                      stream);
    const float* const values[5] = {mean, inverse_deviation, gamma, d_gamma, d_beta};
    const ByColumn<float, 5, Backward<kRelu>> operation(values, shape.columns, {1.0f / static_cast<float>(shape.rows)});
    auto* result = static_cast<T*>(d_in);
    if constexpr (kRelu) {
      launch_elementwise(operation, {x, d, y}, result, count, stream);
    } else {
      launch_elementwise(operation, {x, d}, result, count, stream);
    }
  });
}

}  // namespace

void batch_norm_training(DType type, const void* in, const float* gamma, const float* beta, float epsilon, bool relu,
                         void* out, float* mean, float* inverse_deviation, float* partial, const Shape& shape,
                         cudaStream_t stream) {
  const std::int64_t count =
      require_training("batch_norm_training", type, in, gamma, beta, out, mean, inverse_deviation, partial, shape);
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const auto* data = static_cast<const T*>(in);
    launch_moments(data, epsilon, mean, inverse_deviation, partial, shape, stream);
    const float* const values[4] = {mean, inverse_deviation, gamma, beta};
    launch_elementwise(ByColumn<float, 4, Normalise>(values, shape.columns, {relu}), {data}, static_cast<T*>(out),
                       count, stream);
  });
}

void scale_shift(DType type, const void* in, const float* factor, const float* shift, bool relu, void* out,
                 const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_shape("scale_shift", shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), "scale_shift");
  require_columns({{factor, "factor"}, {shift, "shift"}}, shape, 4, "scale_shift");
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const float* const values[2] = {factor, shift};
    launch_elementwise(ByColumn<float, 2, ScaleShift>(values, shape.columns, {relu}), {static_cast<const T*>(in)},
                       static_cast<T*>(out), count, stream);
  });
}

void fold_batch_norm(const float* gamma, const float* beta, const float* mean, const float* variance, float epsilon,
                     float* factor, float* shift, std::int64_t columns, cudaStream_t stream) {
  constexpr const char* kName = "fold_batch_norm";
  require_argument(columns >= 0, kName, "columns", "0 or more");
  require_arrays({{gamma, "gamma"}, {beta, "beta"}, {mean, "mean"}, {variance, "variance"}}, columns, 4, kName);
  require_arrays({{factor, "factor"}, {shift, "shift"}}, columns, 4, kName);
  if (columns == 0) return;
  fold_kernel<<<column_blocks(columns), kColumnBlock, 0, stream>>>(gamma, beta, mean, variance, epsilon, factor, shift,
                                                                   columns);
  cuda::check(cudaGetLastError());
}

void batch_norm_backward(DType type, const void* in, const void* d_out, const float* gamma, const float* mean,
                         const float* inverse_deviation, void* d_in, float* d_gamma, float* d_beta, float* partial,
                         const Shape& shape, cudaStream_t stream) {
  backward<false>("batch_norm_backward", type, in, nullptr, d_out, gamma, mean, inverse_deviation, d_in, d_gamma,
                  d_beta, partial, shape, stream);
}

void batch_norm_relu_backward(DType type, const void* in, const void* out, const void* d_out, const float* gamma,
                              const float* mean, const float* inverse_deviation, void* d_in, float* d_gamma,
                              float* d_beta, float* partial, const Shape& shape, cudaStream_t stream) {
  backward<true>("batch_norm_relu_backward", type, in, out, d_out, gamma, mean, inverse_deviation, d_in, d_gamma,
                 d_beta, partial, shape, stream);
}

}  // namespace cupel::kernels::norm
