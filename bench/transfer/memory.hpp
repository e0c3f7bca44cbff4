// Memory that all benchmarks of the process share. Pinning a gibibyte takes longer than most of them: it happens once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cupel/harness/registry.hpp"
#include "kernels/transfer/pattern.hpp"

namespace cupel::bench::transfer {

enum class HostMemory {
  pageable,        ///< of the C library's allocator, every page touched
  pinned,          ///< cudaHostAlloc
  write_combined,  ///< cudaHostAlloc that the CPU's caches leave alone: slow to read for the CPU
  registered,      ///< pageable, then cudaHostRegister
};

/// A source is never written by a benchmark, a destination by each.
enum class Side { source, destination };

/// At least `bytes` of host memory at the start of a page. A source holds source_pattern(). Up to 64 MiB it is the same
/// memory each time; more is valid until still more is asked for of the same kind and side. Throws CudaError; Skip when
/// the host's memory or the right to lock it runs out.
std::uint32_t* host_memory(HostMemory kind, Side side, std::int64_t bytes);

/// At least `bytes` of device memory, its content left by whoever had it before. Valid until more is asked for of the
/// same side. Throws OutOfMemory.
std::uint32_t* device_memory(Side side, std::int64_t bytes);

/// The pattern that every host source holds.
kernels::transfer::Pattern source_pattern();

/// Owned host memory; how it is given back depends on how it was got.
using HostBlock = std::unique_ptr<std::uint32_t, void (*)(std::uint32_t*)>;

/// Fresh memory, its pages touched. Throws as host_memory() does.
HostBlock allocate_host(HostMemory kind, std::int64_t bytes);

/// Locks pages that are there. Throws CudaError; Skip as host_memory() does. cudaHostUnregister undoes it.
void page_lock(void* p, std::int64_t bytes);

/// Writes source_pattern() from the first word on. Blocks.
void fill_with_source_pattern(std::uint32_t* host, std::int64_t bytes);

/// For Definition::memory(): multiples of the number of bytes that is swept last.
std::function<harness::Memory(const std::vector<std::int64_t>&)> per_byte(std::int64_t device, std::int64_t host);

constexpr std::int64_t words(std::int64_t bytes) { return bytes / static_cast<std::int64_t>(sizeof(std::uint32_t)); }

}  // namespace cupel::bench::transfer
