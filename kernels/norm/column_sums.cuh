// Sums over the rows of each column, in two kernels: strips of rows, then the strips. The order is fixed: results are
// the same in every run.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/common/vector.cuh"
#include "kernels/norm/norm.hpp"

namespace cupel::kernels::norm {

inline constexpr int kColumnBlock = 256;

/// Blocks in which each column has a thread.
inline unsigned column_blocks(std::int64_t columns) {
  return static_cast<unsigned>((columns + kColumnBlock - 1) / kColumnBlock);
}

/// Threads of a block that lie side by side along the columns: a power of two, at most a warp.
inline int lanes_of(std::int64_t packs) {
  return static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::clamp<std::int64_t>(packs, 1, 32))));
}

/// Rows [begin, end) of a strip.
struct Strip {
  std::int64_t begin, end;
};

__device__ inline Strip strip_of(std::int64_t rows, int strip, int strips) {
  const std::int64_t each = (rows + strips - 1) / strips;
  const std::int64_t begin = each * strip;
  return {begin < rows ? begin : rows, begin + each < rows ? begin + each : rows};
}

/// Two statistics of each of kPack columns, over `count` rows; a Join makes those of two sets of rows one.
template <int kPack>
struct Partial {
  float first[kPack] = {}, second[kPack] = {};
  float count = 0;
};

struct Sums {
  template <int kPack>
  static __device__ void join(Partial<kPack>& to, const Partial<kPack>& other) {
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      to.first[j] += other.first[j];
      to.second[j] += other.second[j];
    }
    to.count += other.count;
  }
};

/// first: mean, second: squared deviations from it. Chan, Golub and LeVeque (1979), equation 2.1.
struct MeanAndSquares {
  template <int kPack>
  static __device__ void join(Partial<kPack>& to, const Partial<kPack>& other) {
    if (other.count == 0) return;
    const float all = to.count + other.count, share = other.count / all;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      const float difference = other.first[j] - to.first[j];
      to.second[j] += other.second[j] + difference * difference * (to.count * share);
      to.first[j] += difference * share;
    }
    to.count = all;
  }
};

/// The memory that the threads of a block share to make one set of rows of all.
template <int kPack>
class Gathered {
 public:
  /// `lanes` threads lie side by side along the columns; the groups of so many are joined, as a tree, into the first.
  template <class Join>
  __device__ void join_groups(Partial<kPack>& mine, int lanes) {
    const int group = static_cast<int>(threadIdx.x) / lanes;
    for (int left = kColumnBlock / lanes / 2; left > 0; left /= 2) {
      if (group >= left) put(mine);
      __syncthreads();
      if (group < left) Join::join(mine, get(threadIdx.x + static_cast<unsigned>(left * lanes)));
      __syncthreads();
    }
  }

 private:
  __device__ void put(const Partial<kPack>& partial) {
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      first_[j][threadIdx.x] = partial.first[j];
      second_[j][threadIdx.x] = partial.second[j];
    }
    count_[threadIdx.x] = partial.count;
  }
  __device__ Partial<kPack> get(unsigned thread) const {
    Partial<kPack> partial;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      partial.first[j] = first_[j][thread];
      partial.second[j] = second_[j][thread];
    }
    partial.count = count_[thread];
    return partial;
  }

  float first_[kPack][kColumnBlock], second_[kPack][kColumnBlock], count_[kColumnBlock];
};

/// Packs of the columns from c on, in rows r, r + step, ... of an array.
template <int kPack, int N, class T>
__device__ void load_rows(const T* from, std::int64_t columns, std::int64_t c, std::int64_t r, int step,
                          Pack<T, kPack> (&to)[N]) {
#pragma unroll
  for (int k = 0; k < N; ++k) to[k] = load_pack<kPack>(from + (r + std::int64_t{k} * step) * columns + c);
}

/// `lanes` threads of a block, a power of two, lie side by side along the columns, kPack columns each; there are as
/// many such groups as fit, which take the rows of the strip in turn. terms.add<N>(c, r, step, partial) adds N rows r,
/// r + step, ... of the columns from c on; terms.begin(c) comes before, terms.end(partial) behind all rows. partial:
/// first, then second statistics, of strips x columns each.
template <int kPack, class Join, class Terms>
__global__ void __launch_bounds__(kColumnBlock) strip_kernel(Terms terms, int lanes, float* partial, Shape shape) {
  __shared__ Gathered<kPack> gathered;
  const auto thread = static_cast<int>(threadIdx.x);
  const int lane = thread % lanes, group = thread / lanes, groups = kColumnBlock / lanes;
  const std::int64_t c = (std::int64_t{blockIdx.x} * lanes + lane) * kPack;
  const Strip strip = strip_of(shape.rows, static_cast<int>(blockIdx.y), static_cast<int>(gridDim.y));
  constexpr int kRows = Terms::kRows;
  Partial<kPack> mine;
  if (c < shape.columns) {
    terms.begin(c);
    std::int64_t r = strip.begin + group;
    for (; r + (kRows - 1) * groups < strip.end; r += kRows * groups) terms.template add<kRows>(c, r, groups, mine);
    for (; r < strip.end; r += groups) terms.template add<1>(c, r, groups, mine);
  }
  terms.end(mine);
  gathered.template join_groups<Join>(mine, lanes);
  if (group > 0 || c >= shape.columns) return;
  float* const of_strip = partial + blockIdx.y * shape.columns + c;
#pragma unroll
  for (int j = 0; j < kPack; ++j) {
    of_strip[j] = mine.first[j];
    of_strip[gridDim.y * shape.columns + j] = mine.second[j];
  }
}

/// Columns of a block of join_kernel(), 32 bytes; its other threads take strips in turn.
inline constexpr int kJoined = 8;

/// finish(c, first, second, rows) of each column.
template <class Join, class Finish>
__global__ void __launch_bounds__(kColumnBlock)
    join_kernel(const float* partial, int strips, Finish finish, Shape shape) {
  __shared__ Gathered<1> gathered;
  constexpr int kParts = kColumnBlock / kJoined;
  const auto thread = static_cast<int>(threadIdx.x);
  const int part = thread / kJoined;
  const std::int64_t c = std::int64_t{blockIdx.x} * kJoined + thread % kJoined;
  Partial<1> mine;
  if (c < shape.columns) {
#pragma unroll 8
    for (int k = part; k < strips; k += kParts) {
      const Strip strip = strip_of(shape.rows, k, strips);
      Partial<1> other;
      other.first[0] = partial[k * shape.columns + c];
      other.second[0] = partial[(strips + k) * shape.columns + c];
      other.count = static_cast<float>(strip.end - strip.begin);
      Join::join(mine, other);
    }
  }
  gathered.template join_groups<Join>(mine, kJoined);
  if (part == 0 && c < shape.columns) finish(c, mine.first[0], mine.second[0], mine.count);
}

/// Both kernels. make(std::integral_constant<int, kPack>) gives the Terms of packs; `vectors`: the arrays they read are
/// aligned and rows a whole number of packs. partial: partial_floats() of the shape.
template <class Join, int kVectorPack, class Make, class Finish>
void launch_over_rows(const Make& make, bool vectors, const Finish& finish, float* partial, const Shape& shape,
                      cudaStream_t stream) {
  const int strips = row_strips(shape);
  const auto launch = [&](auto pack) {
    constexpr int kPack = decltype(pack)::value;
    const std::int64_t packs = (shape.columns + kPack - 1) / kPack;
    const int lanes = lanes_of(packs);
    const dim3 blocks(static_cast<unsigned>((packs + lanes - 1) / lanes), static_cast<unsigned>(strips));
    strip_kernel<kPack, Join><<<blocks, kColumnBlock, 0, stream>>>(make(pack), lanes, partial, shape);
  };
  if (vectors) {
    launch(std::integral_constant<int, kVectorPack>{});
  } else {
    launch(std::integral_constant<int, 1>{});
  }
  cuda::check(cudaGetLastError());
  const auto blocks = static_cast<unsigned>((shape.columns + kJoined - 1) / kJoined);
  join_kernel<Join><<<blocks, kColumnBlock, 0, stream>>>(partial, strips, finish, shape);
  cuda::check(cudaGetLastError());
}

/// d_out and d_out * normalised input of each column; `mean` may be null (0). kByColumn: mean and inverse deviation
/// belong to columns (batch norm), else to rows. kRelu: d_out is 0 where `out` is not positive; else `out` is not read.
template <bool kByColumn, bool kRelu, int kPack, class T>
class GradientTerms {
 public:
  static constexpr int kRows = 2, kInputs = kRelu ? 3 : 2;  // in, d_out, out
  GradientTerms(const T* in, const T* out, const T* d_out, const float* mean, const float* inverse_deviation,
                std::int64_t columns)
      : in_(in), out_(out), d_out_(d_out), mean_(mean), inverse_deviation_(inverse_deviation), columns_(columns) {}

  __device__ void begin(std::int64_t c) {
    if constexpr (kByColumn) {
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        center_[j] = mean_ == nullptr ? 0.0f : mean_[c + j];
        inverse_[j] = inverse_deviation_[c + j];
      }
    }
  }

  template <int N>
  __device__ void add(std::int64_t c, std::int64_t r, int step, Partial<kPack>& to) {
    Pack<T, kPack> x[kInputs][N];
    load_rows(in_, columns_, c, r, step, x[0]);
    load_rows(d_out_, columns_, c, r, step, x[1]);
    if constexpr (kRelu) load_rows(out_, columns_, c, r, step, x[2]);
    see<N>(x, to, r, step);
  }

  /// Rows r, r + step, ..., which matter unless kByColumn.
  template <int N>
  __device__ void see(const Pack<T, kPack> (&x)[kInputs][N], Partial<kPack>& to, std::int64_t r = 0, int step = 0) {
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const std::int64_t row = r + std::int64_t{k} * step;
      const float row_center = kByColumn || mean_ == nullptr ? 0.0f : mean_[row];
      const float row_inverse = kByColumn ? 1.0f : inverse_deviation_[row];
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        float of_output = to_float(x[1][k].values[j]);
        if constexpr (kRelu) of_output = to_float(x[2][k].values[j]) > 0 ? of_output : 0.0f;
        const float center = kByColumn ? center_[j] : row_center, inverse = kByColumn ? inverse_[j] : row_inverse;
        to.first[j] += of_output;
        to.second[j] += of_output * (to_float(x[0][k].values[j]) - center) * inverse;
      }
    }
    to.count += N;
  }

  __device__ void end(Partial<kPack>&) const {}

 private:
  const T *in_, *out_, *d_out_;
  const float *mean_, *inverse_deviation_;
  std::int64_t columns_;
  float center_[kByColumn ? kPack : 1] = {}, inverse_[kByColumn ? kPack : 1] = {};
};

/// d_beta may be null.
struct WriteGradients {
  float *d_gamma, *d_beta;
  /// The same, to elsewhere.
  __device__ WriteGradients to(float* d_gammas, float* d_betas) const { return {d_gammas, d_betas}; }
  __device__ void operator()(std::int64_t c, float sum, float sum_normal, float) const {
    d_gamma[c] = sum_normal;
    if (d_beta != nullptr) d_beta[c] = sum;
  }
};

}  // namespace cupel::kernels::norm
