// Batch norm of channels-last arrays: statistics of each column over the rows, in strips that are joined, then one pass
// that normalises. In one launch, in which most of an array stays on the multiprocessors; elsewhere in three, which
// read it twice: the statistics need all of it.
#include "kernels/common/argument.hpp"
#include "kernels/norm/batch_arguments.cuh"
#include "kernels/norm/column_sums.cuh"
#include "kernels/norm/over_columns.cuh"
#include "kernels/norm/resident.cuh"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {
namespace {

// Mean and squared deviations of each column, as sums of what the elements differ from a pivot and of its square: the
// pivot is the mean of the thread's first m rows. Those are of the data, so it lies within sqrt(n / m) deviations of
// the mean of the thread's n rows, however they are distributed, and little is lost by the difference of the sums.
// Source: Chan, Golub and LeVeque (1983), "Algorithms for Computing the Sample Variance", on shifted data.
template <int kPack, class T>
struct MomentTerms {
  static constexpr int kRows = 4, kInputs = 1;
  const T* in;
  std::int64_t columns;
  float pivot[kPack] = {};

  __device__ void begin(std::int64_t) {}

  template <int N>
  __device__ void add(std::int64_t c, std::int64_t r, int step, Partial<kPack>& to) {
    Pack<T, kPack> x[kInputs][N];
    load_rows(in, columns, c, r, step, x[0]);
    see<N>(x, to);
  }

  template <int N>
  __device__ void see(const Pack<T, kPack> (&x)[kInputs][N], Partial<kPack>& to) {
    if (to.count == 0) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < N; ++k) sum += to_float(x[0][k].values[j]);
        pivot[j] = sum * (1.0f / N);
      }
    }
    to.count += N;
#pragma unroll
    for (int k = 0; k < N; ++k) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        const float difference = to_float(x[0][k].values[j]) - pivot[j];
        to.first[j] += difference;
        to.second[j] = fmaf(difference, difference, to.second[j]);
      }
    }
  }

  __device__ void end(Partial<kPack>& of) const {
    if (of.count == 0) return;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      const float mean = of.first[j] / of.count;
      of.second[j] = fmaxf(0.0f, of.second[j] - of.first[j] * mean);
      of.first[j] = pivot[j] + mean;
    }
  }
};

struct WriteMoments {
  float epsilon;
  float *mean, *inverse_deviation;
  /// The same, to elsewhere.
  __device__ WriteMoments to(float* means, float* inverse_deviations) const {
    return {epsilon, means, inverse_deviations};
  }
  __device__ void operator()(std::int64_t c, float center, float squares, float count) const {
    mean[c] = center;
    inverse_deviation[c] = 1.0f / sqrtf(squares / count + epsilon);
  }
};

// The difference goes first: nothing is lost where the mean is far from zero.
struct Normalise {
  const float *mean, *inverse_deviation, *gamma, *beta;
  bool relu;

  template <int kPack>
  struct Kept {
    float mean[kPack], factor[kPack], beta[kPack];
  };
  template <int kPack>
  __device__ Kept<kPack> keep(std::int64_t c) const {
    return keep<kPack>(c, mean + c, inverse_deviation + c);
  }
  /// With these from c on.
  template <int kPack>
  __device__ Kept<kPack> keep(std::int64_t c, const float* means, const float* inverse_deviations) const {
    Kept<kPack> kept;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      kept.mean[j] = means[j];
      kept.factor[j] = inverse_deviations[j] * gamma[c + j];
      kept.beta[j] = beta[c + j];
    }
    return kept;
  }
  template <int kPack>
  __device__ float operator()(const Kept<kPack>& kept, int j, const float (&x)[1]) const {
    const float y = fmaf(x[0] - kept.mean[j], kept.factor[j], kept.beta[j]);
    return relu && y < 0 ? 0.0f : y;
  }
};

struct ScaleShift {
  const float *factor, *shift;
  bool relu;

  template <int kPack>
  struct Kept {
    float factor[kPack], shift[kPack];
  };
  template <int kPack>
  __device__ Kept<kPack> keep(std::int64_t c) const {
    Kept<kPack> kept;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      kept.factor[j] = factor[c + j];
      kept.shift[j] = shift[c + j];
    }
    return kept;
  }
  template <int kPack>
  __device__ float operator()(const Kept<kPack>& kept, int j, const float (&x)[1]) const {
    const float y = fmaf(x[0], kept.factor[j], kept.shift[j]);
    return relu && y < 0 ? 0.0f : y;
  }
};

// x: input, d_out and, with ReLU, the output.
template <bool kRelu>
struct Backward {
  const float *mean, *inverse_deviation, *gamma, *d_gamma, *d_beta;
  float inverse_rows;

  // For d_in = factor * (d_out - d_average - (x - mean) * slope).
  template <int kPack>
  struct Kept {
    float mean[kPack], factor[kPack], d_average[kPack], slope[kPack];
  };
  template <int kPack>
  __device__ Kept<kPack> keep(std::int64_t c) const {
    return keep<kPack>(c, d_gamma + c, d_beta + c);
  }
  /// With these from c on.
  template <int kPack>
  __device__ Kept<kPack> keep(std::int64_t c, const float* d_gammas, const float* d_betas) const {
    Kept<kPack> kept;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      const float inverse = inverse_deviation[c + j];
      kept.mean[j] = mean[c + j];
      kept.factor[j] = gamma[c + j] * inverse;
      kept.d_average[j] = d_betas[j] * inverse_rows;
      kept.slope[j] = inverse * d_gammas[j] * inverse_rows;
    }
    return kept;
  }
  template <int kPack>
  __device__ float operator()(const Kept<kPack>& kept, int j, const float (&x)[kRelu ? 3 : 2]) const {
    float d = x[1];
    if constexpr (kRelu) d = x[2] > 0 ? d : 0.0f;
    return kept.factor[j] * (d - kept.d_average[j] - (x[0] - kept.mean[j]) * kept.slope[j]);
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

// Arguments as of launch_resident(), which does all of it at once where it can.
template <class Join, class Make, class Finish, class Operation, class T, int kInputs>
void launch_batch(const Make& make, const Finish& finish, const Operation& operation, const T* const (&in)[kInputs],
                  T* out, float* partial, const Shape& shape, cudaStream_t stream) {
  if (launch_resident<Join>(make, finish, operation, in, out, partial, shape, stream)) return;
  bool vectors = shape.columns % kVector<T> == 0;
  for (const T* array : in) vectors = vectors && is_vector_aligned(array);
  launch_over_rows<Join, kVector<T>>(make, vectors, finish, partial, shape, stream);
  launch_over_columns(operation, in, out, shape, stream);
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
    const Backward<kRelu> operation{
        mean, inverse_deviation, gamma, d_gamma, d_beta, 1.0f / static_cast<float>(shape.rows)};
    const auto terms = [&](auto pack) {
      return GradientTerms<true, kRelu, decltype(pack)::value, T>(x, y, d, mean, inverse_deviation, shape.columns);
    };
    const WriteGradients finish{d_gamma, d_beta};
    auto* const result = static_cast<T*>(d_in);
    if constexpr (kRelu) {
      launch_batch<Sums>(terms, finish, operation, {x, d, y}, result, partial, shape, stream);
    } else {
      launch_batch<Sums>(terms, finish, operation, {x, d}, result, partial, shape, stream);
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
    const auto* x = static_cast<const T*>(in);
    auto* const y = static_cast<T*>(out);
    const auto terms = [&](auto pack) { return MomentTerms<decltype(pack)::value, T>{x, shape.columns, {}}; };
    const WriteMoments finish{epsilon, mean, inverse_deviation};
    const Normalise operation{mean, inverse_deviation, gamma, beta, relu};
    launch_batch<MeanAndSquares>(terms, finish, operation, {x}, y, partial, shape, stream);
  });
}

void scale_shift(DType type, const void* in, const float* factor, const float* shift, bool relu, void* out,
                 const Shape& shape, cudaStream_t stream) {
  const std::int64_t count = require_shape("scale_shift", shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), "scale_shift");
  require_columns({{factor, "factor"}, {shift, "shift"}}, shape, 4, "scale_shift");
  if (count == 0) return;
  with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    launch_over_columns(ScaleShift{factor, shift, relu}, {static_cast<const T*>(in)}, static_cast<T*>(out), shape,
                        stream);
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
