// Memory of collectives on each rank, its contents, and whether what came of a collective is right.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/collective/bus.hpp"
#include "bench/collective/ranks.hpp"
#include "kernels/collective/values.hpp"

namespace cupel::bench::collective {

/// plain: as cudaMalloc() gives it. registered: ncclMemAlloc() gave it, and NCCL's own communicator knows it.
/// registered_to_send: the same, for ncclSend() and ncclRecv() alone. Where memory was registered and sent from first,
/// NCCL 2.27 and 2.28 keep no peers' addresses for a collective that comes later, and that never ends (mended in 2.29).
enum class Buffer { plain, registered, registered_to_send };

Buffer registered_for(Operation operation);

/// Two arrays on each rank: data[rank] is device memory of its GPU.
struct Arrays {
  std::vector<float*> send, receive;
  std::int64_t bytes = 0;
};

/// Arrays of at least `bytes` each, kept for the life of the process and grown when more is wanted. What was there
/// before may be gone. Throws OutOfMemory, NcclError.
const Arrays& arrays(Buffer buffer, std::int64_t bytes);

/// send[rank][i] becomes value(values, rank, i), `receive` NaN. Waits: what comes next may be a copy on one rank's
/// stream into what another's stream was to fill.
void fill(const Arrays& arrays, std::int64_t count, const kernels::collective::Values& values);

/// Looks at each rank's result: `look` enqueues checks of a rank, which add to its findings. Waits. Throws CheckFailed
/// that says on which rank how many elements are wrong, or, where `alike`, which ranks do not have the same bits.
void require_right(const std::string& what, bool alike,
                   const std::function<void(int rank, kernels::collective::Findings*, cudaStream_t)>& look);

/// The result of an operation over arrays of `bytes` (bus.hpp) in arrays.receive.
void require_right(Operation operation, const Arrays& arrays, std::int64_t bytes,
                   const kernels::collective::Values& values);

}  // namespace cupel::bench::collective
