// The rate of the L2 for a set of lines that is read again and again, by who shares a line: all multiprocessors, which
// each come by all of the set, or none, since each block keeps to a part of its own.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "bench/memory/arrays.hpp"
#include "bench/memory/checksum.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/memory/read_again.hpp"
#include "kernels/memory/reference.hpp"

namespace cupel::bench::memory {
namespace {

using benchmark::State;
using harness::add;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

// In a launch, whatever the set: then it lasts more than a millisecond, of which its begin and end are a hundredth at
// most (of 256 MiB they were a tenth, H200). Each set goes into it a whole number of times.
constexpr std::int64_t kRead = 12_GiB;

template <class T>
cuda::DeviceBuffer<T> zeros(int count) {
  const std::vector<T> host(static_cast<std::size_t>(count));
  return cuda::DeviceBuffer<T>(std::span<const T>(host));
}

const std::uint32_t* inputs(std::int64_t bytes) {
  const float* data = device_memory(Slot::first, bytes);
  fill_inputs(Slot::first, floats(bytes));
  timing::set_memory_limit(bytes);
  return reinterpret_cast<const std::uint32_t*>(data);
}

void sample(State& state, std::int64_t bytes, Checksum& sum, const std::function<void(cudaStream_t)>& read) {
  timing::sample_device(state, {.bytes_read = kRead / bytes * bytes},
                        [&](cudaStream_t stream) {
                          read(stream);
                          sum.count_call();
                        },
                        {.cold = false});
}

void shared_by_all(State& state) {
  const std::int64_t bytes = state.range(0), times = kRead / bytes;
  const std::uint32_t* words = inputs(bytes);
  Checksum sum;

  sample(state, bytes, sum,
         [&](cudaStream_t stream) { kernels::memory::read_again(words, floats(bytes), times, sum.data(), stream); });

  sum.require(device_memory(Slot::first, bytes), floats(bytes), times, "reading again");
}

void shared_by_none(State& state) {
  const std::int64_t bytes = state.range(0), times = kRead / bytes;
  const std::uint32_t* words = inputs(bytes);
  auto turns = zeros<std::uint64_t>(kernels::memory::parts_of_device());
  auto ticket = zeros<std::uint32_t>(1);
  Checksum sum;

  sample(state, bytes, sum, [&](cudaStream_t stream) {
    kernels::memory::read_parts(words, floats(bytes), times, turns.data(), ticket.data(), sum.data(), stream);
  });

  const std::vector<std::uint64_t> read = turns.to_host();
  const std::int64_t tiles = static_cast<std::int64_t>(std::accumulate(read.begin(), read.end(), std::uint64_t{0}));
  const std::int64_t should = sum.calls() * times * floats(bytes) / kernels::memory::kTileWords;
  harness::require(tiles == should,
                   "reading parts: " + std::to_string(tiles) + " tiles were read, not " + std::to_string(should));
  const std::vector<std::uint32_t> host = words_on_host(device_memory(Slot::first, bytes), floats(bytes));
  sum.require(kernels::memory::reference::sum_of_turns(host, read), "reading parts");
}

harness::Memory memory_of(const std::vector<std::int64_t>& args) {
  return {.device_bytes = args[0], .host_bytes = args[0]};
}

}  // namespace

void register_read_again() {
  // Around the sizes of L2 caches and of their halves.
  add("memory/l2/read/sharing:all", shared_by_all)
      .sweep(
          "bytes",
          {.quick = {16_MiB}, .standard = {2_MiB, 32_MiB, 48_MiB, 64_MiB}, .full = harness::powers(1_MiB, 128_MiB, 2)})
      .memory(memory_of)
      .advice("device-limits", Role::variant, "l2", "all");
  // From as many bytes on as give each block a tile of its own.
  add("memory/l2/read/sharing:own", shared_by_none)
      .from(harness::Profile::standard)
      .sweep("bytes", {.quick = {}, .standard = {16_MiB, 32_MiB, 48_MiB, 64_MiB}, .full = {128_MiB}})
      .memory(memory_of)
      .advice("device-limits", Role::variant, "l2", "own");
}

}  // namespace cupel::bench::memory
