// What pinning costs, and how many copies it takes until the faster copies have paid for it.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <algorithm>
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

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

double middle_of(std::vector<double> times_s) {
  const auto middle = times_s.begin() + static_cast<std::ptrdiff_t>(times_s.size() / 2);
  std::nth_element(times_s.begin(), middle, times_s.end());
  return *middle;
}

// The median of a few calls: good enough for a break-even, which is a counter beside the figure and never judged.
template <class Call>
double rough_time_s(const Call& call) {
  std::vector<double> times_s(3);
  for (double& time_s : times_s) {
    const auto start = harness::Clock::now();
    call();
    time_s = harness::seconds_since(start);
  }
  return middle_of(times_s);
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
  return middle_of(prices_s);
}

void require_page_locked(const void* p) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, p));
  harness::require(attributes.type == cudaMemoryTypeHost, "the memory is not page-locked");
}

// Of so many bytes of blocks most are pinned anew: small ones are parts of larger pieces that the driver pins, and of a
// few it may have the pieces already.
constexpr std::int64_t kHeld = 16_MiB;

// cudaHostAlloc `blocks` times: finds the pages, clears them, locks them and maps them for the device. All blocks are
// held until the last one is there, so that none of them is handed out twice.
void sample_allocation(State& state, std::int64_t blocks) {
  const std::int64_t bytes = state.range(0);
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

std::int64_t held_bytes(std::int64_t bytes) { return std::max(bytes, kHeld / bytes * bytes); }

void pin_by_allocation(State& state) { sample_allocation(state, held_bytes(state.range(0)) / state.range(0)); }

// One block that is given back and taken again. The driver may not have unlocked its pages in between: then this is
// what asking for them costs, and not what pinning does.
void pin_again(State& state) { sample_allocation(state, 1); }

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

Sweep sizes() { return {.quick = {1_MiB, 16_MiB}, .standard = {64_KiB, 64_MiB}, .full = {4_KiB, 256_MiB, 1_GiB}}; }

}  // namespace

void register_pin() {
  add("transfer/pin/op:alloc", pin_by_allocation)
      .sweep("bytes", sizes())
      .memory([](const std::vector<std::int64_t>& args) {
        return harness::Memory{.device_bytes = args[0], .host_bytes = held_bytes(args[0]) + 2 * args[0]};
      })
      .advice("pin-memory", Role::variant, "pin", "alloc");
  add("transfer/pin/op:alloc_again", pin_again)
      .sweep("bytes", {.quick = {1_MiB}, .standard = {64_KiB, 16_MiB}, .full = {4_KiB, 64_MiB}})
      .memory(per_byte(1, 3))
      .advice("pin-memory", Role::variant, "pin", "alloc_again");
  add("transfer/pin/op:register", pin_by_registration)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 3))
      .advice("pin-memory", Role::variant, "pin", "register");
}

}  // namespace cupel::bench::transfer
