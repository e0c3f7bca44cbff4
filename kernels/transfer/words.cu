// One thread takes kWordsPerThread words, a block apart, so that a warp's accesses are whole 128-byte lines whatever
// the alignment of the array and no tail needs code of its own.
#include "kernels/transfer/words.hpp"

#include "cupel/cuda/cuda.hpp"

namespace cupel::kernels::transfer {
namespace {

constexpr int kBlock = 256;         // 8 blocks fill an SM's 2048 threads
constexpr int kWordsPerThread = 4;  // hides the cost of a block's start; 1 GiB is then 2^18 blocks, far below 2^31
constexpr std::int64_t kTile = std::int64_t{kBlock} * kWordsPerThread;

template <class Operation>
__global__ void __launch_bounds__(kBlock) for_each_word(std::int64_t count, Operation operation) {
  const std::int64_t first = blockIdx.x * kTile + threadIdx.x;
#pragma unroll
  for (int k = 0; k < kWordsPerThread; ++k) {
    const std::int64_t i = first + k * kBlock;
    if (i < count) operation(i);
  }
}

struct FillPattern {
  std::uint32_t* out;
  Pattern pattern;
  std::int64_t first;
  __device__ void operator()(std::int64_t i) const { out[i] = word(pattern, first + i); }
};

struct FillConstant {
  std::uint32_t* out;
  std::uint32_t value;
  __device__ void operator()(std::int64_t i) const { out[i] = value; }
};

struct Copy {
  const std::uint32_t* in;
  std::uint32_t* out;
  __device__ void operator()(std::int64_t i) const { out[i] = in[i]; }
};

// The step comes as a parameter: of one that it knows, nvcc makes eight into one multiply-add with other constants.
struct Advance {
  const std::uint32_t* in;
  std::uint32_t* out;
  int steps;
  Affine step;
  __device__ void operator()(std::int64_t i) const {
    std::uint32_t x = in[i];
#pragma unroll 8
    for (int k = 0; k < steps; ++k) x = step(x);
    out[i] = x;
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
void launch(std::int64_t count, Operation operation, cudaStream_t stream) {
  if (count == 0) return;
  for_each_word<<<blocks_for(count), kBlock, 0, stream>>>(count, operation);
  cuda::check(cudaGetLastError());
}

}  // namespace

void fill_pattern(std::uint32_t* out, std::int64_t count, const Pattern& pattern, std::int64_t first,
                  cudaStream_t stream) {
  launch(count, FillPattern{out, pattern, first}, stream);
}

void fill_constant(std::uint32_t* out, std::int64_t count, std::uint32_t value, cudaStream_t stream) {
  launch(count, FillConstant{out, value}, stream);
}

void count_mismatches(const std::uint32_t* in, std::int64_t count, const Pattern& pattern, std::int64_t first,
                      unsigned long long* mismatches, cudaStream_t stream) {
  if (count == 0) return;
  count_mismatches_kernel<<<blocks_for(count), kBlock, 0, stream>>>(in, count, pattern, first, mismatches);
  cuda::check(cudaGetLastError());
}

void copy_words(const std::uint32_t* in, std::uint32_t* out, std::int64_t count, cudaStream_t stream) {
  launch(count, Copy{in, out}, stream);
}

void advance_words(const std::uint32_t* in, std::uint32_t* out, std::int64_t count, int steps, cudaStream_t stream) {
  launch(count, Advance{in, out, steps, kStep}, stream);
}

}  // namespace cupel::kernels::transfer
