// By how many threads a row is gone through.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

/// Lanes for a row of up to four packs a lane: the fewer they are, the more a thread loads at once and the fewer steps
/// a joining has; but short rows are read best by lanes that lie side by side.
inline int team_width(std::int64_t packs) {
  const std::int64_t each = packs <= 16 ? 2 : 4;
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>((packs + each - 1) / each)));
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

/// kept: as of long_kernel.
template <int N, int kPacks, Beyond kBeyond, int kRows, class Operation>
void launch_kept(const Operation& operation, const Shape& shape, int threads, int kept, cudaStream_t stream) {
  constexpr auto kernel = long_kernel<N, kPacks, kBeyond, Operation>;
  const int bytes = kRows * kept * kVectorBytes * threads;
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<static_cast<unsigned>(shape.rows), static_cast<unsigned>(threads), static_cast<std::size_t>(bytes),
           stream>>>(operation, static_cast<int>(shape.columns), kept);
  cuda::check(cudaGetLastError());
}

/// Rows for which the registers of a quarter of an SM are not enough. As much of a row is in shared memory as in
/// registers: with fewer threads a row more rows are on an SM, of which some are read while others are computed or
/// written. Where one row stands beside arrays of columns it is in registers only, as far as it fits: what shared
/// memory leaves of L1 would not hold the arrays from row to row.
template <int kRows, bool kWithColumns, class Operation>
void launch_long(const Operation& operation, const Shape& shape, cudaStream_t stream) {
  constexpr int N = kVector<typename Operation::Element>, kPacks = 8 / kRows;
  constexpr int kOfThread = kRows == 1 && kWithColumns ? kPacks : 2 * kPacks;
  constexpr int kJoiningBytes = 1024;  // BlockTeam's, and more
  const std::int64_t packs = shape.columns / N;
  const int threads = whole_warps((packs + kOfThread - 1) / kOfThread);
  const int each = static_cast<int>((packs + threads - 1) / threads);
  const int room = (shared_memory(kMostThreads / threads) - kJoiningBytes) / (kVectorBytes * threads);
  const int kept = std::clamp(each - kPacks, 0, std::min(kPacks, room / kRows));
  if (each <= kPacks + kept) {
    launch_kept<N, kPacks, Beyond::kept, kRows>(operation, shape, threads, kept, stream);
  } else {
    launch_kept<N, kPacks, Beyond::again, kRows>(operation, shape, threads, kept, stream);
  }
}

/// One launch for all rows. aligned: every array that the operation goes through by packs starts at 16 bytes. kRows:
/// how many rows the operation needs more than once, 0 to 2: a thread of 1024 has registers for eight packs in all.
/// kWithColumns: whether it needs arrays of columns beside them.
template <int kRows, bool kWithColumns = false, class Operation>
void launch_rows(const Operation& operation, const Shape& shape, bool aligned, cudaStream_t stream) {
  constexpr int N = kVector<typename Operation::Element>;
  constexpr int kReading = 256;  // threads: many rows at once on an SM, each read to its end
  if (shape.rows == 0) return;
  if (!aligned || shape.columns % N != 0) {
    if (shape.columns <= 1024) return launch_teams<1, 0>(operation, shape, kWarp, stream);
    return launch_blocks<1, 0>(operation, shape, whole_warps(shape.columns / 4), stream);
  }
  const std::int64_t packs = shape.columns / N;
  if (packs <= 16) return launch_teams<N, 2>(operation, shape, team_width(packs), stream);
  if (packs <= 4 * kWarp) return launch_teams<N, 4>(operation, shape, team_width(packs), stream);
  if constexpr (kRows == 0) {
    if (packs > kMostThreads) return launch_blocks<N, 0>(operation, shape, kReading, stream);
  } else {
    if (packs > 2 * kMostThreads) return launch_long<kRows, kWithColumns>(operation, shape, stream);
  }
  launch_blocks<N, 4>(operation, shape, whole_warps((packs + 3) / 4), stream);
}

}  // namespace cupel::kernels::norm
