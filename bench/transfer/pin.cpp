// What pinning costs, and how many copies it takes until the faster copies have paid for it.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/stats/quantile.hpp"

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

// By how much a copy to the device from pinned memory is faster. Once a process and size.
double gain_per_copy_s(std::int64_t bytes) {
  static std::map<std::int64_t, double> known;
  const auto [entry, fresh] = known.try_emplace(bytes, 0.0);
  if (fresh) entry->second = copy_time_s(HostMemory::pageable, bytes) - copy_time_s(HostMemory::pinned, bytes);
  return entry->second;
}

void count_copies_until_paid(double pinning_s, std::int64_t bytes) {
  const double gain_s = gain_per_copy_s(bytes);
  if (gain_s <= 0) {
    harness::set_note("copies from pinned memory are not faster here: pinning never pays");
    return;
  }
  harness::set_counter("copies_until_paid", {.value = pinning_s / gain_s, .unit = "count"});
}

// Samples `pin`, and gives the price of pinning: the median time of it and of `release`, which is outside the samples.
template <class Pin, class Release>
double sample_pinning(State& state, const Pin& pin, const Release& release) {
  harness::Clock::time_point start;
  std::vector<double> prices_s;
  harness::sample_host(state, {.items = 1}, pin,
                       {.before = [&] { start = harness::Clock::now(); },
                        .after =
                            [&] {
                              release();
                              prices_s.push_back(harness::seconds_since(start));
                            },
                        .calls = 1,
                        .warm_up = harness::calls_of_earlier_rounds(record::Mode::host) > 0 ? 0 : 1});
  return stats::median(prices_s);
}

void require_page_locked(const void* p) {
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, p));
  harness::require(attributes.type == cudaMemoryTypeHost, "the memory is not page-locked");
}

// cudaHostAlloc: finds the pages, clears them, locks them and maps them for the device.
void pin_by_allocation(State& state) {
  const std::int64_t bytes = state.range(0);
  std::optional<HostBlock> block;
  const auto allocate = [&] { block = allocate_host(HostMemory::pinned, bytes); };
  const auto release = [&] {
    require_page_locked(block->get());
    block.reset();
  };

  count_copies_until_paid(sample_pinning(state, allocate, release), bytes);
}

// Not the pages that other benchmarks copy from: having been locked may leave its marks on them. Made once a process
// and size: touching pages takes longer than locking them a dozen times.
std::uint32_t* pages_to_lock(std::int64_t bytes) {
  static auto& known = *new std::map<std::int64_t, HostBlock>;
  auto found = known.find(bytes);
  if (found == known.end()) found = known.emplace(bytes, allocate_host(HostMemory::pageable, bytes)).first;
  return found->second.get();
}

// cudaHostRegister: locks and maps pages that are there already.
void pin_by_registration(State& state) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* pages = pages_to_lock(bytes);
  const auto lock = [&] { page_lock(pages, bytes); };
  const auto unlock = [&] {
    require_page_locked(pages);
    check(cudaHostUnregister(pages));
  };

  count_copies_until_paid(sample_pinning(state, lock, unlock), bytes);
}

Sweep sizes() { return {.quick = {1_MiB, 16_MiB}, .standard = {64_KiB, 64_MiB}, .full = {4_KiB, 256_MiB, 1_GiB}}; }

}  // namespace

void register_pin() {
  add("transfer/pin/op:alloc", pin_by_allocation)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 3))
      .advice("pin-memory", Role::variant, "pin", "alloc");
  add("transfer/pin/op:register", pin_by_registration)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 3))
      .advice("pin-memory", Role::variant, "pin", "register");
}

}  // namespace cupel::bench::transfer
