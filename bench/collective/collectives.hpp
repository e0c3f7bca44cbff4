// A collective of NCCL's over the arrays of all ranks.
#pragma once

#include <cstdint>

#include "bench/collective/arrays.hpp"
#include "bench/collective/bus.hpp"
#include "bench/collective/clique.hpp"

namespace cupel::bench::collective {

/// Enqueues it once on all ranks, from arrays.send to arrays.receive, each of at least `bytes` and an element for each
/// rank. fp32; sums. Throws NcclError.
void call(const Clique& clique, Operation operation, const Arrays& arrays, std::int64_t bytes);

}  // namespace cupel::bench::collective
