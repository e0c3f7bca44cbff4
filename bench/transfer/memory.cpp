#include "bench/transfer/memory.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using cuda::check;
using harness::operator""_MiB;

constexpr std::int64_t kPage = 4096;
constexpr std::int64_t kGranule = 2_MiB;     // a huge page: the driver pins in no smaller steps than it pays for
constexpr std::int64_t kSmall = 64_MiB;      // what the quick profile asks for
constexpr std::int64_t kFillChunk = 64_MiB;  // long enough for the link's full rate
constexpr int kPoison = 0x5A;

std::int64_t rounded_up(std::int64_t bytes, std::int64_t step) { return (bytes + step - 1) / step * step; }

void free_pageable(std::uint32_t* p) { std::free(p); }
void free_pinned(std::uint32_t* p) { cudaFreeHost(p); }
void free_registered(std::uint32_t* p) {
  cudaHostUnregister(p);
  std::free(p);
}

HostBlock allocate_pageable(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(rounded_up(bytes, kPage));
  HostBlock block(static_cast<std::uint32_t*>(std::aligned_alloc(kPage, size)), free_pageable);
  if (!block) harness::skip("out of host memory: wanted " + std::to_string(bytes) + " bytes");
  std::memset(block.get(), kPoison, size);  // touches every page
  return block;
}

// The driver says "out of memory" when the host's memory or the limit on locked memory is spent, whatever the device
// has.
std::string unpinnable(std::int64_t bytes) {
  return "cannot page-lock " + std::to_string(bytes) +
         " bytes of host memory: free host memory or the limit on locked memory (ulimit -l, cgroup) is too small, or "
         "this system cannot do it";
}

HostBlock allocate_pinned(std::int64_t bytes, unsigned flags) {
  void* p = nullptr;
  cuda::check(cudaHostAlloc(&p, static_cast<std::size_t>(bytes), flags), unpinnable(bytes));
  return HostBlock(static_cast<std::uint32_t*>(p), free_pinned);
}

HostBlock allocate_registered(std::int64_t bytes) {
  HostBlock block = allocate_pageable(bytes);
  page_lock(block.get(), bytes);
  block.get_deleter() = free_registered;
  return block;
}

struct HostArena {
  HostBlock block{nullptr, free_pageable};
  std::int64_t bytes = 0;
};

struct DeviceArena {
  cuda::DeviceBuffer<std::uint32_t> buffer;
};

// Small copies have memory of their own, which is as large as any of them from the first one on. If it were made anew
// for a larger copy, a row's pages would lie elsewhere in the next round: on an H200's host both ways from pageable
// memory took 1.8 ms in one round and 1.04 ms in the others.
//
// Never destroyed: the driver may be gone before the destructors of statics run, and the system takes all back anyway.
HostArena& arena(HostMemory kind, Side side, bool small) {
  static auto& arenas = *new std::array<std::array<std::array<HostArena, 2>, 2>, 4>;
  return arenas[static_cast<std::size_t>(kind)][static_cast<std::size_t>(side)][small ? 1 : 0];
}

DeviceArena& arena(Side side) {
  static auto& arenas = *new std::array<DeviceArena, 2>;
  return arenas[static_cast<std::size_t>(side)];
}

}  // namespace

void page_lock(void* p, std::int64_t bytes) {
  cuda::check(cudaHostRegister(p, static_cast<std::size_t>(bytes), cudaHostRegisterDefault), unpinnable(bytes));
}

HostBlock allocate_host(HostMemory kind, std::int64_t bytes) {
  switch (kind) {
    case HostMemory::pinned:
      return allocate_pinned(bytes, cudaHostAllocMapped);
    case HostMemory::write_combined:
      return allocate_pinned(bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined);
    case HostMemory::registered:
      return allocate_registered(bytes);
    case HostMemory::pageable:
      break;
  }
  return allocate_pageable(bytes);
}

std::uint32_t* host_memory(HostMemory kind, Side side, std::int64_t bytes) {
  const bool small = bytes <= kSmall;
  HostArena& wanted = arena(kind, side, small);
  if (wanted.bytes < bytes) {
    wanted = {};  // before the larger piece is made: both at once may not fit
    const std::int64_t size = small ? kSmall : rounded_up(bytes, kGranule);
    HostBlock block = allocate_host(kind, size);
    if (side == Side::source) fill_with_source_pattern(block.get(), size);
    wanted = {std::move(block), size};
  }
  return wanted.block.get();
}

std::uint32_t* device_memory(Side side, std::int64_t bytes) {
  auto& buffer = arena(side).buffer;
  if (static_cast<std::int64_t>(buffer.size_bytes()) < bytes) {
    buffer = {};
    buffer = cuda::DeviceBuffer<std::uint32_t>(static_cast<std::size_t>(words(rounded_up(bytes, kGranule))));
  }
  return buffer.data();
}

kernels::transfer::Pattern source_pattern() { return {.seed = harness::options().seed}; }

// Made on the device and copied out: many times faster than on the CPU. That the copy is right is seen when the way
// back is checked against the pattern itself.
void fill_with_source_pattern(std::uint32_t* host, std::int64_t bytes) {
  const std::int64_t chunk = words(std::min(bytes, kFillChunk));
  cuda::DeviceBuffer<std::uint32_t> staging(static_cast<std::size_t>(chunk));
  const cuda::Stream stream;
  for (std::int64_t first = 0; first < words(bytes); first += chunk) {
    const std::int64_t count = std::min(chunk, words(bytes) - first);
    kernels::transfer::fill_pattern(staging.data(), count, source_pattern(), first, stream);
    check(cudaMemcpyAsync(host + first, staging.data(), static_cast<std::size_t>(count) * sizeof(std::uint32_t),
                          cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
  }
}

std::function<harness::Memory(const std::vector<std::int64_t>&)> per_byte(std::int64_t device, std::int64_t host) {
  return [=](const std::vector<std::int64_t>& args) {
    return harness::Memory{.device_bytes = device * args.back(), .host_bytes = host * args.back()};
  };
}

}  // namespace cupel::bench::transfer
