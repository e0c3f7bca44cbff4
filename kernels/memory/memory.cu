#include "kernels/memory/memory.hpp"

#include <numeric>

#include "kernels/common/argument.hpp"
#include "kernels/common/device.hpp"
#include "kernels/common/divider.hpp"
#include "kernels/common/elementwise.cuh"

namespace cupel::kernels::memory {
namespace {

using cuda::check;

constexpr int kBlock = 256;  // eight blocks fill an SM's 2048 threads
constexpr int kBlocksPerSm = 8;
constexpr int kWordsPerVector = 4;  // 16 bytes
constexpr int kVectors = 4;         // of a thread in flight: 128 KiB an SM, several times what hides the latency
constexpr std::int64_t kTile = std::int64_t{kBlock} * kVectors;

unsigned blocks_for(std::int64_t work, std::int64_t each) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (work + each - 1) / each));
}

struct Same {
  __device__ float operator()(const float (&x)[1]) const { return x[0]; }
};

struct Triad {
  float factor;
  __device__ float operator()(const float (&x)[2]) const { return fmaf(factor, x[1], x[0]); }
};

// Words before the first 16-byte boundary, whole vectors from there on, and words that are in neither.
struct Split {
  Split(const std::uint32_t* array, std::int64_t count)
      : head(std::min<std::int64_t>(count, (0 - reinterpret_cast<std::uintptr_t>(array)) % kVectorBytes / 4)),
        vectors((count - head) / kWordsPerVector),
        loose(count - vectors * kWordsPerVector) {}

  // Where the k-th word outside the vectors is.
  __device__ std::int64_t loose_word(std::int64_t k) const { return k < head ? k : vectors * kWordsPerVector + k; }

  std::int64_t head, vectors, loose;
};

__global__ void __launch_bounds__(kBlock) write_kernel(std::uint32_t* out, Split split, std::uint32_t value) {
  const std::int64_t first = blockIdx.x * kTile + threadIdx.x;
  auto* vectors = reinterpret_cast<uint4*>(out + split.head);
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    if (first + k * kBlock < split.vectors) vectors[first + k * kBlock] = make_uint4(value, value, value, value);
  }
  if (blockIdx.x == 0 && threadIdx.x < split.loose) out[split.loose_word(threadIdx.x)] = value;
}

// Volatile: of two loads of one address the compiler would make one. Past L1 (.cg), which is another memory.
__device__ std::uint32_t sum_of_vector(const uint4* from) {
  std::uint32_t x, y, z, w;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(from));
  return (x + y) + (z + w);
}

__device__ void add_over_block(std::uint32_t value, std::uint32_t* sum) {
  __shared__ std::uint32_t warps[kBlock / 32];
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(~0u, value, distance);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    std::uint32_t total = 0;
    for (const std::uint32_t of_warp : warps) total += of_warp;
    atomicAdd(sum, total);
  }
}

// A grid that stays: tiles of all passes one after another, so that neighbouring blocks read neighbouring tiles.
__global__ void __launch_bounds__(kBlock) read_kernel(const std::uint32_t* in, Split split, std::int64_t tiles,
                                                      Divider tiles_divider, int passes, std::uint32_t* sum) {
  const auto* vectors = reinterpret_cast<const uint4*>(in + split.head);
  std::uint32_t mine = 0;
  for (std::int64_t turn = blockIdx.x; turn < tiles * passes; turn += gridDim.x) {
    const std::int64_t first = tiles_divider.remainder(turn) * kTile + threadIdx.x;
    if (first + (kVectors - 1) * kBlock < split.vectors) {
      std::uint32_t part[kVectors];
#pragma unroll
      for (int k = 0; k < kVectors; ++k) part[k] = sum_of_vector(vectors + first + k * kBlock);
#pragma unroll
      for (int k = 0; k < kVectors; ++k) mine += part[k];
    } else {
      for (int k = 0; k < kVectors; ++k) {
        if (first + k * kBlock < split.vectors) mine += sum_of_vector(vectors + first + k * kBlock);
      }
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < split.loose) {
    mine += in[split.loose_word(threadIdx.x)] * static_cast<std::uint32_t>(passes);
  }
  add_over_block(mine, sum);
}

__global__ void __launch_bounds__(kBlock)
    gather_kernel(const std::uint32_t* in, std::int64_t stride, std::uint32_t* out, std::int64_t count) {
  const std::int64_t first = blockIdx.x * kTile + threadIdx.x;
  std::uint32_t words[kVectors];
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    if (first + k * kBlock < count) words[k] = in[(first + k * kBlock) * stride];
  }
#pragma unroll
  for (int k = 0; k < kVectors; ++k) {
    if (first + k * kBlock < count) out[first + k * kBlock] = words[k];
  }
}

}  // namespace

void copy(const float* in, float* out, std::int64_t count, cudaStream_t stream) {
  require_arrays({{in, "in"}, {out, "out"}}, count, 4, "copy");
  launch_elementwise(Everywhere<Same>{}, {in}, out, count, stream);
}

void write(std::uint32_t* out, std::int64_t count, std::uint32_t value, cudaStream_t stream) {
  require_array(out, count, 4, "write", "out");
  if (count == 0) return;
  const Split split(out, count);
  write_kernel<<<blocks_for(split.vectors, kTile), kBlock, 0, stream>>>(out, split, value);
  check(cudaGetLastError());
}

void read(const std::uint32_t* in, std::int64_t count, int passes, std::uint32_t* sum, cudaStream_t stream) {
  require_array(in, count, 4, "read", "in");
  require_argument(passes >= 1, "read", "passes", "1 or more");
  require_array(sum, 1, 4, "read", "sum");
  if (count == 0) return;
  const Split split(in, count);
  const std::int64_t tiles = blocks_for(split.vectors, kTile);
  const std::int64_t most = std::int64_t{multiprocessors()} * kBlocksPerSm;
  // A block takes every so-many-th tile of all passes: if grid and tiles have a common factor it comes to few of them
  // again and again. Which SMs are near the part of L2 that holds those would be seen: 1 MiB was read at a level of its
  // own in every round, 12 % apart (H200), by how the blocks of kernels before had left the SMs.
  std::int64_t blocks = std::min(most, tiles * passes);
  while (passes > 1 && std::gcd(blocks, tiles) > 1) --blocks;
  read_kernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(in, split, tiles, Divider(tiles), passes, sum);
  check(cudaGetLastError());
}

void triad(const float* a, const float* b, float factor, float* out, std::int64_t count, cudaStream_t stream) {
  require_arrays({{a, "a"}, {b, "b"}, {out, "out"}}, count, 4, "triad");
  launch_elementwise(Everywhere<Triad>{{factor}}, {a, b}, out, count, stream);
}

void gather(const std::uint32_t* in, std::int64_t stride, std::uint32_t* out, std::int64_t count, cudaStream_t stream) {
  require_arrays({{in, "in"}, {out, "out"}}, count, 4, "gather");
  require_argument(stride >= 1, "gather", "stride", "1 or more");
  if (count == 0) return;
  gather_kernel<<<blocks_for(count, kTile), kBlock, 0, stream>>>(in, stride, out, count);
  check(cudaGetLastError());
}

}  // namespace cupel::kernels::memory
