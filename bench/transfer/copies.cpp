// Bandwidth against size: to the device, from it, both at once, and inside it. Pinned memory is what the link can do;
// pageable memory is what a program gets that never thought about it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "bench/transfer/check.hpp"
#include "bench/transfer/companion.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/limits.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sample_device.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using harness::add;
using harness::Body;
using harness::Profile;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using harness::operator""_GiB;
using record::Role;

// Quick ends where the link is within a few parts in a thousand of its full rate, and a pageable copy takes under 10
// ms.
Sweep sizes() {
  return {.quick = {4_KiB, 64_KiB, 1_MiB, 16_MiB, 64_MiB},
          .standard = {256_KiB, 4_MiB, 256_MiB, 1_GiB},
          .full = harness::powers(4_KiB, 1_GiB, 2)};
}

// For kinds of memory that are variants of pinned memory and were like it in every row (H200). Up to 64 MiB, where the
// link is within 0.3 % of its full rate; to pin a gibibyte of each for each direction is for the full profile.
Sweep sizes_of_variants() {
  Sweep sweep = sizes();
  sweep.quick = {16_MiB};
  sweep.standard = {4_KiB, 64_KiB, 1_MiB, 64_MiB};
  return sweep;
}

// Both ways at once from pageable memory 64 MiB take longer than all else in the quick profile.
Sweep sizes_both_ways() {
  Sweep sweep = sizes();
  sweep.quick = {4_KiB, 64_KiB, 256_KiB, 1_MiB, 16_MiB};
  sweep.standard = {4_MiB, 64_MiB, 256_MiB, 1_GiB};
  return sweep;
}

// Inside the device, 64 MiB would lie in the L2 cache of a large GPU, and 4 KiB take as long as 64.
Sweep sizes_inside_device() {
  Sweep sweep = sizes();
  sweep.quick = {64_KiB, 1_MiB, 16_MiB, 256_MiB};
  sweep.standard = {4_KiB, 256_KiB, 4_MiB, 64_MiB, 1_GiB};
  return sweep;
}

void copy_to_device(State& state, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  const std::uint32_t* source = host_memory(kind, Side::source, bytes);
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  poison_device(destination, bytes);
  timing::set_link_limit();

  sample_copy(state, {kind, Direction::to_device}, {.bytes_moved = bytes},
              [=](cudaStream_t stream) { copy_async(destination, source, bytes, cudaMemcpyHostToDevice, stream); });

  require_on_device(destination, bytes, source_pattern(), "copy to the device");
}

void copy_from_device(State& state, HostMemory kind) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* source = device_memory(Side::source, bytes);
  std::uint32_t* destination = host_memory(kind, Side::destination, bytes);
  const auto pattern = fresh_pattern();
  fill_device(source, bytes, pattern);
  timing::set_link_limit();

  sample_copy(state, {kind, Direction::from_device}, {.bytes_moved = bytes},
              [=](cudaStream_t stream) { copy_async(destination, source, bytes, cudaMemcpyDeviceToHost, stream); });

  require_on_host(destination, bytes, pattern, "copy from the device");
}

// As a program gets that asks for a copy and not for a place: memory of the C library's, made for each copy, whose
// pages the copy is the first to touch. So much of it is mapped anew each time.
void copy_into_new_memory(State& state) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* source = device_memory(Side::source, bytes);
  const auto pattern = fresh_pattern();
  fill_device(source, bytes, pattern);
  timing::set_link_limit();
  std::unique_ptr<std::uint32_t[]> destination;

  sample_to_completion(state, HostMemory::pageable, {.bytes_moved = bytes}, [&](cudaStream_t stream) {
    destination.reset();
    destination = std::make_unique_for_overwrite<std::uint32_t[]>(static_cast<std::size_t>(words(bytes)));
    copy_async(destination.get(), source, bytes, cudaMemcpyDeviceToHost, stream);
  });

  require_on_host(destination.get(), bytes, pattern, "copy from the device into new memory");
}

// Both directions of one size, to and from memory of one kind.
struct Pair {
  Pair(HostMemory kind, std::int64_t size)
      : bytes(size),
        host_source(host_memory(kind, Side::source, bytes)),
        host_destination(host_memory(kind, Side::destination, bytes)),
        device_source(device_memory(Side::source, bytes)),
        device_destination(device_memory(Side::destination, bytes)),
        pattern(fresh_pattern()) {
    fill_device(device_source, bytes, pattern);
    poison_device(device_destination, bytes);
  }

  void up(cudaStream_t stream) const {
    copy_async(device_destination, host_source, bytes, cudaMemcpyHostToDevice, stream);
  }
  void down(cudaStream_t stream) const {
    copy_async(host_destination, device_source, bytes, cudaMemcpyDeviceToHost, stream);
  }

  void require_both() const {
    require_on_device(device_destination, bytes, source_pattern(), "copy to the device beside one from it");
    require_on_host(host_destination, bytes, pattern, "copy from the device beside one to it");
  }

  std::int64_t bytes;
  const std::uint32_t* host_source;
  std::uint32_t* host_destination;
  std::uint32_t* device_source;
  std::uint32_t* device_destination;
  kernels::transfer::Pattern pattern;
};

// One stream a direction, with no order between them, as in a program that loads the next batch while it saves the last
// result. A fork and a join by events would be in the time of each pair: 11 us on an H200, where 64 KiB take 4.
void copy_both_ways(State& state, HostMemory kind) {
  const Pair pair(kind, state.range(0));
  const cudaStream_t beside = timing::Rig::get().beside();
  timing::set_link_limit(2);

  sample_copy(state, {kind, Direction::from_device, true}, {.bytes_moved = 2 * pair.bytes}, [&](cudaStream_t stream) {
    pair.up(beside);
    pair.down(stream);
  });

  pair.require_both();
}

// A pageable copy keeps its caller until it is nearly done: one host thread a direction.
void copy_pageable_both_ways(State& state) {
  const Pair pair(HostMemory::pageable, state.range(0));
  const cuda::Stream up, down;
  const int device = cuda::current_device();
  Companion companion([&] {
    cuda::check(cudaSetDevice(device));
    pair.down(down);
    down.synchronize();
  });
  timing::set_link_limit(2);

  harness::sample_host(
      state, {.bytes_moved = 2 * pair.bytes},
      [&] {
        companion.start();
        pair.up(up);
        up.synchronize();
        companion.finish();
      },
      host_sampling(HostMemory::pageable, pair.bytes));

  pair.require_both();
}

// A copy to go before a copy inside the device, in memory of its own: whichever engine the driver gives such copies to,
// the stream is on it then.
void prime_inside_device(std::int64_t bytes, cudaStream_t stream) {
  static auto& spare = *new cuda::DeviceBuffer<std::uint32_t>(static_cast<std::size_t>(words(128_KiB)));
  copy_async(spare.data() + words(64_KiB), spare.data(), std::min(bytes, 64_KiB), cudaMemcpyDeviceToDevice, stream);
}

// Reads and writes device memory: both are counted, so that the rate can be held against the memory's peak.
void copy_inside_device(State& state) {
  const std::int64_t bytes = state.range(0);
  std::uint32_t* source = device_memory(Side::source, bytes);
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  const auto pattern = fresh_pattern();
  fill_device(source, bytes, pattern);
  poison_device(destination, bytes);
  const bool beyond_cache = timing::set_memory_limit(2 * bytes);
  harness::set_note("bytes read and bytes written are both counted");

  // With the floor of a kernel, as which the driver is known to copy inside a device.
  timing::sample_device(
      state, {.bytes_read = bytes, .bytes_written = bytes},
      [=](cudaStream_t stream) { copy_async(destination, source, bytes, cudaMemcpyDeviceToDevice, stream); },
      {.engine = timing::Engine::kernel,
       .cold = !beyond_cache,
       .hot = beyond_cache || bytes <= kShortCopy,
       .prime = [=](cudaStream_t stream) { prime_inside_device(bytes, stream); },
       .host_too = true});

  require_on_device(destination, bytes, pattern, "copy inside the device");
}

Body to_device(HostMemory kind) {
  return [kind](State& state) { copy_to_device(state, kind); };
}
Body from_device(HostMemory kind) {
  return [kind](State& state) { copy_from_device(state, kind); };
}
Body both_ways(HostMemory kind) {
  return [kind](State& state) { copy_both_ways(state, kind); };
}

void register_to_device() {
  add("transfer/h2d/memory:pageable", to_device(HostMemory::pageable))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("pin-memory", Role::before, "h2d")
      .advice("bandwidth", Role::variant, "h2d", "pageable");
  add("transfer/h2d/memory:pinned", to_device(HostMemory::pinned))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("pin-memory", Role::after, "h2d")
      .advice("bandwidth", Role::variant, "h2d", "pinned");
  add("transfer/h2d/memory:write_combined", to_device(HostMemory::write_combined))
      .sweep("bytes", sizes_of_variants())
      .memory(per_byte(1, 1))
      .advice("pin-memory", Role::variant, "h2d", "write_combined")
      .advice("bandwidth", Role::variant, "h2d", "write_combined");
  add("transfer/h2d/memory:registered", to_device(HostMemory::registered))
      .sweep("bytes", sizes_of_variants())
      .memory(per_byte(1, 1))
      .advice("pin-memory", Role::variant, "h2d", "registered")
      .advice("bandwidth", Role::variant, "h2d", "registered");
}

// Twice the device memory: what arrived is copied back to be checked.
void register_from_device() {
  add("transfer/d2h/memory:pageable", from_device(HostMemory::pageable))
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("pin-memory", Role::before, "d2h")
      .advice("bandwidth", Role::variant, "d2h", "pageable");
  add("transfer/d2h/memory:new", copy_into_new_memory)
      .from(Profile::standard)
      .sweep("bytes", {.quick = {100_MiB}})
      .memory(per_byte(2, 1))
      .advice("bandwidth", Role::variant, "d2h", "new");
  add("transfer/d2h/memory:pinned", from_device(HostMemory::pinned))
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1))
      .advice("pin-memory", Role::after, "d2h")
      .advice("bandwidth", Role::variant, "d2h", "pinned");
  add("transfer/d2h/memory:write_combined", from_device(HostMemory::write_combined))
      .from(Profile::standard)
      .sweep("bytes", sizes_of_variants())
      .memory(per_byte(2, 1))
      .advice("pin-memory", Role::variant, "d2h", "write_combined")
      .advice("bandwidth", Role::variant, "d2h", "write_combined");
  add("transfer/d2h/memory:registered", from_device(HostMemory::registered))
      .sweep("bytes", sizes_of_variants())
      .memory(per_byte(2, 1))
      .advice("pin-memory", Role::variant, "d2h", "registered")
      .advice("bandwidth", Role::variant, "d2h", "registered");
}

void register_both_ways() {
  add("transfer/bidirectional/memory:pageable", copy_pageable_both_ways)
      .sweep("bytes", sizes_both_ways())
      .memory(per_byte(2, 2))
      .advice("pin-memory", Role::before, "bidirectional")
      .advice("bandwidth", Role::variant, "bidirectional", "pageable");
  add("transfer/bidirectional/memory:pinned", both_ways(HostMemory::pinned))
      .sweep("bytes", sizes_both_ways())
      .memory(per_byte(2, 2))
      .advice("pin-memory", Role::after, "bidirectional")
      .advice("bandwidth", Role::variant, "bidirectional", "pinned");
  add("transfer/bidirectional/memory:write_combined", both_ways(HostMemory::write_combined))
      .from(Profile::standard)
      .sweep("bytes", sizes_of_variants())
      .memory(per_byte(2, 2))
      .advice("pin-memory", Role::variant, "bidirectional", "write_combined")
      .advice("bandwidth", Role::variant, "bidirectional", "write_combined");
  add("transfer/bidirectional/memory:registered", both_ways(HostMemory::registered))
      .from(Profile::standard)
      .sweep("bytes", sizes_of_variants())
      .memory(per_byte(2, 2))
      .advice("pin-memory", Role::variant, "bidirectional", "registered")
      .advice("bandwidth", Role::variant, "bidirectional", "registered");
}

}  // namespace

void register_copies() {
  register_to_device();
  register_from_device();
  register_both_ways();
  add("transfer/d2d", copy_inside_device)
      .sweep("bytes", sizes_inside_device())
      .memory(per_byte(2, 0))
      .advice("bandwidth", Role::variant, "d2d", "d2d");
}

}  // namespace cupel::bench::transfer
