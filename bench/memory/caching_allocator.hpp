// An allocator that keeps what it was given back, as frameworks have one: it takes segments from the driver, cuts
// blocks out of them, and joins free neighbours of one segment. What lies in two segments it cannot join. Host code
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>

namespace cupel::bench::memory {

/// Sizes and rules are those of PyTorch's allocator without expandable segments: blocks of up to 1 MiB come out of
/// segments of 2 MiB, those below 10 MiB out of segments of 20 MiB, larger ones have a segment rounded up to 2 MiB. Not
/// for several threads.
class CachingAllocator {
 public:
  /// take: gives a segment of so many bytes, or nullptr; give: takes it back. budget: of all segments together.
  CachingAllocator(std::int64_t budget, std::function<void*(std::int64_t)> take, std::function<void(void*)> give);
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  /// The smallest free block that fits, else out of a new segment, for which segments that are wholly free are given
  /// back first where the budget asks for it; nullptr when there is none. bytes: above 0.
  void* allocate(std::int64_t bytes);

  /// Joins it with what is free beside it in its segment.
  void release(void* block);

  /// Gives segments back that are wholly free, as empty_cache() does.
  void empty();

  /// The rest of the budget: what no block has, in segments or not.
  std::int64_t free_bytes() const { return budget_ - used_; }

 private:
  struct Block {
    std::int64_t bytes;
    char* segment;
    bool used;
    bool small;  // of a segment for small blocks, which serves no others
  };
  using Blocks = std::map<char*, Block>;

  Blocks::iterator find_free(std::int64_t bytes, bool small);
  Blocks::iterator new_segment(std::int64_t bytes, bool small);

  std::int64_t budget_, reserved_ = 0, used_ = 0;
  std::function<void*(std::int64_t)> take_;
  std::function<void(void*)> give_;
  Blocks blocks_;                           // by address
  std::map<char*, std::int64_t> segments_;  // bytes of each
};

}  // namespace cupel::bench::memory
