// A new array on the device: filled on the host and copied, or filled by a kernel where it is.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <span>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/sample_device.hpp"
#include "kernels/transfer/reference.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using harness::add;
using harness::Body;
using harness::Profile;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using kernels::transfer::Pattern;
using record::Role;

enum class Content {
  constant,  ///< as of zeros, ones, full
  random,    ///< as of rand: the same counter-based generator on both sides
};

Pattern pattern_of(Content content) {
  Pattern pattern = fresh_pattern();
  // A constant that the call before did not write.
  if (content == Content::constant) pattern.map = {0, static_cast<std::uint32_t>(pattern.seed >> 32)};
  return pattern;
}

// One thread, as the frameworks' CPU generators are.
void fill_host(std::span<std::uint32_t> data, Content content, const Pattern& pattern) {
  if (content == Content::constant) {
    std::ranges::fill(data, pattern.map.increment);
  } else {
    kernels::transfer::reference::fill_pattern(data, pattern);
  }
}

void fill_on_host(State& state, Content content, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  const std::span host(host_memory(kind, Side::destination, bytes), static_cast<std::size_t>(words(bytes)));
  std::uint32_t* device = device_memory(Side::destination, bytes);
  const Pattern pattern = pattern_of(content);
  poison_device(device, bytes);

  sample_to_completion(state, kind, {.bytes_written = bytes, .items = words(bytes)}, [&](cudaStream_t stream) {
    fill_host(host, content, pattern);
    copy_async(device, host.data(), bytes, cudaMemcpyHostToDevice, stream);
  });

  require_on_device(device, bytes, pattern, "array filled on the host");
}

void fill_on_device(State& state, Content content) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* device = device_memory(Side::destination, bytes);
  const Pattern pattern = pattern_of(content);
  poison_device(device, bytes);
  const bool beyond_cache = timing::set_memory_limit(bytes);

  timing::sample_device(state, {.bytes_written = bytes, .items = words(bytes)},
                        [&](cudaStream_t stream) {
                          if (content == Content::constant) {
                            kernels::transfer::fill_constant(device, words(bytes), pattern.map.increment, stream);
                          } else {
                            kernels::transfer::fill_pattern(device, words(bytes), pattern, 0, stream);
                          }
                        },
                        {.cold = !beyond_cache, .hot = beyond_cache || bytes <= kShortCopy, .host_too = true});

  require_on_device(device, bytes, pattern, "array filled on the device");
}

Body on_host(Content content, HostMemory kind) {
  return [=](State& state) { fill_on_host(state, content, kind); };
}
Body on_device(Content content) {
  return [=](State& state) { fill_on_device(state, content); };
}

// 256 MiB of random numbers take one thread 0.16 s a time, for a gain that is past a hundred at 16 MiB (H200).
Sweep sizes() { return {.quick = {64_KiB, 16_MiB}, .standard = {4_KiB, 1_MiB}, .full = {256_MiB}}; }

}  // namespace

void register_fill() {
  add("transfer/fill/content:constant/place:host/memory:pageable", on_host(Content::constant, HostMemory::pageable))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("create-on-device", Role::before, "content:constant");
  add("transfer/fill/content:constant/place:host/memory:pinned", on_host(Content::constant, HostMemory::pinned))
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("create-on-device", Role::variant, "content:constant", "pinned");
  add("transfer/fill/content:constant/place:device", on_device(Content::constant))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 0))
      .advice("create-on-device", Role::after, "content:constant");
  add("transfer/fill/content:random/place:host/memory:pageable", on_host(Content::random, HostMemory::pageable))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("create-on-device", Role::before, "content:random");
  add("transfer/fill/content:random/place:host/memory:pinned", on_host(Content::random, HostMemory::pinned))
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("create-on-device", Role::variant, "content:random", "pinned");
  add("transfer/fill/content:random/place:device", on_device(Content::random))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 0))
      .advice("create-on-device", Role::after, "content:random");
}

}  // namespace cupel::bench::transfer
