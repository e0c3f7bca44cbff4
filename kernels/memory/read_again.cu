#include "kernels/memory/read_again.hpp"

#include <limits>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/device.hpp"
#include "kernels/common/divider.hpp"
#include "kernels/memory/sum_words.cuh"

namespace cupel::kernels::memory {
namespace {

using cuda::check;

constexpr std::int64_t kVectorsOfTile = std::int64_t{kTileThreads} * kTileVectors;
static_assert(4 * kVectorsOfTile == kTileWords);

constexpr int kStayingBlocks = 4;  // of a multiprocessor: 64 KiB in flight, and parts of no less than a tile at 16 MiB

__global__ void __launch_bounds__(kTileThreads)
    read_again_kernel(const uint4* in, Divider runs_divider, std::uint32_t* sum) {
  const uint4* run = in + runs_divider.remainder(blockIdx.x) * kTilesOfRun * kVectorsOfTile + threadIdx.x;
  std::uint32_t mine = 0;
#pragma unroll 1
  for (int k = 0; k < kTilesOfRun; ++k) mine += sum_of_tile(run + k * kVectorsOfTile);
  add_over_block(mine, sum);
}

__global__ void __launch_bounds__(kTileThreads)
    read_parts_kernel(const uint4* in, std::int64_t tiles, std::uint32_t runs, std::uint64_t* turns,
                      std::uint32_t* ticket, std::uint32_t* sum) {
  const Part part = part_of(tiles, gridDim.x, blockIdx.x);
  std::uint64_t turn = turns[blockIdx.x];
  std::int64_t tile = part.first + static_cast<std::int64_t>(turn % (part.end - part.first));

  // Each block takes one ticket too many, and who takes the last of all sets them back to 0.
  const auto take_ticket = [&] { return threadIdx.x == 0 ? atomicInc(ticket, runs + gridDim.x - 1) : 0; };
  __shared__ std::uint32_t shown;
  const auto show_all = [&](std::uint32_t taken) {
    __syncthreads();
    if (threadIdx.x == 0) shown = taken;
    __syncthreads();
    return shown;
  };

  std::uint32_t mine = 0;
  for (std::uint32_t run = show_all(take_ticket()); run < runs;) {
    const std::uint32_t next = take_ticket();  // is on its way while this run is read
#pragma unroll 1
    for (int k = 0; k < kTilesOfRun; ++k) {
      mine += sum_of_tile(in + tile * kVectorsOfTile + threadIdx.x);
      if (++tile == part.end) tile = part.first;
    }
    turn += kTilesOfRun;
    run = show_all(next);
  }
  if (threadIdx.x == 0) turns[blockIdx.x] = turn;
  add_over_block(mine, sum);
}

// Runs in all.
std::uint32_t require_runs(const std::uint32_t* in, std::int64_t count, std::int64_t times, const char* function) {
  require_array(in, count, 16, function, "in");
  require_argument(count >= kRunWords && count % kRunWords == 0, function, "count", "a multiple of kRunWords");
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / (count / kRunWords);
  require_argument(times >= 1 && times <= most, function, "times", "1 or more, and no more runs in all than 2^31");
  return static_cast<std::uint32_t>(count / kRunWords * times);
}

}  // namespace

void read_again(const std::uint32_t* in, std::int64_t count, std::int64_t times, std::uint32_t* sum,
                cudaStream_t stream) {
  const std::uint32_t runs = require_runs(in, count, times, "read_again");
  require_array(sum, 1, 4, "read_again", "sum");
  read_again_kernel<<<runs, kTileThreads, 0, stream>>>(reinterpret_cast<const uint4*>(in), Divider(count / kRunWords),
                                                       sum);
  check(cudaGetLastError());
}

int parts_of_device() { return multiprocessors() * kStayingBlocks; }

void read_parts(const std::uint32_t* in, std::int64_t count, std::int64_t times, std::uint64_t* turns,
                std::uint32_t* ticket, std::uint32_t* sum, cudaStream_t stream) {
  const std::uint32_t runs = require_runs(in, count, times, "read_parts");
  const std::int64_t tiles = count / kTileWords;
  require_argument(tiles >= parts_of_device(), "read_parts", "count", "a tile for each part at least");
  require_array(turns, parts_of_device(), 8, "read_parts", "turns");
  require_array(ticket, 1, 4, "read_parts", "ticket");
  require_array(sum, 1, 4, "read_parts", "sum");
  read_parts_kernel<<<static_cast<unsigned>(parts_of_device()), kTileThreads, 0, stream>>>(
      reinterpret_cast<const uint4*>(in), tiles, runs, turns, ticket, sum);
  check(cudaGetLastError());
}

}  // namespace cupel::kernels::memory
