#include "bench/fusion/all_rows.hpp"

#include <limits>

#include "bench/fusion/sum_of_block.cuh"
#include "cupel/cuda/cuda.hpp"
#include "kernels/common/convert.hpp"

namespace cupel::bench::fusion {
namespace {

using cuda::check;

constexpr int kRowThreads = 256;  // threads, for a row
constexpr int kRowBlocks = 4096;
constexpr int kMostSums = 4;

// A row of each array, and the sums over its columns that were made so far.
template <class T>
struct RowSoFar {
  const T *x, *dy;
  const void *gamma, *beta;
  bool is_fp32;  // gamma and beta
  std::int64_t label;
  double scale_of_all;
  double columns, epsilon;
  double sums[kMostSums];

  __device__ double in(std::int64_t c) const { return static_cast<double>(kernels::to_float(x[c])); }
  __device__ double d_out(std::int64_t c) const { return static_cast<double>(kernels::to_float(dy[c])); }
  __device__ double scale(std::int64_t c) const { return of_column(gamma, c); }
  __device__ double shift(std::int64_t c) const { return of_column(beta, c); }
  __device__ double mean(int sum) const { return sums[sum] / columns; }
  __device__ double of_column(const void* array, std::int64_t c) const {
    if (is_fp32) return static_cast<double>(static_cast<const float*>(array)[c]);
    return static_cast<double>(kernels::to_float(static_cast<const T*>(array)[c]));
  }
};

// Formulas: so many sums over the columns, each of which may need those before it, and then the element.
struct LayerNorm {
  static constexpr int kSums = 2;
  template <class T>
  static __device__ double centred(const RowSoFar<T>& r, std::int64_t c) {
    return r.in(c)-r.mean(0);
  }
  template <class T>
  static __device__ double normalised(const RowSoFar<T>& r, std::int64_t c) {
    return centred(r, c) * rsqrt(r.mean(1) + r.epsilon);
  }
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int sum, std::int64_t c) {
    return sum == 0 ? r.in(c) : centred(r, c) * centred(r, c);
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    return normalised(r, c) * r.scale(c) + r.shift(c);
  }
};

struct LayerNormBackward {
  static constexpr int kSums = 4;
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int sum, std::int64_t c) {
    if (sum < 2) return LayerNorm::term(r, sum, c);
    const double scaled = r.d_out(c) * r.scale(c);
    return sum == 2 ? scaled : scaled * LayerNorm::normalised(r, c);
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    return rsqrt(r.mean(1) + r.epsilon) *
           (r.d_out(c) * r.scale(c) - r.mean(2) - LayerNorm::normalised(r, c) * r.mean(3));
  }
};

struct RmsNorm {
  static constexpr int kSums = 1;
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int, std::int64_t c) {
    return r.in(c)*r.in(c);
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    return r.in(c)*rsqrt(r.mean(0) + r.epsilon) * r.scale(c);
  }
};

struct RmsNormBackward {
  static constexpr int kSums = 2;
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int sum, std::int64_t c) {
    return sum == 0 ? RmsNorm::term(r, sum, c) : r.d_out(c) * r.scale(c) * r.in(c);
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    const double inverse = rsqrt(r.mean(0) + r.epsilon);
    return inverse * (r.d_out(c) * r.scale(c) - r.in(c)*inverse * inverse * r.mean(1));
  }
};

// Inputs are small: their exponentials need no maximum taken off.
struct Softmax {
  static constexpr int kSums = 1;
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int, std::int64_t c) {
    return exp(r.in(c));
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    return exp(r.in(c)) / r.sums[0];
  }
};

struct SoftmaxBackward {
  static constexpr int kSums = 1;
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int, std::int64_t c) {
    return r.in(c)*r.d_out(c);
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    return r.in(c) * (r.d_out(c) - r.sums[0]);
  }
};

struct CrossEntropyBackward {
  static constexpr int kSums = 1;
  template <class T>
  static __device__ double term(const RowSoFar<T>& r, int sum, std::int64_t c) {
    return Softmax::term(r, sum, c);
  }
  template <class T>
  static __device__ double value(const RowSoFar<T>& r, std::int64_t c) {
    return r.scale_of_all * (Softmax::value(r, c) - (c == r.label ? 1 : 0));
  }
};

template <class T, class Formula>
__global__ void __launch_bounds__(kRowThreads)
    find_wrong_rows_kernel(Rowwise right, const void* out, std::int64_t rows, std::int64_t columns, double absolute,
                           double relative, unsigned long long* found) {
  __shared__ double shared[kRowThreads];
  for (std::int64_t row = blockIdx.x; row < rows; row += kRowBlocks) {
    const std::int64_t first = row * columns;
    const auto at = [](const void* array, std::int64_t i) {
      return array == nullptr ? nullptr : static_cast<const T*>(array) + i;
    };
    RowSoFar<T> r{.x = at(right.in, first),
                  .dy = at(right.d_out, first),
                  .gamma = right.gamma,
                  .beta = right.beta,
                  .is_fp32 = right.is_fp32,
                  .label = right.labels == nullptr ? -1 : right.labels[row],
                  .scale_of_all = right.scale,
                  .columns = static_cast<double>(columns),
                  .epsilon = right.epsilon,
                  .sums = {}};
    for (int sum = 0; sum < Formula::kSums; ++sum) {
      double mine = 0;
      for (std::int64_t c = threadIdx.x; c < columns; c += kRowThreads) mine += Formula::term(r, sum, c);
      r.sums[sum] = sum_of_block(mine, shared);
    }
    for (std::int64_t c = threadIdx.x; c < columns; c += kRowThreads) {
      const double expected = Formula::value(r, c);
      const double seen = static_cast<double>(kernels::to_float(static_cast<const T*>(out)[first + c]));
      if (fabs(seen - expected) <= absolute + relative * fabs(expected)) continue;  // false for NaN
      atomicAdd(found, 1ull);
      atomicMin(found + 1, static_cast<unsigned long long>(first + c));
    }
  }
}

// Inputs are small: their exponentials need no maximum taken off.
template <class T>
__global__ void __launch_bounds__(kRowThreads)
    row_losses_kernel(const T* in, const std::int32_t* labels, std::int64_t rows, std::int64_t columns, double* found) {
  __shared__ double shared[kRowThreads];
  for (std::int64_t row = blockIdx.x; row < rows; row += kRowBlocks) {
    const T* const x = in + row * columns;
    double mine = 0;
    for (std::int64_t c = threadIdx.x; c < columns; c += kRowThreads) {
      mine += exp(static_cast<double>(kernels::to_float(x[c])));
    }
    const double sum = sum_of_block(mine, shared);
    if (threadIdx.x == 0) found[row] = log(sum) - static_cast<double>(kernels::to_float(x[labels[row]]));
  }
}

template <class T>
__global__ void __launch_bounds__(kRowThreads)
    row_dots_kernel(const T* a, const T* b, std::int64_t rows, std::int64_t columns, RowDot* found) {
  __shared__ double shared[kRowThreads];
  for (std::int64_t row = blockIdx.x; row < rows; row += kRowBlocks) {
    RowDot mine;
    for (std::int64_t c = threadIdx.x; c < columns; c += kRowThreads) {
      const std::int64_t i = row * columns + c;
      const double product =
          static_cast<double>(kernels::to_float(a[i])) * static_cast<double>(kernels::to_float(b[i]));
      mine.sum += product;
      mine.squares += product * product;
    }
    const RowDot all{sum_of_block(mine.sum, shared), sum_of_block(mine.squares, shared)};
    if (threadIdx.x == 0) found[row] = all;
  }
}

}  // namespace

void row_losses(kernels::DType type, const void* in, const std::int32_t* labels, const kernels::norm::Shape& shape,
                double* found, cudaStream_t stream) {
  kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    row_losses_kernel<T>
        <<<kRowBlocks, kRowThreads, 0, stream>>>(static_cast<const T*>(in), labels, shape.rows, shape.columns, found);
  });
  check(cudaGetLastError());
}

void row_dots(kernels::DType type, const void* a, const void* b, const kernels::norm::Shape& shape, RowDot* found,
              cudaStream_t stream) {
  kernels::with_type(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    row_dots_kernel<T><<<kRowBlocks, kRowThreads, 0, stream>>>(static_cast<const T*>(a), static_cast<const T*>(b),
                                                               shape.rows, shape.columns, found);
  });
  check(cudaGetLastError());
}

Wrong find_wrong(const Rowwise& right, kernels::DType type, const kernels::norm::Shape& shape, const void* out,
                 double absolute, double relative) {
  const unsigned long long none[] = {0, std::numeric_limits<unsigned long long>::max()};
  cuda::DeviceBuffer<unsigned long long> found(none);
  const auto find = [&](auto formula) {
    kernels::with_type(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      find_wrong_rows_kernel<T, decltype(formula)>
          <<<kRowBlocks, kRowThreads>>>(right, out, shape.rows, shape.columns, absolute, relative, found.data());
    });
  };
  switch (right.kind) {
    case Rowwise::Kind::layer_norm:
      find(LayerNorm());
      break;
    case Rowwise::Kind::layer_norm_backward:
      find(LayerNormBackward());
      break;
    case Rowwise::Kind::rms_norm:
      find(RmsNorm());
      break;
    case Rowwise::Kind::rms_norm_backward:
      find(RmsNormBackward());
      break;
    case Rowwise::Kind::softmax:
      find(Softmax());
      break;
    case Rowwise::Kind::softmax_backward:
      find(SoftmaxBackward());
      break;
    case Rowwise::Kind::cross_entropy_backward:
      find(CrossEntropyBackward());
      break;
  }
  check(cudaGetLastError());
  const auto seen = found.to_host();
  return {static_cast<std::int64_t>(seen[0]), static_cast<std::int64_t>(seen[1])};
}

}  // namespace cupel::bench::fusion
