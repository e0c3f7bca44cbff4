// The cost of pinning, and how many copies it takes until the faster copies have paid for it.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

// The median of a few calls: good enough for a break-even, which is a counter beside the figure and never judged.
template <class Call>
double rough_time_s(const Call& call) {
  std::vector<double> times_s(3);
  for (double& time_s : times_s) {
    const auto start = harness::Clock::now();
    call();
    time_s = harness::seconds_since(start);
  }
  return stats::median(times_s);
}

double copy_time_s(HostMemory kind, std::int64_t bytes) {
  const std::uint32_t* source = host_memory(kind, Side::source, bytes);
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  const cuda::Stream stream;
  const auto copy = [&] {
    copy_async(destination, source, bytes, cudaMemcpyHostToDevice, stream);
    stream.synchronize();
  };
  copy();
  return rough_time_s(copy);
}

// By how much a copy to the device from pinned memory is faster.
double gain_per_copy_s(std::int64_t bytes) {
  return copy_time_s(HostMemory::pageable, bytes) - copy_time_s(HostMemory::pinned, bytes);
}

void count_copies_until_paid(double pinning_s, std::int64_t bytes) {
  const double gain_s = harness::memoized<gain_per_copy_s>(bytes);
  if (gain_s <= 0) {
    harness::set_note("copies from pinned memory are not faster here: pinning never pays");
    return;
  }
  harness::set_counter("copies_until_paid", {.value = pinning_s / gain_s, .unit = "count"});
}

// Samples `pin`, so many calls a sample, and gives the price of pinning once: the median time of it and of `release`,
// which undoes the calls of a sample outside its time.
template <class Pin, class Release>
double sample_pinning(State& state, std::int64_t calls, const Pin& pin, const Release& release) {
  harness::Clock::time_point start;
  std::vector<double> prices_s;
  harness::sample_host(state, {.items = 1}, pin,
                       {.before = [&] { start = harness::Clock::now(); },
                        .after =
                            [&] {
                              release();
                              prices_s.push_back(harness::seconds_since(start) / static_cast<double>(calls));
                            },
                        .calls = calls,
                        .warm_up = harness::calls_of_earlier_rounds(record::Mode::host) > 0 ? 0 : 1});
  return stats::median(prices_s);
}

void require_page_locked(const void* p) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, p));
  harness::require(attributes.type == cudaMemoryTypeHost, "the memory is not page-locked");
}

// Blocks of up to 1 MiB are parts of pieces of 2 MiB that the driver pins, and gives back when they are empty (580,
// docs/transfer.md). So many bytes are whole pieces: where one is there already in part, its free room is used, but as
// many more are pinned. And they are more than what the kernel has at hand: a single piece that is given back and taken
// again comes from the same pages and is pinned in two thirds of the time, 16 MiB are not.
constexpr std::int64_t kHeld = 16_MiB;

std::int64_t held_blocks(std::int64_t bytes) { return std::max<std::int64_t>(1, kHeld / bytes); }

// cudaHostAlloc: finds the pages, clears them, locks them and maps them for the device. All blocks are held until the
// last one is there, so that none of them is handed out twice.
void pin_by_allocation(State& state) {
  const std::int64_t bytes = state.range(0), blocks = held_blocks(bytes);
  std::vector<HostBlock> held;
  held.reserve(static_cast<std::size_t>(blocks));
  const auto allocate = [&] { held.push_back(allocate_host(HostMemory::pinned, bytes)); };
  const auto release = [&] {
    require_page_locked(held.front().get());
    require_page_locked(held.back().get());
    held.clear();
  };

  count_copies_until_paid(sample_pinning(state, blocks, allocate, release), bytes);
}

// A block that is given back and taken again, while those beside it are held: its piece stays, so this is what asking
// costs, and not what pinning does.
void take_again(State& state) {
  const std::int64_t bytes = state.range(0);
  std::vector<HostBlock> held;
  for (std::int64_t i = 0; i < held_blocks(bytes); ++i) held.push_back(allocate_host(HostMemory::pinned, bytes));
  HostBlock& block = held[held.size() / 2];
  const auto give_back = [&] {
    require_page_locked(block.get());
    block.reset();
  };
  give_back();

  sample_pinning(
      state, 1, [&] { block = allocate_host(HostMemory::pinned, bytes); }, give_back);
}

// Not the pages that other benchmarks copy from: having been locked may leave its marks on them. Touching them takes
// longer than locking them a dozen times.
HostBlock pages_to_lock(std::int64_t bytes) { return allocate_host(HostMemory::pageable, bytes); }

// cudaHostRegister: locks and maps pages that are there already.
void pin_by_registration(State& state) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* pages = harness::memoized<pages_to_lock>(bytes).get();
  const auto lock = [&] { page_lock(pages, bytes); };
  const auto unlock = [&] {
    require_page_locked(pages);
    check(cudaHostUnregister(pages));
  };

  count_copies_until_paid(sample_pinning(state, 1, lock, unlock), bytes);
}

}  // namespace

void register_pin() {
  add("transfer/pin/op:alloc_new", pin_by_allocation)
      .sweep("bytes", {.quick = {16_MiB}, .standard = {64_KiB, 1_MiB, 64_MiB}, .full = {4_KiB, 256_MiB, 1_GiB}})
      .memory([](const std::vector<std::int64_t>& args) {
        return harness::Memory{.device_bytes = args[0], .host_bytes = std::max(args[0], kHeld) + 2 * args[0]};
      })
      .advice("pin-memory", Role::variant, "pin", "alloc_new");
  add("transfer/pin/op:alloc_again", take_again)
      .sweep("bytes", {.quick = {1_MiB}, .standard = {64_KiB}, .full = {4_KiB}})
      .memory([](const std::vector<std::int64_t>&) { return harness::Memory{.host_bytes = kHeld}; })
      .advice("pin-memory", Role::variant, "pin", "alloc_again");
  add("transfer/pin/op:register", pin_by_registration)
      .sweep("bytes", {.quick = {1_MiB, 16_MiB}, .standard = {64_KiB, 64_MiB}, .full = {4_KiB, 256_MiB, 1_GiB}})
      .memory(per_byte(1, 3))
      .advice("pin-memory", Role::variant, "pin", "register");
}

}  // namespace cupel::bench::transfer
