// An allocation from a pool that has the memory, and from one that was emptied before, as empty_cache() in a training
// loop does.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "bench/memory/pool.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"

namespace cupel::bench::memory {
namespace {

using harness::operator""_MiB;
using harness::operator""_GiB;

// Takes a buffer, gives it back, waits.
void take_and_return(const Pool& pool, std::int64_t bytes, const cuda::Stream& stream) {
  void* p = pool.allocate(bytes, stream);
  cuda::check(cudaFreeAsync(p, stream));
  stream.synchronize();
}

void keep(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Pool pool(Keep::everything);
  const cuda::Stream stream;

  harness::sample_host(state, {.items = 1}, [&] { take_and_return(pool, bytes, stream); }, {.calls = 1});

  harness::require(pool.reserved_bytes() >= bytes, "the pool gave its memory back though it should keep it");
}

// Emptying is in the time: it is what the advice adds to the loop.
void empty(benchmark::State& state) {
  const std::int64_t bytes = state.range(0);
  const Pool pool(Keep::everything);
  const cuda::Stream stream;

  harness::sample_host(state, {.items = 1},
                       [&] {
                         take_and_return(pool, bytes, stream);
                         pool.trim();
                       },
                       {.calls = 1});

  harness::require(pool.reserved_bytes() == 0, "the pool holds memory after it was emptied");
}

harness::Definition& with_sizes(harness::Definition& definition) {
  return definition.sweep("bytes", {.quick = {16_MiB}, .standard = {1_GiB}, .full = {2_MiB, 256_MiB}})
      .memory([](const std::vector<std::int64_t>& args) { return harness::Memory{.device_bytes = args[0]}; });
}

}  // namespace

void register_empty_cache() {
  using record::Role;
  with_sizes(harness::add("memory/empty_cache/cache:kept", keep)).advice("empty-cache", Role::before, "step");
  with_sizes(harness::add("memory/empty_cache/cache:emptied", empty)).advice("empty-cache", Role::after, "step");
}

}  // namespace cupel::bench::memory
