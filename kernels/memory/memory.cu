#include "kernels/memory/memory.hpp"

#include <algorithm>

#include "kernels/common/argument.hpp"
#include "kernels/common/device.hpp"
#include "kernels/common/elementwise.cuh"
#include "kernels/memory/sum_words.cuh"

namespace cupel::kernels::memory {
namespace {

using cuda::check;

constexpr int kBlock = kTileThreads;  // eight blocks fill an SM's 2048 threads
constexpr int kBlocksPerSm = 8;
constexpr int kWordsPerVector = kVectorBytes / 4;
constexpr int kVectors = kTileVectors;
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

// A grid that stays: a block's next tile is a grid behind, so that neighbouring blocks read neighbouring tiles.
__global__ void __launch_bounds__(kBlock)
    read_kernel(const std::uint32_t* in, Split split, std::int64_t tiles, std::uint32_t* sum) {
  const auto* vectors = reinterpret_cast<const uint4*>(in + split.head);
  std::uint32_t mine = 0;
  for (std::int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::int64_t first = tile * kTile + threadIdx.x;
    if (first + (kVectors - 1) * kBlock < split.vectors) {
      mine += sum_of_tile(vectors + first);
    } else {
      for (int k = 0; k < kVectors; ++k) {
        if (first + k * kBlock < split.vectors) mine += sum_of_vector(vectors + first + k * kBlock);
      }
    }
  }
  if (blockIdx.x == 0 && threadIdx.x < split.loose) mine += in[split.loose_word(threadIdx.x)];
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

void read(const std::uint32_t* in, std::int64_t count, std::uint32_t* sum, cudaStream_t stream) {
  require_array(in, count, 4, "read", "in");
  require_array(sum, 1, 4, "read", "sum");
  if (count == 0) return;
  const Split split(in, count);
  const std::int64_t tiles = blocks_for(split.vectors, kTile);
  const std::int64_t blocks = std::min(std::int64_t{multiprocessors()} * kBlocksPerSm, tiles);
  read_kernel<<<static_cast<unsigned>(blocks), kBlock, 0, stream>>>(in, split, tiles, sum);
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
