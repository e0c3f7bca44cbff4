// Bytes and operations of products, as the algorithm counts them. Host code only.
#pragma once

#include <cstdint>

#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"
#include "cupel/record/record.hpp"

namespace cupel::bench::gemm {

/// Of a batch of equal products: each operand read once, the result written once; 2 m n k operations, which of int8 are
/// items.
record::Workload workload(Precision precision, const Shape& shape, std::int64_t batch = 1);

}  // namespace cupel::bench::gemm
