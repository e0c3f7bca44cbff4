// The allocators' account of their memory: the counters of memory/fragmentation and memory/empty_cache.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "bench/memory/pool.hpp"
#include "bench/memory/virtual_memory.hpp"
#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::memory {
namespace {

constexpr std::int64_t kBudget = std::int64_t{64} << 20;

TEST(VirtualMemory, HasNothingFreeOfAPageThatIsUsedInPart) {
  VirtualMemory memory(kBudget);
  const std::int64_t page = memory.page_bytes(), all = memory.free_bytes();

  void* block = memory.allocate(page + 1);
  const std::int64_t beside_a_block = memory.free_bytes();
  void* too_large = memory.allocate(beside_a_block + 1);
  void* rest = memory.allocate(beside_a_block);
  const std::int64_t when_full = memory.free_bytes();
  memory.release(block);
  memory.release(rest);

  EXPECT_EQ(all, kBudget / page * page);
  EXPECT_EQ(beside_a_block, all - 2 * page);
  EXPECT_EQ(too_large, nullptr);
  EXPECT_NE(rest, nullptr);
  EXPECT_EQ(when_full, 0);
  EXPECT_EQ(memory.free_bytes(), all);
}

TEST(Pool, CountsWhatBlocksHaveApartFromWhatItHolds) {
  constexpr std::int64_t kBlock = std::int64_t{3} << 20;
  const Pool pool(Keep::everything, kBudget);
  const cuda::Stream stream;

  void* block = pool.allocate(kBlock, stream);
  const std::int64_t beside_a_block = pool.used_bytes();
  cuda::check(cudaFreeAsync(block, stream));
  stream.synchronize();

  EXPECT_GE(beside_a_block, kBlock);
  EXPECT_LE(beside_a_block, kBudget);
  EXPECT_EQ(pool.used_bytes(), 0);
  EXPECT_GE(pool.reserved_bytes(), kBlock);
}

}  // namespace
}  // namespace cupel::bench::memory
