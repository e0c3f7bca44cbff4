#include "bench/memory/caching_allocator.hpp"

#include <algorithm>
#include <utility>

namespace cupel::bench::memory {
namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr std::int64_t kRound = 512;   // of every block
constexpr std::int64_t kSmall = kMiB;  // blocks up to this size are small
constexpr std::int64_t kSmallSegment = 2 * kMiB;
constexpr std::int64_t kLargeSegment = 20 * kMiB;  // for blocks below kOwnSegment
constexpr std::int64_t kOwnSegment = 10 * kMiB;
constexpr std::int64_t kRoundSegment = 2 * kMiB;
constexpr std::int64_t kLeastRest = kMiB;  // a large block is cut only if more than this is left

std::int64_t rounded(std::int64_t bytes, std::int64_t to) { return (bytes + to - 1) / to * to; }

std::int64_t segment_for(std::int64_t bytes) {
  if (bytes <= kSmall) return kSmallSegment;
  return bytes < kOwnSegment ? kLargeSegment : rounded(bytes, kRoundSegment);
}

bool worth_cutting(std::int64_t rest, bool small) { return small ? rest >= kRound : rest > kLeastRest; }

}  // namespace

CachingAllocator::CachingAllocator(std::int64_t budget, std::function<void*(std::int64_t)> take,
                                   std::function<void(void*)> give)
    : budget_(budget), take_(std::move(take)), give_(std::move(give)) {}

CachingAllocator::~CachingAllocator() {
  for (const auto& [segment, bytes] : segments_) give_(segment);
}

CachingAllocator::Blocks::iterator CachingAllocator::find_free(std::int64_t bytes, bool small) {
  auto best = blocks_.end();
  for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
    const Block& b = block->second;
    if (b.used || b.small != small || b.bytes < bytes) continue;
    if (best == blocks_.end() || b.bytes < best->second.bytes) best = block;
  }
  return best;
}

void CachingAllocator::empty() {
  for (auto segment = segments_.begin(); segment != segments_.end();) {
    const auto block = blocks_.find(segment->first);
    if (block->second.used || block->second.bytes != segment->second) {
      ++segment;
      continue;
    }
    reserved_ -= segment->second;
    blocks_.erase(block);
    give_(segment->first);
    segment = segments_.erase(segment);
  }
}

CachingAllocator::Blocks::iterator CachingAllocator::new_segment(std::int64_t bytes, bool small) {
  const std::int64_t wanted = segment_for(bytes);
  if (reserved_ + wanted > budget_) empty();
  char* segment = reserved_ + wanted > budget_ ? nullptr : static_cast<char*>(take_(wanted));
  if (segment == nullptr) return blocks_.end();
  reserved_ += wanted;
  segments_.emplace(segment, wanted);
  return blocks_.emplace(segment, Block{wanted, segment, false, small}).first;
}

void* CachingAllocator::allocate(std::int64_t bytes) {
  bytes = rounded(bytes, kRound);
  const bool small = bytes <= kSmall;
  auto found = find_free(bytes, small);
  if (found == blocks_.end()) found = new_segment(bytes, small);
  if (found == blocks_.end()) return nullptr;
  Block& block = found->second;
  if (const std::int64_t rest = block.bytes - bytes; worth_cutting(rest, small)) {
    blocks_.emplace(found->first + bytes, Block{rest, block.segment, false, small});
    block.bytes = bytes;
  }
  block.used = true;
  used_ += block.bytes;
  return found->first;
}

void CachingAllocator::release(void* p) {
  auto block = blocks_.find(static_cast<char*>(p));
  block->second.used = false;
  used_ -= block->second.bytes;
  const auto joins = [](const Block& a, const Block& b) { return !a.used && !b.used && a.segment == b.segment; };
  if (const auto next = std::next(block); next != blocks_.end() && joins(block->second, next->second)) {
    block->second.bytes += next->second.bytes;
    blocks_.erase(next);
  }
  if (block == blocks_.begin()) return;
  if (const auto previous = std::prev(block); joins(previous->second, block->second)) {
    previous->second.bytes += block->second.bytes;
    blocks_.erase(block);
  }
}

}  // namespace cupel::bench::memory
