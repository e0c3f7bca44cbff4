// Sums over the rows of each column that are then wanted beside every element, in one launch: a block to each
// multiprocessor, which holds what it reads in shared memory until all blocks have their sums. What does not fit is
// read again, the last of it first: that is still in L2. On an H200 this takes 0.42 to 0.82 of the time of three
// launches where half of an array and more is held, and up to 1.7 times that where a fifth is.
#pragma once

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"
#include "kernels/norm/column_sums.cuh"
#include "kernels/norm/over_columns.cuh"

namespace cupel::kernels::norm {

inline constexpr int kResidentBlock = 512;
inline constexpr int kTileColumns = 32;  // of a block: 64 bytes of 16-bit elements, of rows that lie below one another

/// Blocks are `tiles` side by side, times `strips` of rows. A thread can hold `kept` of its `rows` or one less.
struct Residence {
  int tiles = 0, strips = 0, rows = 0, kept = 0;

  int blocks() const { return tiles * strips; }
  /// Whether nearly all multiprocessors have a block, and hold at least half of its rows.
  bool pays() const { return blocks() > 0 && 10 * blocks() >= 9 * multiprocessors() && 2 * kept >= rows; }
};

/// row_bytes: of what a thread holds of a row; lanes: threads that hold a row of a tile.
inline Residence residence_of(const Shape& shape, int row_bytes, int lanes) {
  constexpr int kSums = 8 << 10;               // bytes of TileSums, and more
  constexpr std::int64_t kManyRows = 1 << 20;  // more than are ever held
  Residence found;
  if (!can_wait_for_all_blocks() || shape.columns < kTileColumns) return found;
  const std::int64_t tiles = (shape.columns + kTileColumns - 1) / kTileColumns;
  if (tiles > multiprocessors()) return found;
  found.tiles = static_cast<int>(tiles);
  found.strips = std::min(multiprocessors() / found.tiles, row_strips(shape));  // partial has room for so many
  const std::int64_t groups = std::int64_t{found.strips} * (kResidentBlock / lanes);
  found.rows = static_cast<int>(std::min<std::int64_t>((shape.rows + groups - 1) / groups, kManyRows));
  found.kept = (shared_memory(1) - kSums) / (row_bytes * kResidentBlock);
  return found;
}

/// Joins the sums that the warps of a block have of the columns of a tile.
class TileSums {
 public:
  static constexpr int kWarps = kResidentBlock / 32;

  /// The sums of `column` over the rows of the warp.
  __device__ void put(int column, float first, float second, float count) {
    const auto warp = threadIdx.x / 32;
    first_[warp][column] = first;
    second_[warp][column] = second;
    count_[warp][column] = count;
  }

  /// finish(column, sums) by one thread of each column. Behind a barrier; another has to come before the next put().
  template <class Join, class Finish>
  __device__ void join(const Finish& finish) const {
    const int column = static_cast<int>(threadIdx.x) / kWarps, warp = static_cast<int>(threadIdx.x) % kWarps;
    Partial<1> mine;
    mine.first[0] = first_[warp][column];
    mine.second[0] = second_[warp][column];
    mine.count = count_[warp][column];
#pragma unroll
    for (int apart = kWarps / 2; apart > 0; apart /= 2) Join::join(mine, of_lane(mine, apart));
    if (warp == 0) finish(column, mine);
  }

  /// The value of the lane whose number differs by this bit.
  template <int kPack>
  static __device__ Partial<kPack> of_lane(const Partial<kPack>& mine, int bit) {
    Partial<kPack> other;
#pragma unroll
    for (int j = 0; j < kPack; ++j) {
      other.first[j] = __shfl_xor_sync(0xffffffffu, mine.first[j], bit);
      other.second[j] = __shfl_xor_sync(0xffffffffu, mine.second[j], bit);
    }
    other.count = __shfl_xor_sync(0xffffffffu, mine.count, bit);
    return other;
  }

 private:
  // One more, so that the warps' sums of a column are in banks of their own.
  float first_[kWarps][kTileColumns + 1], second_[kWarps][kTileColumns + 1], count_[kWarps][kTileColumns + 1];
};

/// Terms, Join, finish: as of launch_over_rows(); operation: as of launch_over_columns(), its keep() takes finish's two
/// statistics of a column from where it is told. partial: strips x columns of either statistic.
template <class Join, int kPack, int kInputs, class Terms, class Finish, class Operation, class T>
__global__ void __launch_bounds__(kResidentBlock, 1)
    resident_kernel(Terms terms, Finish finish, Operation operation, RowArrays<T, kInputs> arrays, Residence residence,
                    float* partial, Shape shape) {
  constexpr int kLanes = kTileColumns / kPack, kGroups = kResidentBlock / kLanes, kRows = kRowsAtOnce<kInputs>;
  extern __shared__ uint4 held[];
  __shared__ TileSums sums;
  __shared__ float firsts[kTileColumns], seconds[kTileColumns];
  const auto thread = static_cast<int>(threadIdx.x);
  const int lane = thread % kLanes, tile = static_cast<int>(blockIdx.x) % residence.tiles;
  const int strip_index = static_cast<int>(blockIdx.x) / residence.tiles;
  const std::int64_t tile_begin = std::int64_t{tile} * kTileColumns, c = tile_begin + lane * kPack;
  const Strip strip = strip_of(shape.rows, strip_index, residence.strips);
  const std::int64_t first_row = strip.begin + thread / kLanes;
  const int rows = c < shape.columns && first_row < strip.end
                       ? static_cast<int>((strip.end - first_row + kGroups - 1) / kGroups)
                       : 0;
  const int kept = min(residence.kept, rows);
  const auto at = [&](int k) { return (first_row + std::int64_t{k} * kGroups) * shape.columns + c; };
  const auto place = [&](int k, int i) {
    return reinterpret_cast<T*>(held + (k * kInputs + i) * kResidentBlock + thread);
  };

  for (int k = 0; k < kept; ++k) {
#pragma unroll
    for (int i = 0; i < kInputs; ++i) copy_ahead(place(k, i), arrays.in[i] + at(k));
  }
  Partial<kPack> mine;
  if (rows > 0) terms.begin(c);
  // from(k, i): where row k of input i lies.
  const auto see = [&](auto count, int k, const auto& from) {
    constexpr int N = decltype(count)::value;
    Pack<T, kPack> x[kInputs][N];
#pragma unroll
    for (int n = 0; n < N; ++n) {
#pragma unroll
      for (int i = 0; i < kInputs; ++i) x[i][n] = load_pack<kPack>(from(k + n, i));
    }
    terms.template see<N>(x, mine);
  };
  const auto see_all = [&](int k, int end, const auto& from) {
    for (; k + kRows <= end; k += kRows) see(std::integral_constant<int, kRows>{}, k, from);
    for (; k < end; ++k) see(std::integral_constant<int, 1>{}, k, from);
  };
  see_all(kept, rows, [&](int k, int i) { return arrays.in[i] + at(k); });
  wait_for_copies();
  see_all(0, kept, place);
  terms.end(mine);

#pragma unroll
  for (int apart = 16; apart >= kLanes; apart /= 2) Join::join(mine, TileSums::of_lane(mine, apart));
  if (thread % 32 < kLanes) {
#pragma unroll
    for (int j = 0; j < kPack; ++j) sums.put(lane * kPack + j, mine.first[j], mine.second[j], mine.count);
  }
  __syncthreads();
  sums.join<Join>([&](int column, const Partial<1>& of_strip) {
    if (tile_begin + column >= shape.columns) return;
    float* const to = partial + strip_index * shape.columns + tile_begin + column;
    to[0] = of_strip.first[0];
    to[residence.strips * shape.columns] = of_strip.second[0];
  });
  cooperative_groups::this_grid().sync();

  const int column = thread % 32;
  Partial<1> all;
  if (tile_begin + column < shape.columns) {
#pragma unroll 8
    for (int k = thread / 32; k < residence.strips; k += TileSums::kWarps) {
      const Strip other_strip = strip_of(shape.rows, k, residence.strips);
      const float* const from = partial + k * shape.columns + tile_begin + column;
      Partial<1> other;
      other.first[0] = __ldcg(from);
      other.second[0] = __ldcg(from + residence.strips * shape.columns);
      other.count = static_cast<float>(other_strip.end - other_strip.begin);
      Join::join(all, other);
    }
  }
  sums.put(column, all.first[0], all.second[0], all.count);
  __syncthreads();
  sums.join<Join>([&](int of_tile, const Partial<1>& of) {
    if (tile_begin + of_tile >= shape.columns) return;
    finish.to(firsts, seconds)(of_tile, of.first[0], of.second[0], of.count);
    if (strip_index == 0) finish(tile_begin + of_tile, of.first[0], of.second[0], of.count);
  });
  __syncthreads();
  if (rows == 0) return;

  const auto statistics = operation.template keep<kPack>(c, firsts + lane * kPack, seconds + lane * kPack);
  const auto write = [&](auto count, int k, const auto& from) {
    constexpr int N = decltype(count)::value;
    Pack<T, kPack> in[kInputs][N];
#pragma unroll
    for (int n = 0; n < N; ++n) {
#pragma unroll
      for (int i = 0; i < kInputs; ++i) in[i][n] = load_pack<kPack>(from(k + n, i));
    }
#pragma unroll
    for (int n = 0; n < N; ++n) {
      Pack<T, kPack> out;
#pragma unroll
      for (int j = 0; j < kPack; ++j) {
        float x[kInputs];
#pragma unroll
        for (int i = 0; i < kInputs; ++i) x[i] = to_float(in[i][n].values[j]);
        out.values[j] = from_float<T>(operation(statistics, j, x));
      }
      store_pack<kPack>(arrays.out + at(k + n), out);
    }
  };
  const auto again = [&](int k, int i) { return arrays.in[i] + at(k); };
  int k = rows;
  for (; k - kRows >= kept; k -= kRows) write(std::integral_constant<int, kRows>{}, k - kRows, again);
  for (; k > kept; --k) write(std::integral_constant<int, 1>{}, k - 1, again);
  for (k = 0; k + kRows <= kept; k += kRows) write(std::integral_constant<int, kRows>{}, k, place);
  for (; k < kept; ++k) write(std::integral_constant<int, 1>{}, k, place);
}

/// Sums of the inputs' columns, and of these and the inputs the output: launch_over_rows() and launch_over_columns() in
/// one. False, and nothing is done, where the device cannot, where it would be slower, or where arrays are not aligned.
/// make(std::integral_constant<int, kPack>) gives the Terms. Throws CudaError.
template <class Join, class Make, class Finish, class Operation, class T, int kInputs>
bool launch_resident(const Make& make, const Finish& finish, const Operation& operation, const T* const (&in)[kInputs],
                     T* out, float* partial, const Shape& shape, cudaStream_t stream) {
  constexpr int kPack = kVector<T>;
  bool vectors = shape.columns % kPack == 0 && is_vector_aligned(out);
  for (const T* array : in) vectors = vectors && is_vector_aligned(array);
  if (!vectors) return false;
  Residence residence = residence_of(shape, kInputs * kVectorBytes, kTileColumns / kPack);
  if (!residence.pays()) return false;
  RowArrays<T, kInputs> arrays;
  std::copy(std::begin(in), std::end(in), arrays.in);
  arrays.out = out;
  auto terms = make(std::integral_constant<int, kPack>{});
  constexpr auto kernel = resident_kernel<Join, kPack, kInputs, decltype(terms), Finish, Operation, T>;
  const int bytes = residence.kept * kInputs * kVectorBytes * kResidentBlock;
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  Finish finishing = finish;
  Operation operating = operation;
  Shape of = shape;
  void* arguments[] = {&terms, &finishing, &operating, &arrays, &residence, &partial, &of};
  cuda::check(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(residence.blocks())), dim3(kResidentBlock),
                                          arguments, static_cast<std::size_t>(bytes), stream));
  return true;
}

}  // namespace cupel::kernels::norm
