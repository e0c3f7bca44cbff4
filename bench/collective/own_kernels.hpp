// All-reduces of NCCL's, and by kernels of our own that read the peers' memory in one or two steps.
#pragma once

#include <cstdint>

#include "bench/collective/arrays.hpp"

namespace cupel::bench::collective {

enum class Reducer { nccl, one_shot, two_shot };

/// Makes what all_reduce_by() needs. Throws Skip where it is our kernels, and two ranks may not access each other's
/// memory or there are more ranks than the kernels take.
void prepare(Reducer by);

/// Enqueues the sum of memory.send into memory.receive on all ranks' streams. The arrays of all ranks must be whole
/// before: a peer may read them at once. `bytes` is a multiple of 4.
void all_reduce_by(Reducer by, const Arrays& memory, std::int64_t bytes);

}  // namespace cupel::bench::collective
