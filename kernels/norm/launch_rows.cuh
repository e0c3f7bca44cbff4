// By how many threads a row is gone through.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
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

/// One launch for all rows. aligned: every array that the operation goes through by packs starts at 16 bytes. kArrays:
/// of which the operation has rows at once, 1 or 2: a thread of 1024 has registers for eight packs in all. Rows for
/// which that is not enough are read again.
template <int kArrays, class Operation>
void launch_rows(const Operation& operation, const Shape& shape, bool aligned, cudaStream_t stream) {
  constexpr int N = kVector<typename Operation::Element>, kMost = 8 / kArrays;
  if (shape.rows == 0) return;
  if (!aligned || shape.columns % N != 0) {
    if (shape.columns <= 1024) return launch_teams<1, 0>(operation, shape, kWarp, stream);
    return launch_blocks<1, 0>(operation, shape, whole_warps(shape.columns / 4), stream);
  }
  const std::int64_t packs = shape.columns / N;
  if (packs <= 4 * kWarp) return launch_teams<N, 4>(operation, shape, team_width(packs), stream);
  if (packs <= 4 * kMostThreads / 2) return launch_blocks<N, 4>(operation, shape, whole_warps((packs + 3) / 4), stream);
  if (packs <= kMost * kMostThreads) {
    return launch_blocks<N, kMost>(operation, shape, whole_warps((packs + kMost - 1) / kMost), stream);
  }
  launch_blocks<N, 0>(operation, shape, kMostThreads, stream);
}

}  // namespace cupel::kernels::norm
