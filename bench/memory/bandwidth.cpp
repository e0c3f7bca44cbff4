// The bandwidth of the device's memory, by what is done with it. Sizes that fit the L2 cache come from it where they
// are hot.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "bench/memory/arrays.hpp"
#include "bench/memory/checksum.hpp"
#include "bench/memory/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/memory/memory.hpp"

namespace cupel::bench::memory {
namespace {

using benchmark::State;
using harness::add;
using harness::Profile;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

constexpr float kFactor = 0.5f;  // a power of two: the triad has one rounding, whatever the compiler contracts

std::uint32_t* words(float* data) { return reinterpret_cast<std::uint32_t*>(data); }

// Overwrites what an earlier benchmark left. Blocks: streams that do not wait for the legacy one write next.
void poison(float* out, std::int64_t bytes) {
  cuda::check(cudaMemset(out, 0xA5, static_cast<std::size_t>(bytes)));
  cuda::check(cudaDeviceSynchronize());
}

// Work that writes more than the cache holds is measured back to back alone: by itself it would end before the cache
// has handed on what was written last, up to the cache's size, and be faster than the memory. Back to back each call
// pays for what the one before left.
timing::DeviceSampling sampling(bool beyond_cache) { return {.cold = !beyond_cache}; }

void read_once(State& state) {
  const std::int64_t bytes = state.range(0);
  float* data = device_memory(Slot::first, bytes);
  fill_inputs(Slot::first, floats(bytes));
  Checksum sum;
  const bool beyond_cache = timing::set_memory_limit(bytes);

  timing::sample_device(state, {.bytes_read = bytes},
                        [&](cudaStream_t stream) {
                          kernels::memory::read(words(data), floats(bytes), sum.data(), stream);
                          sum.count_call();
                        },
                        {.hot = !beyond_cache});

  // Adding up a gibibyte on the host takes a second: of large arrays it adds up the first part, and the device all
  // parts.
  const std::int64_t part_bytes = std::min(bytes, 64_MiB);
  Checksum part, parts;
  const cuda::Stream stream;
  kernels::memory::read(words(data), floats(part_bytes), part.data(), stream);
  part.count_call();
  part.require(data, floats(part_bytes), 1, "read of the first 64 MiB");
  for (std::int64_t first = 0; first < bytes; first += part_bytes) {
    kernels::memory::read(words(data + floats(first)), floats(std::min(part_bytes, bytes - first)), parts.data(),
                          stream);
  }
  stream.synchronize();
  sum.require(parts.value() * static_cast<std::uint32_t>(sum.calls()), "read");
}

void write_once(State& state) {
  const std::int64_t bytes = state.range(0);
  float* out = device_memory(Slot::third, bytes);
  constexpr std::uint32_t kOnePointFive = 0x3FC00000u;
  poison(out, bytes);
  const bool beyond_cache = timing::set_memory_limit(bytes);

  timing::sample_device(
      state, {.bytes_written = bytes},
      [&](cudaStream_t stream) { kernels::memory::write(words(out), floats(bytes), kOnePointFive, stream); },
      sampling(beyond_cache));

  require_elements(
      out, floats(bytes), [](std::int64_t) { return 1.5f; }, {.factor = 1.5f}, "write");
}

void copy(State& state) {
  const std::int64_t bytes = state.range(0);
  const float* in = device_memory(Slot::first, bytes);
  float* out = device_memory(Slot::third, bytes);
  fill_inputs(Slot::first, floats(bytes));
  poison(out, bytes);
  const bool beyond_cache = timing::set_memory_limit(2 * bytes);

  timing::sample_device(
      state, {.bytes_read = bytes, .bytes_written = bytes},
      [&](cudaStream_t stream) { kernels::memory::copy(in, out, floats(bytes), stream); }, sampling(beyond_cache));

  require_elements(
      out, floats(bytes), [](std::int64_t i) { return input_at(Slot::first, i); },
      {.kind = RightElements::Kind::copy, .first = seed_of(Slot::first)}, "copy");
}

void triad(State& state) {
  const std::int64_t bytes = state.range(0);
  const float* a = device_memory(Slot::first, bytes);
  const float* b = device_memory(Slot::second, bytes);
  float* out = device_memory(Slot::third, bytes);
  fill_inputs(Slot::first, floats(bytes));
  fill_inputs(Slot::second, floats(bytes));
  poison(out, bytes);
  const bool beyond_cache = timing::set_memory_limit(3 * bytes);

  timing::sample_device(
      state, {.bytes_read = 2 * bytes, .bytes_written = bytes, .flops = 2 * floats(bytes)},
      [&](cudaStream_t stream) { kernels::memory::triad(a, b, kFactor, out, floats(bytes), stream); },
      sampling(beyond_cache));

  const auto expected = [](std::int64_t i) {
    return std::fma(kFactor, input_at(Slot::second, i), input_at(Slot::first, i));
  };
  require_elements(out, floats(bytes), expected,
                   {.kind = RightElements::Kind::triad,
                    .factor = kFactor,
                    .first = seed_of(Slot::first),
                    .second = seed_of(Slot::second)},
                   "triad");
}

// Words that lie `stride` words apart: the bytes that are counted are those that are wanted.
void gather(State& state) {
  const std::int64_t stride = state.range(0);
  const std::int64_t bytes = 256_MiB, count = floats(bytes) / stride;
  float* in = device_memory(Slot::first, bytes);
  float* out = device_memory(Slot::third, bytes);
  fill_inputs(Slot::first, floats(bytes));
  poison(out, bytes);
  timing::set_memory_limit(bytes + 4 * count);

  timing::sample_device(state, {.bytes_read = 4 * count, .bytes_written = 4 * count}, [&](cudaStream_t stream) {
    kernels::memory::gather(words(in), stride, words(out), count, stream);
  });

  require_elements(
      out, count, [&](std::int64_t i) { return input_at(Slot::first, i * stride); },
      {.kind = RightElements::Kind::copy, .stride = stride, .first = seed_of(Slot::first)}, "gather");
}

Sweep sizes() {
  return {.quick = {16_MiB, 256_MiB}, .standard = {1_MiB, 1_GiB}, .full = harness::powers(64_KiB, 1_GiB, 2)};
}

std::function<harness::Memory(const std::vector<std::int64_t>&)> arrays(std::int64_t count) {
  return [count](const std::vector<std::int64_t>& args) {
    return harness::Memory{.device_bytes = count * args[0], .host_bytes = std::min(args[0], 64_MiB)};
  };
}

}  // namespace

void register_bandwidth() {
  add("memory/limits/read", read_once)
      .sweep("bytes", sizes())
      .memory(arrays(1))
      .advice("device-limits", Role::variant, "bandwidth", "read");
  add("memory/limits/write", write_once)
      .sweep("bytes", sizes())
      .memory(arrays(1))
      .advice("device-limits", Role::variant, "bandwidth", "write");
  add("memory/limits/copy", copy)
      .sweep("bytes", sizes())
      .memory(arrays(2))
      .advice("device-limits", Role::variant, "bandwidth", "copy");
  add("memory/limits/triad", triad)
      .sweep("bytes", sizes())
      .memory(arrays(3))
      .advice("device-limits", Role::variant, "bandwidth", "triad");
  add("memory/limits/gather", gather)
      .sweep("stride", {.quick = {1, 8}, .standard = {2, 32}, .full = {4, 16}})
      .memory([](const std::vector<std::int64_t>&) { return harness::Memory{.device_bytes = 2 * 256_MiB}; })
      .advice("device-limits", Role::variant, "stride", "gather");
}

}  // namespace cupel::bench::memory
