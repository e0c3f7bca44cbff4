// Managed memory whose pages lie on the host: fetched page by page as a kernel faults on them, or moved beforehand.
// Only where it is allowed (--allow-managed) and only up to a quarter of the free device memory, because driving
// managed memory beyond what fits has taken machines down.
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>

#include "bench/transfer/check.hpp"
#include "bench/transfer/memory.hpp"
#include "bench/transfer/operations.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/transfer/words.hpp"

namespace cupel::bench::transfer {
namespace {

using benchmark::State;
using cuda::check;
using cuda::current_device;
using harness::add;
using harness::Profile;
using harness::Sweep;
using harness::operator""_MiB;

constexpr std::size_t kShareOfFree = 4;

void require_managed_memory(std::int64_t bytes) {
  if (!harness::options().allow_managed) harness::skip("managed memory is off; --allow-managed turns it on");
  if (cuda::attribute(cudaDevAttrConcurrentManagedAccess) == 0) {
    harness::skip("the device does not move managed memory on demand");
  }
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  if (static_cast<std::size_t>(bytes) > free / kShareOfFree) {
    harness::skip("managed memory is kept to a quarter of free device memory: wanted " + std::to_string(bytes) +
                  " bytes, free " + std::to_string(free));
  }
}

struct FreeManaged {
  void operator()(std::uint32_t* p) const noexcept { cudaFree(p); }
};
using Managed = std::unique_ptr<std::uint32_t, FreeManaged>;

Managed allocate_managed(std::int64_t bytes) {
  void* p = nullptr;
  check(cudaMallocManaged(&p, static_cast<std::size_t>(bytes)));
  return Managed(static_cast<std::uint32_t*>(p));
}

enum class Place { host, device };

void prefetch(std::uint32_t* data, std::int64_t bytes, Place place, cudaStream_t stream) {
  const auto size = static_cast<std::size_t>(bytes);
  const cudaMemLocation location = place == Place::host ? cudaMemLocation{cudaMemLocationTypeHost, 0}
                                                        : cudaMemLocation{cudaMemLocationTypeDevice, current_device()};
  check(cudaMemPrefetchAsync(data, size, location, 0, stream));
}

// A kernel reads all of it; before each sample its pages go back to the host.
void read_managed(State& state, bool prefetched) {
  const std::int64_t bytes = state.range(0);
  require_managed_memory(bytes);
  const Managed managed = allocate_managed(bytes);
  std::uint32_t* out = device_memory(Side::destination, bytes);
  const auto pattern = fresh_pattern();
  fill_device(managed.get(), bytes, pattern);
  poison_device(out, bytes);
  const cuda::Stream stream;
  timing::set_link_limit();

  harness::sample_host(state, {.bytes_moved = bytes},
                       [&] {
                         if (prefetched) prefetch(managed.get(), bytes, Place::device, stream);
                         kernels::transfer::copy_words(managed.get(), out, words(bytes), stream);
                         stream.synchronize();
                       },
                       {.before =
                            [&] {
                              prefetch(managed.get(), bytes, Place::host, stream);
                              stream.synchronize();
                            },
                        .calls = 1});

  require_on_device(out, bytes, pattern, "read of managed memory");
}

Sweep sizes() { return {.quick = {}, .standard = {1_MiB, 64_MiB}, .full = {16_MiB, 256_MiB}}; }

}  // namespace

void register_managed() {
  add("transfer/managed/op:fault", [](State& state) { read_managed(state, false); })
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1));
  add("transfer/managed/op:prefetch", [](State& state) { read_managed(state, true); })
      .from(Profile::standard)
      .sweep("bytes", sizes())
      .memory(per_byte(2, 1));
}

}  // namespace cupel::bench::transfer
