#include "kernels/memory/chase.hpp"

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/memory/one_block.cuh"

namespace cupel::kernels::memory {
namespace {

using cuda::check;

constexpr int kNodesOfBlock = 256;

__global__ void __launch_bounds__(kNodesOfBlock)
    make_chain_kernel(char* memory, const std::int32_t* lines, std::int64_t nodes, std::int64_t stride_bytes,
                      Permutation order, std::uint64_t* position) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kNodesOfBlock + threadIdx.x;
  if (i >= nodes) return;
  const auto place = [=](std::int64_t node) {
    return reinterpret_cast<std::uint64_t>(memory) + (lines == nullptr ? node : lines[node]) * stride_bytes;
  };
  const std::uint64_t node = place(order(i));
  *reinterpret_cast<std::uint64_t*>(node) = place(order(i + 1 < nodes ? i + 1 : 0));
  if (i == 0) *position = node;
}

__global__ void find_multiprocessor_kernel(int* multiprocessor) { *multiprocessor = this_multiprocessor(); }

__global__ void chase_kernel(int multiprocessor, OneBlock* state, std::uint64_t* position, std::int64_t steps) {
  if (!is_the_one(multiprocessor, state)) return;
  constexpr int kUnroll = 16;  // the loop's own instructions are then nothing beside the loads
  std::uint64_t at = *position;
  std::int64_t left = steps;
  for (; left >= kUnroll; left -= kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) at = *reinterpret_cast<const std::uint64_t*>(at);
  }
  for (; left > 0; --left) at = *reinterpret_cast<const std::uint64_t*>(at);
  *position = at;
}

}  // namespace

void make_chain(void* memory, const std::int32_t* lines, std::int64_t nodes, std::int64_t stride_bytes,
                std::uint64_t seed, std::uint64_t* position, cudaStream_t stream) {
  require_argument(nodes >= 1, "make_chain", "nodes", "1 or more");
  require_array(memory, nodes, 8, "make_chain", "memory");
  require_argument(stride_bytes >= 8 && stride_bytes % 8 == 0, "make_chain", "stride_bytes", "a multiple of 8");
  require_array(position, 1, 8, "make_chain", "position");
  make_chain_kernel<<<static_cast<unsigned>((nodes + kNodesOfBlock - 1) / kNodesOfBlock), kNodesOfBlock, 0, stream>>>(
      static_cast<char*>(memory), lines, nodes, stride_bytes, Permutation(nodes, seed), position);
  check(cudaGetLastError());
}

void find_multiprocessor(int* multiprocessor, cudaStream_t stream) {
  require_array(multiprocessor, 1, 4, "find_multiprocessor", "multiprocessor");
  find_multiprocessor_kernel<<<1, 1, 0, stream>>>(multiprocessor);
  check(cudaGetLastError());
}

void chase(std::uint64_t* position, std::int64_t steps, int multiprocessor, OneBlock* state, cudaStream_t stream) {
  require_array(position, 1, 8, "chase", "position");
  require_argument(steps >= 0, "chase", "steps", "0 or more");
  require_argument(multiprocessor >= 0, "chase", "multiprocessor", "0 or more");
  require_array(state, 1, 4, "chase", "state");
  if (steps == 0) return;
  launch_one(chase_kernel, 1, multiprocessor, state, stream, position, steps);
}

}  // namespace cupel::kernels::memory
