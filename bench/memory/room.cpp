// Whether emptying a caching allocator's cache avoids running out of memory: the largest block that can be had after a
// training has left most of its segments free and some of them in part, by the allocator itself, and by others of the
// process, such as a library that takes its workspace from the driver.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "bench/memory/caching_allocator.hpp"
#include "bench/memory/largest.hpp"
#include "bench/memory/plausible.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::memory {
namespace {

using benchmark::State;
using harness::operator""_MiB;
using record::Role;

enum class For { own, others };
enum class Cache { kept, emptied };

constexpr std::int64_t kBlock = 3_MiB;  // six in a segment
constexpr std::size_t kOneIn = 12;      // blocks stays: of two segments one is free
constexpr std::int64_t kUsed = kBudget / 4 * 3;

void give(void* segment) { cuda::check(cudaFree(segment)); }

// Blocks of three quarters of the budget, of which few are kept.
std::vector<void*> leave_some(CachingAllocator& allocator) {
  std::vector<void*> blocks, kept;
  for (std::int64_t taken = 0; taken + kBlock <= kUsed; taken += kBlock) {
    void* block = allocator.allocate(kBlock);
    harness::require(block != nullptr, "the budget holds fewer blocks than it has room for");
    blocks.push_back(block);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i % kOneIn == 0) {
      kept.push_back(blocks[i]);
    } else {
      allocator.release(blocks[i]);
    }
  }
  return kept;
}

std::int64_t largest_for(For whom, CachingAllocator& allocator) {
  if (whom == For::others) return largest_block(malloc_or_null, give);
  return largest_block([&](std::int64_t bytes) { return allocator.allocate(bytes); },
                       [&](void* block) { allocator.release(block); });
}

// The time is that of the pattern, and of emptying; the counter is what counts.
void room(State& state, For whom, Cache cache) {
  const Ballast ballast;
  CachingAllocator allocator(kBudget, malloc_or_null, give);
  std::vector<void*> kept;
  const auto release_kept = [&] {
    for (void* block : kept) allocator.release(block);
    kept.clear();
  };

  harness::sample_host(state, {.items = kUsed / kBlock},
                       [&] {
                         release_kept();
                         kept = leave_some(allocator);
                         if (cache == Cache::emptied) allocator.empty();
                       },
                       {.calls = 1, .warm_up = 1, .few = true});

  const std::int64_t free = allocator.free_bytes(), largest = largest_for(whom, allocator);
  release_kept();
  allocator.empty();
  require_plausible(largest, free, ballast.free_bytes(), free_on_device());
  harness::set_counter("free_bytes", {.value = static_cast<double>(free), .unit = "bytes"});
  harness::set_counter("largest_block",
                       {.value = static_cast<double>(largest), .unit = "bytes", .better = record::Better::higher});
  harness::set_note("largest_block is what counts; the time is that of allocating and freeing the pattern");
}

harness::Definition& add(const char* name, For whom, Cache cache) {
  return harness::add(name, [=](State& state) { room(state, whom, cache); })
      .from(harness::Profile::standard)
      .memory([](const std::vector<std::int64_t>&) { return harness::Memory{.device_bytes = kBudget}; });
}

}  // namespace

void register_room() {
  add("memory/room/for:own/cache:kept", For::own, Cache::kept).advice("empty-cache-room", Role::before, "for:own");
  add("memory/room/for:own/cache:emptied", For::own, Cache::emptied).advice("empty-cache-room", Role::after, "for:own");
  add("memory/room/for:others/cache:kept", For::others, Cache::kept)
      .advice("empty-cache-room", Role::before, "for:others");
  add("memory/room/for:others/cache:emptied", For::others, Cache::emptied)
      .advice("empty-cache-room", Role::after, "for:others");
}

}  // namespace cupel::bench::memory
