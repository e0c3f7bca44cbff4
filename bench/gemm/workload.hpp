// Bytes and operations of products, as the algorithm counts them, and the memory that they want. Host code only.
#pragma once

#include <cstdint>

#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::bench::gemm {

/// The work of a batch of equal products: each operand read once, the result written once; 2 m n k operations, which of
/// int8 are items.
record::Workload workload(Precision precision, const Shape& shape, std::int64_t batch = 1);

/// Device memory, for Definition::memory(): operands and result of a batch of products, and the workspace that the
/// library is given, whatever its size. Weights count at every place where they may lie (places.hpp).
std::int64_t memory_bytes(Precision precision, const Shape& shape, std::int64_t batch = 1);

}  // namespace cupel::bench::gemm
