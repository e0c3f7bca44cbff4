// The work that collectives run beside: matrix products of bf16 on each rank, as a training step is made of.
#pragma once

#include <cuda_runtime.h>

namespace cupel::bench::collective {

/// Enqueues `count` products of 4096^3 on Rank::beside of every rank. Operands are random and made at the first call.
/// Their values are none of this family's business: gemm checks such products. Throws Unavailable, CublasError,
/// OutOfMemory.
void multiply(int count);
/// The same on one rank alone.
void multiply_on(int rank, int count);

}  // namespace cupel::bench::collective
