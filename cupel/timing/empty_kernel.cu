#include "cupel/timing/empty_kernel.hpp"

#include "cupel/cuda/cuda.hpp"

namespace cupel::timing {
namespace {

__global__ void empty() {}

}  // namespace

void launch_empty(cudaStream_t stream) {
  empty<<<1, 1, 0, stream>>>();
  cuda::check(cudaGetLastError());
}

}  // namespace cupel::timing
