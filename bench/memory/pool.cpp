#include "bench/memory/pool.hpp"

#include <limits>

#include "cupel/harness/run.hpp"

namespace cupel::bench::memory {
namespace {

using cuda::check;

void require_pools(int device) {
  int supported = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
  if (supported == 0) harness::skip("this device has no stream-ordered memory pools");
}

std::int64_t bytes_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, attribute, &bytes));
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

Pool::Pool(Keep keep, std::int64_t max_bytes) {
  const int device = cuda::current_device();
  require_pools(device);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  properties.maxSize = static_cast<std::size_t>(max_bytes);
  cudaMemPool_t pool = nullptr;
  check(cudaMemPoolCreate(&pool, &properties));
  pool_.reset(pool);
  std::uint64_t threshold = keep == Keep::everything ? std::numeric_limits<std::uint64_t>::max() : 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

std::int64_t Pool::reserved_bytes() const { return bytes_of(pool_.get(), cudaMemPoolAttrReservedMemCurrent); }

std::int64_t Pool::used_bytes() const { return bytes_of(pool_.get(), cudaMemPoolAttrUsedMemCurrent); }

}  // namespace cupel::bench::memory
