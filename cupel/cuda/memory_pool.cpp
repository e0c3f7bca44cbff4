#include "cupel/cuda/memory_pool.hpp"

#include <limits>

namespace cupel::cuda {
namespace {

std::int64_t bytes_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, attribute, &bytes));
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

MemoryPool::MemoryPool(Keep keep, std::int64_t max_bytes) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, current_device()};
  properties.maxSize = static_cast<std::size_t>(max_bytes);
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  pool_.reset(pool);
  std::uint64_t threshold = keep == Keep::everything ? std::numeric_limits<std::uint64_t>::max() : 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

bool MemoryPool::supported() { return attribute(cudaDevAttrMemoryPoolsSupported) != 0; }

std::int64_t MemoryPool::reserved_bytes() const { return bytes_of(pool_.get(), cudaMemPoolAttrReservedMemCurrent); }

std::int64_t MemoryPool::most_reserved_bytes() const { return bytes_of(pool_.get(), cudaMemPoolAttrReservedMemHigh); }

std::int64_t MemoryPool::used_bytes() const { return bytes_of(pool_.get(), cudaMemPoolAttrUsedMemCurrent); }

}  // namespace cupel::cuda
