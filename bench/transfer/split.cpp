// Many small copies against one large one of the same bytes, packed on the host before, and against the call that takes
// them all at once.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bench/transfer/check.hpp"
#include "bench/transfer/copy.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using harness::add;
using harness::Body;
using harness::Profile;
using harness::Sweep;
using harness::operator""_KiB;
using harness::operator""_MiB;
using record::Role;

// The whole block in `copies` pieces of equal size, each where it belongs.
struct Pieces {
  Pieces(std::uint32_t* destination, const std::uint32_t* source, std::int64_t bytes, int copies) {
    const std::int64_t each = bytes / copies;
    for (int i = 0; i < copies; ++i) {
      destinations.push_back(destination + words(each) * i);
      sources.push_back(source + words(each) * i);
      sizes.push_back(static_cast<std::size_t>(each));
    }
  }

  std::vector<void*> destinations;
  std::vector<const void*> sources;
  std::vector<std::size_t> sizes;
};

void copy_one_by_one(const Pieces& pieces, cudaStream_t stream) {
  for (std::size_t i = 0; i < pieces.sizes.size(); ++i) {
    check(cudaMemcpyAsync(pieces.destinations[i], pieces.sources[i], pieces.sizes[i], cudaMemcpyHostToDevice, stream));
  }
}

cudaError_t batched_copy(const Pieces& pieces, cudaStream_t stream) {
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first_of_attributes = 0;
  return cudaMemcpyBatchAsync(pieces.destinations.data(), pieces.sources.data(), pieces.sizes.data(),
                              pieces.sizes.size(), &attributes, &first_of_attributes, 1, stream);
}

// A toolkit that has the call may meet a driver that does not.
void require_batched_copy(const Pieces& pieces) {
  const cuda::Stream stream;
  cuda::check(batched_copy(pieces, stream), "the driver has no batched copy");
  stream.synchronize();
}

// Copies the pieces one by one from pageable memory into memory of this kind, beside each other, and that to the
// device.
void packed_to_device(State& state, HostMemory kind, int copies) {
  const std::int64_t bytes = state.range(0);
  const std::uint32_t* source = host_memory(HostMemory::pageable, Side::source, bytes);
  std::uint32_t* packed = host_memory(kind, Side::destination, bytes);
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  const Pieces pieces(packed, source, bytes, copies);
  poison_device(destination, bytes);
  timing::set_link_limit();

  sample_to_completion(state, kind, {.bytes_moved = bytes}, [&](cudaStream_t stream) {
    for (std::size_t i = 0; i < pieces.sizes.size(); ++i) {
      std::memcpy(pieces.destinations[i], pieces.sources[i], pieces.sizes[i]);
    }
    copy_async(destination, packed, bytes, cudaMemcpyHostToDevice, stream);
  });

  require_on_device(destination, bytes, source_pattern(), "copy of what was packed");
}

// By the host's clock, until the last piece has arrived: what many copies cost is the calls more than the link.
void split_to_device(State& state, HostMemory kind, int copies, bool batched) {
  const std::int64_t bytes = state.range(0);
  const std::uint32_t* source = host_memory(kind, Side::source, bytes);
  std::uint32_t* destination = device_memory(Side::destination, bytes);
  const Pieces pieces(destination, source, bytes, copies);
  if (batched) require_batched_copy(pieces);
  poison_device(destination, bytes);
  timing::set_link_limit();

  sample_to_completion(state, kind, {.bytes_moved = bytes}, [&](cudaStream_t stream) {
    if (batched) {
      check(batched_copy(pieces, stream));
    } else {
      copy_one_by_one(pieces, stream);
    }
  });

  require_on_device(destination, bytes, source_pattern(), "copy in pieces");
}

Body one_by_one(HostMemory kind, int copies) {
  return [=](State& state) { split_to_device(state, kind, copies, false); };
}
Body batched(HostMemory kind, int copies) {
  return [=](State& state) { split_to_device(state, kind, copies, true); };
}

Body packed(HostMemory kind, int copies) {
  return [=](State& state) { packed_to_device(state, kind, copies); };
}

// Pieces from 256 bytes on.
Sweep sizes() { return {.quick = {1_MiB}, .standard = {64_KiB, 16_MiB}}; }

}  // namespace

void register_split() {
  add("transfer/split/memory:pinned/copies:16", one_by_one(HostMemory::pinned, 16))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::before, "memory:pinned/copies:16");
  add("transfer/split/memory:pinned/copies:256", one_by_one(HostMemory::pinned, 256))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::before, "memory:pinned/copies:256");
  add("transfer/split/memory:pinned/copies:16/call:batched", batched(HostMemory::pinned, 16))
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::after, "memory:pinned/copies:16", "batched_call");
  add("transfer/split/memory:pinned/copies:256/call:batched", batched(HostMemory::pinned, 256))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::after, "memory:pinned/copies:256", "batched_call");
  add("transfer/split/memory:pinned/copies:1", one_by_one(HostMemory::pinned, 1))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::variant, "memory:pinned/copies:16", "packed_before")
      .advice("batch-copies", Role::variant, "memory:pinned/copies:256", "packed_before");
  add("transfer/split/memory:pinned/copies:1/packed_from:16", packed(HostMemory::pinned, 16))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 2))
      .advice("batch-copies", Role::after, "memory:pinned/copies:16", "packed");
  add("transfer/split/memory:pinned/copies:1/packed_from:256", packed(HostMemory::pinned, 256))
      .sweep("bytes", sizes())
      .memory(per_byte(1, 2))
      .advice("batch-copies", Role::after, "memory:pinned/copies:256", "packed");

  add("transfer/split/memory:pageable/copies:256", one_by_one(HostMemory::pageable, 256))
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::before, "memory:pageable/copies:256");
  add("transfer/split/memory:pageable/copies:1/packed_from:256", packed(HostMemory::pageable, 256))
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 2))
      .advice("batch-copies", Role::after, "memory:pageable/copies:256", "packed");
  add("transfer/split/memory:pageable/copies:1", one_by_one(HostMemory::pageable, 1))
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(1, 1))
      .advice("batch-copies", Role::variant, "memory:pageable/copies:256", "packed_before");
}

}  // namespace cupel::bench::transfer
