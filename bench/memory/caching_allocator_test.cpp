#include "bench/memory/caching_allocator.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace cupel::bench::memory {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// Segments of the host's memory that nobody writes to; says which were asked for.
struct Source {
  CachingAllocator allocator(std::int64_t budget) {
    return CachingAllocator(
        budget,
        [this](std::int64_t bytes) {
          taken.push_back(bytes / kMiB);
          return std::malloc(static_cast<std::size_t>(bytes));
        },
        [this](void* segment) {
          ++given_back;
          std::free(segment);
        });
  }

  std::vector<std::int64_t> taken;  // MiB
  int given_back = 0;
};

TEST(CachingAllocator, TakesSegmentsOfTwoTwentyAndWhatIsAskedFor) {
  Source source;
  CachingAllocator allocator = source.allocator(100 * kMiB);

  allocator.allocate(1000);
  allocator.allocate(2 * kMiB);
  allocator.allocate(2 * kMiB);  // out of the same twenty
  allocator.allocate(17 * kMiB);

  EXPECT_EQ(source.taken, (std::vector<std::int64_t>{2, 20, 18}));
}

TEST(CachingAllocator, JoinsFreeNeighboursOfASegmentAndNoOthers) {
  Source source;
  CachingAllocator allocator = source.allocator(40 * kMiB);
  std::vector<void*> blocks;
  for (int i = 0; i < 8; ++i) blocks.push_back(allocator.allocate(5 * kMiB));
  EXPECT_EQ(allocator.allocate(5 * kMiB), nullptr);

  for (const int i : {2, 3, 4, 5}) allocator.release(blocks[static_cast<std::size_t>(i)]);

  EXPECT_EQ(allocator.free_bytes(), 20 * kMiB);
  EXPECT_EQ(allocator.allocate(11 * kMiB), nullptr);
  EXPECT_NE(allocator.allocate(9 * kMiB), nullptr);
}

TEST(CachingAllocator, EmptiedGivesBackWhatIsWhollyFreeAndKeepsTheRest) {
  Source source;
  CachingAllocator allocator = source.allocator(100 * kMiB);
  void* whole = allocator.allocate(18 * kMiB);
  allocator.allocate(3 * kMiB);
  void* part = allocator.allocate(3 * kMiB);
  allocator.release(whole);
  allocator.release(part);

  allocator.empty();

  EXPECT_EQ(source.given_back, 1);
  EXPECT_EQ(allocator.free_bytes(), 97 * kMiB);
}

TEST(CachingAllocator, GivesWhollyFreeSegmentsBackWhereTheBudgetAsksForIt) {
  Source source;
  CachingAllocator allocator = source.allocator(60 * kMiB);
  void* kept = allocator.allocate(5 * kMiB);
  std::vector<void*> filling;
  for (int i = 0; i < 11; ++i) filling.push_back(allocator.allocate(5 * kMiB));
  for (void* block : filling) allocator.release(block);

  EXPECT_NE(allocator.allocate(30 * kMiB), nullptr);
  EXPECT_EQ(source.given_back, 2);
  allocator.release(kept);
}

TEST(CachingAllocator, GivesEverySegmentBackAtItsEnd) {
  Source source;
  { source.allocator(40 * kMiB).allocate(5 * kMiB); }

  EXPECT_EQ(source.given_back, static_cast<int>(source.taken.size()));
}

}  // namespace
}  // namespace cupel::bench::memory
