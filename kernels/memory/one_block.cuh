// The one block of a launch that works, told by the multiprocessor it came to: nobody can ask for one.
#pragma once

#include <cuda_runtime.h>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"
#include "kernels/memory/one_block.hpp"

namespace cupel::kernels::memory {

__device__ inline int this_multiprocessor() {
  int number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

/// Called once by all threads of each block. True in the first block that came to `multiprocessor`. Takes no shared
/// memory, whose room is L1's.
__device__ inline bool is_the_one(int multiprocessor, OneBlock* state) {
  bool is = false;
  if (threadIdx.x == 0) {
    is = this_multiprocessor() == multiprocessor && atomicExch(&state->taken, 1u) == 0;
    if (is) ++state->found;
    __threadfence();
    // The last to come sees that nobody asks any more.
    if (atomicInc(&state->arrived, gridDim.x - 1) == gridDim.x - 1) state->taken = 0;
  }
  return __syncthreads_or(is);
}

/// Launches kernel(multiprocessor, state, arguments...) with so many blocks that some come to each multiprocessor: on
/// an H200 that was so with eight times as many as there are multiprocessors.
template <class... Parameters, class... Arguments>
void launch_one(void (*kernel)(int, OneBlock*, Parameters...), int threads, int multiprocessor, OneBlock* state,
                cudaStream_t stream, Arguments... arguments) {
  kernel<<<static_cast<unsigned>(8 * multiprocessors()), threads, 0, stream>>>(multiprocessor, state, arguments...);
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::kernels::memory
