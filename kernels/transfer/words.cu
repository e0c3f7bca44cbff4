// One thread takes kWordsPerThread words, a block apart, so that a warp's accesses are whole 128-byte lines whatever
// the alignment of the array and no tail needs code of its own. All are read before the first is written: the compiler,
// which cannot know that they are different ones, would wait for each.
#include "kernels/transfer/words.hpp"

#include "cupel/cuda/cuda.hpp"

namespace cupel::kernels::transfer {
namespace {

constexpr int kBlock = 256;         // 8 blocks fill an SM's 2048 threads
constexpr int kWordsPerThread = 4;  // hides the cost of a block's start; 1 GiB is then 2^18 blocks, far below 2^31
constexpr std::int64_t kTile = std::int64_t{kBlock} * kWordsPerThread;

// An operation has `in(i)`, what there is at a place, and `of(i, x)`, what is to be written there of it.
template <class Operation>
__global__ void __launch_bounds__(kBlock) for_each_word(std::int64_t count, Operation operation, std::uint32_t* out) {
  const std::int64_t first = blockIdx.x * kTile + threadIdx.x;
  std::uint32_t words[kWordsPerThread];
#pragma unroll
  for (int k = 0; k < kWordsPerThread; ++k) {
    const std::int64_t i = first + k * kBlock;
    if (i < count) words[k] = operation.in(i);
  }
#pragma unroll
  for (int k = 0; k < kWordsPerThread; ++k) {
    const std::int64_t i = first + k * kBlock;
    if (i < count) out[i] = operation.of(i, words[k]);
  }
}

struct FillPattern {
  Pattern pattern;
  std::int64_t first;
  __device__ std::uint32_t in(std::int64_t) const { return 0; }
  __device__ std::uint32_t of(std::int64_t i, std::uint32_t) const { return word(pattern, first + i); }
};

struct FillConstant {
  std::uint32_t value;
  __device__ std::uint32_t in(std::int64_t) const { return 0; }
  __device__ std::uint32_t of(std::int64_t, std::uint32_t) const { return value; }
};

struct Copy {
  const std::uint32_t* data;
  __device__ std::uint32_t in(std::int64_t i) const { return data[i]; }
  __device__ std::uint32_t of(std::int64_t, std::uint32_t x) const { return x; }
};

// The step comes as a parameter: of one that it knows, nvcc makes eight into one multiply-add with other constants.
struct Advance {
  const std::uint32_t* data;
  int steps;
  Affine step;
  __device__ std::uint32_t in(std::int64_t i) const { return data[i]; }
  __device__ std::uint32_t of(std::int64_t, std::uint32_t x) const {
#pragma unroll 8
    for (int k = 0; k < steps; ++k) x = step(x);
    return x;
  }
};

// Every thread of a block reaches the barrier, in range or not.
__global__ void __launch_bounds__(kBlock)
    count_mismatches_kernel(const std::uint32_t* in, std::int64_t count, Pattern pattern, std::int64_t first,
                            unsigned long long* mismatches) {
  const std::int64_t begin = blockIdx.x * kTile + threadIdx.x;
  int of_block = 0;
#pragma unroll
  for (int k = 0; k < kWordsPerThread; ++k) {
    const std::int64_t i = begin + k * kBlock;
    of_block += __syncthreads_count(i < count && in[i] != word(pattern, first + i));
  }
  if (threadIdx.x == 0 && of_block != 0) atomicAdd(mismatches, static_cast<unsigned long long>(of_block));
}

unsigned blocks_for(std::int64_t count) { return static_cast<unsigned>((count + kTile - 1) / kTile); }

template <class Operation>
void launch(std::int64_t count, Operation operation, std::uint32_t* out, cudaStream_t stream) {
  if (count == 0) return;
  for_each_word<<<blocks_for(count), kBlock, 0, stream>>>(count, operation, out);
  cuda::check(cudaGetLastError());
}

}  // namespace

void fill_pattern(std::uint32_t* out, std::int64_t count, const Pattern& pattern, std::int64_t first,
                  cudaStream_t stream) {
  launch(count, FillPattern{pattern, first}, out, stream);
}

void fill_constant(std::uint32_t* out, std::int64_t count, std::uint32_t value, cudaStream_t stream) {
  launch(count, FillConstant{value}, out, stream);
}

void count_mismatches(const std::uint32_t* in, std::int64_t count, const Pattern& pattern, std::int64_t first,
                      unsigned long long* mismatches, cudaStream_t stream) {
  if (count == 0) return;
  count_mismatches_kernel<<<blocks_for(count), kBlock, 0, stream>>>(in, count, pattern, first, mismatches);
  cuda::check(cudaGetLastError());
}

void copy_words(const std::uint32_t* in, std::uint32_t* out, std::int64_t count, cudaStream_t stream) {
  launch(count, Copy{in}, out, stream);
}

void advance_words(const std::uint32_t* in, std::uint32_t* out, std::int64_t count, int steps, cudaStream_t stream) {
  launch(count, Advance{in, steps, kStep}, out, stream);
}

}  // namespace cupel::kernels::transfer
