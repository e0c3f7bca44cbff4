// By how many threads a row is gone through.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"
#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

/// By teams of kWidth lanes, or of half as many as long as a row fits and they are not fewer than kFewest: the fewer
/// they are, the more a thread loads at once and the fewer steps a joining has.
template <class OfThread, int kFewest, int kWidth, class Operation>
void launch_teams(const Operation& operation, const Shape& shape, cudaStream_t stream) {
  if constexpr (kWidth > kFewest) {
    if (shape.columns <= kWidth / 2 * OfThread::kPacks * OfThread::N) {
      return launch_teams<OfThread, kFewest, kWidth / 2>(operation, shape, stream);
    }
  }
  constexpr std::int64_t kRows = kTeamBlock / kWidth;
  const auto blocks = static_cast<unsigned>((shape.rows + kRows - 1) / kRows);
  team_kernel<OfThread, kWidth>
      <<<blocks, kTeamBlock, 0, stream>>>(operation, shape.rows, static_cast<int>(shape.columns));
  cuda::check(cudaGetLastError());
}

/// Threads of a block, and how many packs each keeps in shared memory of each of `rows` rows.
struct Block {
  int threads, rows = 0, kept = 0;
};

template <class OfThread, class Operation>
void launch_blocks(const Operation& operation, const Shape& shape, const Block& block, cudaStream_t stream) {
  constexpr auto kernel = block_kernel<OfThread, Operation>;
  const int bytes = block.rows * block.kept * kVectorBytes * block.threads;
  if (bytes > 0) cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<static_cast<unsigned>(shape.rows), static_cast<unsigned>(block.threads), static_cast<std::size_t>(bytes),
           stream>>>(operation, static_cast<int>(shape.columns), block.kept);
  cuda::check(cudaGetLastError());
}

/// Rows that stay on the SM.
template <int N, int kPacks, Beyond kBeyond, class Operation>
void launch_staying(const Operation& operation, const Shape& shape, const Block& block, cudaStream_t stream) {
  if (shape.columns == block.threads * N * (kPacks + block.kept)) {
    launch_blocks<Share<N, kPacks, kBeyond, true>>(operation, shape, block, stream);
  } else {
    launch_blocks<Share<N, kPacks, kBeyond, false>>(operation, shape, block, stream);
  }
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
  const Block block{threads, kRows, std::clamp(each - kPacks, 0, std::min(kPacks, room / kRows))};
  if (each <= kPacks + block.kept) return launch_staying<N, kPacks, Beyond::kept>(operation, shape, block, stream);
  launch_blocks<Share<N, kPacks, Beyond::again, false>>(operation, shape, block, stream);
}

/// One launch for all rows. aligned: every array that the operation goes through by packs starts at 16 bytes. kRows:
/// how many rows the operation needs more than once, 0 to 2: a thread of 1024 has registers for eight packs in all.
/// kWithColumns: whether it needs arrays of columns beside them.
template <int kRows, bool kWithColumns = false, class Operation>
void launch_rows(const Operation& operation, const Shape& shape, bool aligned, cudaStream_t stream) {
  constexpr int N = kVector<typename Operation::Element>;
  constexpr int kReading = 256;  // threads: many rows at once on an SM, each read to its end
  using ReadAgain = Share<N, 0, Beyond::again, false>;
  using Singly = Share<1, 0, Beyond::again, false>;
  if (shape.rows == 0) return;
  if (!aligned || shape.columns % N != 0) {
    if (shape.columns <= 1024) return launch_teams<Singly, kWarp, kWarp>(operation, shape, stream);
    return launch_blocks<Singly>(operation, shape, {whole_warps(shape.columns / 4)}, stream);
  }
  const std::int64_t packs = shape.columns / N;
  // Short rows are read best by lanes that lie side by side: with four packs a lane those of 64 bytes take 4 to 7 %
  // longer.
  if (packs <= 16) return launch_teams<Share<N, 2, Beyond::none, false>, 1, 8>(operation, shape, stream);
  if (packs <= 4 * kWarp) return launch_teams<Share<N, 4, Beyond::none, false>, 8, kWarp>(operation, shape, stream);
  if constexpr (kRows == 0) {
    if (packs > kMostThreads) return launch_blocks<ReadAgain>(operation, shape, {kReading}, stream);
  } else {
    if (packs > 2 * kMostThreads) return launch_long<kRows, kWithColumns>(operation, shape, stream);
  }
  launch_staying<N, 4, Beyond::none>(operation, shape, {whole_warps((packs + 3) / 4)}, stream);
}

}  // namespace cupel::kernels::norm
