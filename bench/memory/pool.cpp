#include "bench/memory/pool.hpp"

#include "cupel/harness/run.hpp"

namespace cupel::bench::memory {
namespace {

Keep required(Keep keep) {
  if (!cuda::MemoryPool::supported()) harness::skip("this device has no stream-ordered memory pools");
  return keep;
}

}  // namespace

Pool::Pool(Keep keep, std::int64_t max_bytes) : MemoryPool(required(keep), max_bytes) {}

}  // namespace cupel::bench::memory
