// How a team of threads goes through a row: a part of a warp for short rows, a block for long ones; each thread's part
// of the row in registers where it fits, read again where it does not.
//
// An operation on rows has an element type `Element` and `template <class Walk> operator()(row, walk)`. A walk makes
// rows out of arrays, goes through them and joins what the team's threads found.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/vector.cuh"
#include "kernels/norm/norm.hpp"

namespace cupel::kernels::norm {

inline constexpr int kWarp = 32;
inline constexpr int kMostThreads = 1024;
inline constexpr int kTeamBlock = 128;  // of teams smaller than a block

/// A power of two of neighbouring lanes of a warp. Lanes of teams without a row take part in the joining, too.
struct WarpTeam {
  int threads;
  template <class Both>
  __device__ float join(float value, float, const Both& both) const {
    for (int distance = threads / 2; distance > 0; distance /= 2) {
      value = both(value, __shfl_xor_sync(~0u, value, distance));
    }
    return value;
  }
};

/// A block of whole warps.
struct BlockTeam {
  int threads;
  template <class Both>
  __device__ float join(float value, float neutral, const Both& both) const {
    __shared__ float warps[kWarp];
    const WarpTeam warp{kWarp};
    value = warp.join(value, neutral, both);
    const int lane = threadIdx.x % kWarp;
    if (lane == 0) warps[threadIdx.x / kWarp] = value;
    __syncthreads();
    value = warp.join(lane < threads / kWarp ? warps[lane] : neutral, neutral, both);
    __syncthreads();  // `warps` may be used again
    return value;
  }
};

/// kPacks packs of N elements a thread in registers; 0: read anew in every pass.
template <class T, int kN, int kPacks, class Team>
class Walk {
 public:
  static constexpr int N = kN;
  static constexpr bool kOnce = kPacks > 0;

  /// columns: of the row; here: 0 where the team has none.
  __device__ Walk(const Team& team, int thread, int columns, int here)
      : team_(team), thread_(thread), columns_(columns), here_(here) {}

  struct InRegisters {
    PackWords<T, N> packs[kPacks > 0 ? kPacks : 1];
    const T* data;
  };

  __device__ InRegisters row(const T* data) const {
    InRegisters row;
    row.data = data;
    if constexpr (kOnce) {
#pragma unroll
      for (int p = 0; p < kPacks; ++p) {
        const int c = (p * team_.threads + thread_) * N;
        if (c < here_) row.packs[p] = PackWords<T, N>(data + c);
      }
    }
    return row;
  }

  /// f(column, x) with N elements of the row from that column on.
  template <class F>
  __device__ void each(const InRegisters& row, const F& f) const {
    go([&](int c, int p) {
      float x[N];
      values(row, c, p, x);
      f(c, x);
    });
  }

  /// f(column, x, y) with N elements of each of two rows.
  template <class F>
  __device__ void each(const InRegisters& first, const InRegisters& second, const F& f) const {
    go([&](int c, int p) {
      float x[N], y[N];
      values(first, c, p, x);
      values(second, c, p, y);
      f(c, x, y);
    });
  }

  /// The same team's way through the first `columns` columns, and what else lies in the pack of the last of them.
  __device__ Walk first(int columns) const { return {team_, thread_, columns_, columns < here_ ? columns : here_}; }

  /// f(column) with the first column of each pack that begins at `column` or behind it.
  template <class F>
  __device__ void from(int column, const F& f) const {
    go([&](int c, int) {
      if (c >= column) f(c);
    });
  }

  __device__ static void store(T* to, const float (&x)[N]) {
    Pack<T, N> pack;
#pragma unroll
    for (int e = 0; e < N; ++e) pack.values[e] = from_float<T>(x[e]);
    store_pack<N>(to, pack);
  }

  __device__ static void load(const T* from, float (&x)[N]) {
    const Pack<T, N> pack = load_pack<N>(from);
#pragma unroll
    for (int e = 0; e < N; ++e) x[e] = to_float(pack.values[e]);
  }

  __device__ float sum(float value) const {
    return team_.join(value, 0.0f, [](float a, float b) { return a + b; });
  }
  __device__ float max(float value) const {
    return team_.join(value, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
  }

  __device__ int columns() const { return columns_; }
  /// True in one thread of a team that has a row.
  __device__ bool speaks() const { return thread_ == 0 && here_ > 0; }

 private:
  template <class F>
  __device__ void go(const F& f) const {
    if constexpr (kOnce) {
#pragma unroll
      for (int p = 0; p < kPacks; ++p) {
        const int c = (p * team_.threads + thread_) * N;
        if (c < here_) f(c, p);
      }
    } else {
      for (int c = thread_ * N; c < here_; c += team_.threads * N) f(c, 0);
    }
  }

  __device__ static void values(const InRegisters& row, int c, int p, float (&x)[N]) {
    if constexpr (kOnce) {
      const Pack<T, N> pack = row.packs[p].unpacked();
#pragma unroll
      for (int e = 0; e < N; ++e) x[e] = to_float(pack.values[e]);
    } else {
      load(row.data + c, x);
    }
  }

  Team team_;
  int thread_, columns_, here_;
};

template <int N, int kPacks, class Operation>
__global__ void __launch_bounds__(kTeamBlock)
    team_kernel(Operation operation, std::int64_t rows, int columns, int width) {
  const std::int64_t row = std::int64_t{blockIdx.x} * (kTeamBlock / width) + threadIdx.x / width;
  const bool has_row = row < rows;
  const Walk<typename Operation::Element, N, kPacks, WarpTeam> walk({width}, static_cast<int>(threadIdx.x) % width,
                                                                    columns, has_row ? columns : 0);
  operation(has_row ? row : 0, walk);
}

template <int N, int kPacks, class Operation>
__global__ void __launch_bounds__(kMostThreads) block_kernel(Operation operation, int columns) {
  const Walk<typename Operation::Element, N, kPacks, BlockTeam> walk({static_cast<int>(blockDim.x)}, threadIdx.x,
                                                                     columns, columns);
  operation(std::int64_t{blockIdx.x}, walk);
}

inline int whole_warps(std::int64_t threads) {
  return static_cast<int>(std::min<std::int64_t>((threads + kWarp - 1) / kWarp * kWarp, kMostThreads));
}

template <int N, int kPacks, class Operation>
void launch_teams(const Operation& operation, const Shape& shape, int width, cudaStream_t stream) {
  const std::int64_t rows_a_block = kTeamBlock / width;
  const auto blocks = static_cast<unsigned>((shape.rows + rows_a_block - 1) / rows_a_block);
  team_kernel<N, kPacks>
      <<<blocks, kTeamBlock, 0, stream>>>(operation, shape.rows, static_cast<int>(shape.columns), width);
  cuda::check(cudaGetLastError());
}

template <int N, int kPacks, class Operation>
void launch_blocks(const Operation& operation, const Shape& shape, int threads, cudaStream_t stream) {
  block_kernel<N, kPacks><<<static_cast<unsigned>(shape.rows), static_cast<unsigned>(threads), 0, stream>>>(
      operation, static_cast<int>(shape.columns));
  cuda::check(cudaGetLastError());
}

/// One launch for all rows. aligned: every array that the operation goes through by packs starts at 16 bytes.
/// kMostPacks: of a row in the registers of a thread of a block; 4, or 8 where the operation reads one array only
/// (with 1024 threads a thread has 64 registers).
template <int kMostPacks, class Operation>
void launch_rows(const Operation& operation, const Shape& shape, bool aligned, cudaStream_t stream) {
  constexpr int N = kVector<typename Operation::Element>;
  if (shape.rows == 0) return;
  if (!aligned || shape.columns % N != 0) {
    if (shape.columns <= 1024) return launch_teams<1, 0>(operation, shape, kWarp, stream);
    return launch_blocks<1, 0>(operation, shape, whole_warps(shape.columns / 4), stream);
  }
  const std::int64_t packs = shape.columns / N;
  if (packs <= kWarp) {
    return launch_teams<N, 1>(operation, shape, static_cast<int>(std::bit_ceil(static_cast<unsigned>(packs))), stream);
  }
  if (packs <= 4 * kWarp) return launch_teams<N, 4>(operation, shape, kWarp, stream);
  if (packs <= 4 * kMostThreads) return launch_blocks<N, 4>(operation, shape, whole_warps((packs + 3) / 4), stream);
  if constexpr (kMostPacks >= 8) {
    if (packs <= 8 * kMostThreads) return launch_blocks<N, 8>(operation, shape, kMostThreads, stream);
  }
  launch_blocks<N, 0>(operation, shape, kMostThreads, stream);
}

/// Checks a shape and returns its number of elements.
inline std::int64_t require_shape(const char* function, const Shape& shape) {
  // A row is a block, of which a grid has at most 2^31 - 1.
  require_argument(shape.rows >= 0 && shape.rows < (std::int64_t{1} << 31), function, "shape.rows", "0 to 2147483647");
  require_argument(shape.columns >= 1 && shape.columns <= kMostColumns, function, "shape.columns", "1 to 65536");
  return shape.rows * shape.columns;
}

/// Arrays with an element a column; where there are no rows nothing is read.
inline void require_columns(std::initializer_list<NamedArray> arrays, const Shape& shape, std::int64_t element_bytes,
                            const char* function) {
  require_arrays(arrays, shape.rows == 0 ? 0 : shape.columns, element_bytes, function);
}

template <class... Arrays>
bool all_aligned(const Arrays*... arrays) {
  return (is_vector_aligned(arrays) && ...);
}

}  // namespace cupel::kernels::norm
