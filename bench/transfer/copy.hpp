// One copy between host and device, as every benchmark of the family enqueues and samples it.
#pragma once

#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>

#include "bench/transfer/memory.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::bench::transfer {

/// Enqueues a copy. The kind is said, not inferred: finding out on which side an address lies would be in the call's
/// time.
inline void copy_async(std::uint32_t* destination, const std::uint32_t* source, std::int64_t bytes, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  cuda::check(cudaMemcpyAsync(destination, source, static_cast<std::size_t>(bytes), kind, stream));
}

/// Above this a copy is long enough to be told from the cost of an event pair, and a batch of copies is no news.
inline constexpr std::int64_t kShortCopy = std::int64_t{256} << 10;

enum class Direction { to_device, from_device };

/// The copy that sample_copy() is to sample.
struct Copying {
  HostMemory kind;
  /// In which the measured stream itself copies.
  Direction direction;
  /// As many bytes go the other way at the same time, on timing::Rig's beside().
  bool both_ways = false;
};

/// How the host's clock samples calls that move `bytes` from or to memory of this kind.
harness::HostSampling host_sampling(HostMemory kind, std::int64_t bytes);

/// Samples what `enqueue` puts on a stream. From or to pageable memory by the host's clock, call to completion: the
/// call itself moves the data and would wait for ever for a stream that is held back. Else by the device's clock, and
/// by the host's too, so that both kinds can be compared.
void sample_copy(benchmark::State& state, const Copying& copying, const record::Workload& work,
                 const std::function<void(cudaStream_t)>& enqueue);

/// Host time from the call until the stream has finished. kind: of the host memory in the work, pinned where
/// there is none.
void sample_to_completion(benchmark::State& state, HostMemory kind, const record::Workload& work,
                          const std::function<void(cudaStream_t)>& enqueue);

}  // namespace cupel::bench::transfer
