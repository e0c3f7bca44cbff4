// Device memory that a product wants, for Definition::memory(). Host code only.
#pragma once

#include <cstdint>

#include "bench/gemm/precision.hpp"
#include "bench/gemm/shapes.hpp"

namespace cupel::bench::gemm {

/// Operands and result of a batch of products, and the workspace that the library is given, whatever its size. Weights
/// count at every place where they may lie (places.hpp).
std::int64_t memory_bytes(Precision precision, const Shape& shape, std::int64_t batch = 1);

}  // namespace cupel::bench::gemm
