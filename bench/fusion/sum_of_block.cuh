// A sum over all threads of a block, in double.
#pragma once

namespace cupel::bench::fusion {

/// Each thread has the sum. shared: an element a thread, of which there are `threads`, a power of two.
template <int threads>
__device__ double sum_of_block(double mine, double (&shared)[threads]) {
  __syncthreads();  // who still reads an earlier sum
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = threads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    __syncthreads();
  }
  return shared[0];
}

}  // namespace cupel::bench::fusion
