#include "kernels/common/device.hpp"

#include <cuda_runtime.h>

#include <array>
#include <atomic>
#include <cstddef>

#include "cupel/cuda/cuda.hpp"

namespace cupel::kernels {
namespace {

// Asked once a device: each caller has its own `known`.
using Known = std::array<std::atomic<int>, 64>;

int attribute(cudaDeviceAttr which, Known& known) {
  const int device = cuda::current_device();
  auto& one_more = known[static_cast<std::size_t>(device) % known.size()];  // than the value
  if (one_more == 0) one_more = cuda::attribute(which, device) + 1;
  return one_more - 1;
}

}  // namespace

int multiprocessors() {
  static Known known{};
  return attribute(cudaDevAttrMultiProcessorCount, known);
}

int shared_memory(int blocks) {
  static Known of_multiprocessor{}, reserved{};
  return attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, of_multiprocessor) / blocks -
         attribute(cudaDevAttrReservedSharedMemoryPerBlock, reserved);
}

bool can_wait_for_all_blocks() {
  static Known known{};
  return attribute(cudaDevAttrCooperativeLaunch, known) != 0;
}

}  // namespace cupel::kernels
