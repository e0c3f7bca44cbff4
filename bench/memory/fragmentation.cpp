// The memory that can still be had in one piece after a pattern that leaves holes: a budget is filled with equal blocks
// and every second one is freed. Half of the budget is free then; the largest block that can still be allocated is the
// answer.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "bench/memory/caching_allocator.hpp"
#include "bench/memory/largest.hpp"
#include "bench/memory/plausible.hpp"
#include "bench/memory/pool.hpp"
#include "bench/memory/topics.hpp"
#include "bench/memory/virtual_memory.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::memory {
namespace {

using benchmark::State;
using cuda::check;
using harness::operator""_MiB;
using record::Role;

// An allocator that has kBudget bytes, more or less.
class Allocator {
 public:
  virtual ~Allocator() = default;
  /// nullptr when there is no such block.
  virtual void* allocate(std::int64_t bytes) = 0;
  virtual void release(void* block) = 0;
  /// The rest of the budget by the allocator's own account: what blocks are rounded up to is not free.
  virtual std::int64_t free_bytes() const = 0;
  /// By how much more is free on the device than there was at first, with no block taken: what other processes gave
  /// back. Of an allocator with a budget of its own it matters to nothing.
  virtual std::int64_t given_back_by_others() { return 0; }
};

// As frameworks do by default.
class Cached : public Allocator {
 public:
  void* allocate(std::int64_t bytes) override { return memory_.allocate(bytes); }
  void release(void* block) override { memory_.release(block); }
  std::int64_t free_bytes() const override { return memory_.free_bytes(); }

 private:
  CachingAllocator memory_{kBudget, malloc_or_null, [](void* segment) { cudaFree(segment); }};
};

class Malloc : public Allocator {
 public:
  void* allocate(std::int64_t bytes) override { return malloc_or_null(bytes); }
  void release(void* block) override { check(cudaFree(block)); }
  std::int64_t free_bytes() const override { return free_on_device(); }
  std::int64_t given_back_by_others() override { return free_on_device() - ballast_.free_bytes(); }

 private:
  Ballast ballast_;
};

class FromPool : public Allocator {
 public:
  void* allocate(std::int64_t bytes) override {
    void* p = nullptr;
    const cudaError_t code = cudaMallocFromPoolAsync(&p, static_cast<std::size_t>(bytes), pool_.get(), stream_);
    if (code == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      return nullptr;
    }
    check(code);
    return p;
  }
  void release(void* block) override {
    check(cudaFreeAsync(block, stream_));
    stream_.synchronize();
  }
  std::int64_t free_bytes() const override { return kBudget - pool_.used_bytes(); }
  std::int64_t given_back_by_others() override {
    check(cudaMemPoolTrimTo(pool_.get(), 0));
    return free_on_device() - ballast_.free_bytes();
  }

 private:
  Ballast ballast_;
  Pool pool_{Keep::everything};
  cuda::Stream stream_;
};

class ByPages : public Allocator {
 public:
  void* allocate(std::int64_t bytes) override { return memory_.allocate(bytes); }
  void release(void* block) override { memory_.release(block); }
  std::int64_t free_bytes() const override { return memory_.free_bytes(); }

 private:
  VirtualMemory memory_{kBudget};
};

// Fills the budget, frees every second block and keeps the others.
class Holes {
 public:
  Holes(Allocator& allocator, std::int64_t block_bytes) : allocator_(allocator) {
    std::vector<void*> blocks;
    for (std::int64_t taken = 0; taken + block_bytes <= kBudget; taken += block_bytes) {
      void* block = allocator_.allocate(block_bytes);
      if (block == nullptr) break;
      blocks.push_back(block);
    }
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (i % 2 == 0) {
        kept_.push_back(blocks[i]);
      } else {
        allocator_.release(blocks[i]);
      }
    }
  }
  ~Holes() {
    try {
      for (void* block : kept_) allocator_.release(block);
    } catch (const std::exception&) {
      // The device is lost: the next call says so.
    }
  }
  Holes(const Holes&) = delete;
  Holes& operator=(const Holes&) = delete;

  // In all.
  std::int64_t free_bytes() const { return allocator_.free_bytes(); }

  // In one piece.
  std::int64_t largest_block() const {
    return memory::largest_block([&](std::int64_t bytes) { return allocator_.allocate(bytes); },
                                 [&](void* block) { allocator_.release(block); });
  }

 private:
  Allocator& allocator_;
  std::vector<void*> kept_;
};

// The time is that of the pattern; what matters are the counters, of which usable_share is made, by which
// docs/advice/memory.md judges: bytes of the largest block would be those of the budget, which is this source's choice.
template <class Of>
void fragment(State& state) {
  const std::int64_t block_bytes = state.range(0);
  Of allocator;

  harness::sample_host(state, {.items = kBudget / block_bytes}, [&] { const Holes holes(allocator, block_bytes); },
                       {.calls = 1, .warm_up = 1, .few = true});

  std::int64_t free = 0, largest = 0;
  {
    const Holes holes(allocator, block_bytes);
    free = holes.free_bytes();
    largest = holes.largest_block();
  }
  harness::require(free > 0, "the pattern freed nothing");
  require_plausible(largest, free, 0, allocator.given_back_by_others());
  harness::set_counter("free_bytes", {.value = static_cast<double>(free), .unit = "bytes"});
  harness::set_counter("largest_block",
                       {.value = static_cast<double>(largest), .unit = "bytes", .better = record::Better::higher});
  harness::set_note(
      "largest_block of free_bytes is what counts; the time is that of allocating and freeing the pattern");
}

// A pattern takes a second, most of it by the driver: one size says what the allocators differ in.
harness::Definition& with_sizes(harness::Definition& definition) {
  return definition.sweep("block_bytes", {.quick = {3_MiB}, .full = {16_MiB}})
      .memory([](const std::vector<std::int64_t>&) { return harness::Memory{.device_bytes = kBudget}; });
}

}  // namespace

void register_fragmentation() {
  using harness::add;
  with_sizes(add("memory/fragmentation/impl:caching", fragment<Cached>))
      .from(harness::Profile::standard)
      .advice("fragmentation", Role::before, "holes");
  with_sizes(add("memory/fragmentation/impl:virtual_memory", fragment<ByPages>))
      .from(harness::Profile::standard)
      .advice("fragmentation", Role::after, "holes", "expandable_segments");
  // These take all memory of the device for a moment.
  with_sizes(add("memory/fragmentation/impl:malloc", fragment<Malloc>))
      .from(harness::Profile::standard)
      .advice("fragmentation", Role::variant, "holes", "malloc");
  with_sizes(add("memory/fragmentation/impl:pool_without_cap", fragment<FromPool>))
      .from(harness::Profile::standard)
      .advice("fragmentation", Role::variant, "holes", "pool");
}

}  // namespace cupel::bench::memory
