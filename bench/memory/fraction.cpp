// A cap on what the process may take: what allocating below it costs, and what happens past it.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/memory/pool.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::memory {
namespace {

using cuda::check;
using harness::operator""_MiB;
using harness::operator""_GiB;

void take_all(benchmark::State& state, const Pool& pool, std::int64_t bytes) {
  const cuda::Stream stream;
  harness::sample_host(state, {.items = 1},
                       [&] {
                         void* p = pool.allocate(bytes, stream);
                         check(cudaFreeAsync(p, stream));
                         stream.synchronize();
                       },
                       {.calls = 1});
}

void without_cap(benchmark::State& state) { take_all(state, Pool(Keep::everything), state.range(0)); }

void below_cap(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  take_all(state, Pool(Keep::everything, bytes), bytes);
}

// A pool that is full refuses, says why, and goes on afterwards.
void past_cap(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Pool pool(Keep::everything, bytes);
  const cuda::Stream stream;
  void* all = pool.allocate(bytes, stream);
  stream.synchronize();
  void* more = nullptr;
  cudaError_t code = cudaSuccess;

  harness::sample_host(
      state, {.items = 1},
      [&] { code = cudaMallocFromPoolAsync(&more, static_cast<std::size_t>(bytes), pool.get(), stream); },
      {.after = [] { cudaGetLastError(); }, .calls = 1});

  harness::require(code == cudaErrorMemoryAllocation,
                   std::string("past its cap the pool answered ") + cudaGetErrorName(code));
  check(cudaFreeAsync(all, stream));
  void* again = pool.allocate(bytes, stream);
  check(cudaFreeAsync(again, stream));
  stream.synchronize();
}

harness::Definition& with_sizes(harness::Definition& definition) {
  return definition.sweep("bytes", {.quick = {64_MiB}, .standard = {1_GiB}})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = args[0]}; });
}

}  // namespace

void register_fraction() {
  using record::Role;
  with_sizes(harness::add("memory/fraction/cap:none", without_cap)).advice("memory-fraction", Role::before, "allocate");
  with_sizes(harness::add("memory/fraction/cap:met", below_cap)).advice("memory-fraction", Role::after, "allocate");
  with_sizes(harness::add("memory/fraction/cap:passed", past_cap))
      .advice("memory-fraction", Role::variant, "allocate", "refused");
}

}  // namespace cupel::bench::memory
