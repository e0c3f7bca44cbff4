#include "bench/memory/largest.hpp"

#include "cupel/harness/run.hpp"

namespace cupel::bench::memory {

std::int64_t free_on_device() {
  std::size_t free = 0, total = 0;
  cuda::check(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free);
}

void* malloc_or_null(std::int64_t bytes) {
  void* p = nullptr;
  const cudaError_t code = cudaMalloc(&p, static_cast<std::size_t>(bytes));
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return nullptr;
  }
  cuda::check(code);
  return p;
}

Ballast::Ballast() {
  const std::int64_t free = free_on_device();
  if (free < 2 * kBudget) harness::skip("less than 2 GiB of device memory are free");
  memory_ = cuda::DeviceBuffer<char>(static_cast<std::size_t>(free - kBudget));
  free_bytes_ = free_on_device();
}

std::int64_t largest_block(const std::function<void*(std::int64_t)>& allocate,
                           const std::function<void(void*)>& release) {
  constexpr std::int64_t kPage = std::int64_t{2} << 20;
  std::int64_t had = 0, refused = kBudget / kPage + 1;
  while (refused - had > 1) {
    const std::int64_t middle = (had + refused) / 2;
    void* block = allocate(middle * kPage);
    (block != nullptr ? had : refused) = middle;
    if (block != nullptr) release(block);
  }
  return had * kPage;
}

}  // namespace cupel::bench::memory
