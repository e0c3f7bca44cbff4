// How a team of threads goes through a row: a part of a warp for short rows, a block for long ones; each thread's part
// of the row in registers where it fits, read again where it does not.
//
// An operation on rows has an element type `Element` and `template <class Walk> operator()(row, walk)`. A walk makes
// rows out of arrays, goes through them and joins what the team's threads found.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/common/argument.hpp"
#include "kernels/common/vector.cuh"
#include "kernels/norm/norm.hpp"

namespace cupel::kernels::norm {

inline constexpr int kWarp = 32;
inline constexpr int kMostThreads = 1024;
inline constexpr int kTeamBlock = 128;  // of teams smaller than a block

inline int whole_warps(std::int64_t threads) {
  return static_cast<int>(std::min<std::int64_t>((threads + kWarp - 1) / kWarp * kWarp, kMostThreads));
}

/// The value of the lane whose number differs by the bits of `distance`. Value: any number of words of 4 bytes.
template <class Value>
__device__ Value shuffle_xor(const Value& value, int distance) {
  constexpr int kWords = sizeof(Value) / 4;
  static_assert(sizeof(Value) == 4 * kWords);
  float words[kWords];
  memcpy(words, &value, sizeof(Value));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = __shfl_xor_sync(~0u, words[i], distance);
  Value other;
  memcpy(&other, words, sizeof(Value));
  return other;
}

/// A power of two of neighbouring lanes of a warp. Lanes of teams without a row take part in the joining, too.
struct WarpTeam {
  int threads;
  template <class Value, class Both>
  __device__ Value join(Value value, const Value&, const Both& both) const {
    for (int distance = threads / 2; distance > 0; distance /= 2) value = both(value, shuffle_xor(value, distance));
    return value;
  }
};

/// A block of whole warps.
struct BlockTeam {
  int threads;
  template <class Value, class Both>
  __device__ Value join(Value value, const Value& neutral, const Both& both) const {
    __shared__ Value warps[kWarp];
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
    const InRegisters* const rows[] = {&row};
    go(rows, [&](int c, const float(&x)[1][N]) { f(c, x[0]); });
  }

  /// f(column, x, y) with N elements of each of two rows.
  template <class F>
  __device__ void each(const InRegisters& first, const InRegisters& second, const F& f) const {
    const InRegisters* const rows[] = {&first, &second};
    go(rows, [&](int c, const float(&x)[2][N]) { f(c, x[0], x[1]); });
  }

  /// The same team's way through the first `columns` columns, and what else lies in the pack of the last of them.
  __device__ Walk first(int columns) const { return {team_, thread_, columns_, columns < here_ ? columns : here_}; }

  /// f(column) with the first column of each pack that begins at `column` or behind it.
  template <class F>
  __device__ void from(int column, const F& f) const {
    for (int c = thread_ * N; c < here_; c += team_.threads * N) {
      if (c >= column) f(c);
    }
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

  /// both(a, b) of all threads' values, in each of them. both(a, neutral) is a, and both(a, b) is both(b, a).
  template <class Value, class Both>
  __device__ Value join(const Value& value, const Value& neutral, const Both& both) const {
    return team_.join(value, neutral, both);
  }
  __device__ float sum(float value) const {
    return join(value, 0.0f, [](float a, float b) { return a + b; });
  }
  __device__ float max(float value) const {
    return join(value, -INFINITY, [](float a, float b) { return fmaxf(a, b); });
  }

  __device__ int columns() const { return columns_; }
  /// True in one thread of a team that has a row.
  __device__ bool speaks() const { return thread_ == 0 && here_ > 0; }

 private:
  // Packs of a row that a thread loads before it uses the first, where they do not stay: rows that are read again come
  // from L2 at a good rate, if only enough is on its way.
  static constexpr int kAtOnce = 4;

  template <int kRows, class F>
  __device__ void go(const InRegisters* const (&rows)[kRows], const F& f) const {
    if constexpr (kOnce) {
#pragma unroll
      for (int p = 0; p < kPacks; ++p) {
        const int c = (p * team_.threads + thread_) * N;
        const auto stayed = [p](const InRegisters& row, int) { return row.packs[p]; };
        if (c < here_) call(rows, c, stayed, f);
      }
    } else {
      const int apart = team_.threads * N;
      for (int first = thread_ * N; first < here_; first += kAtOnce * apart) {
        PackWords<T, N> packs[kAtOnce][kRows];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
          const int c = first + k * apart;
          if (c >= here_) continue;
#pragma unroll
          for (int i = 0; i < kRows; ++i) packs[k][i] = PackWords<T, N>(rows[i]->data + c);
        }
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
          const int c = first + k * apart;
          const auto loaded = [&](const InRegisters&, int i) { return packs[k][i]; };
          if (c < here_) call(rows, c, loaded, f);
        }
      }
    }
  }

  // f(column, x) with the packs that pack_of(row, i) gives of each row.
  template <int kRows, class Packs, class F>
  __device__ static void call(const InRegisters* const (&rows)[kRows], int c, const Packs& pack_of, const F& f) {
    float x[kRows][N];
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
      const Pack<T, N> pack = pack_of(*rows[i], i).unpacked();
#pragma unroll
      for (int e = 0; e < N; ++e) x[i][e] = to_float(pack.values[e]);
    }
    f(c, x);
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
