// Multiplies an array by a number.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace cupel::kernels::FAMILY {

/// out[i] = factor * in[i].
///
/// in, out: count elements, device memory; may be the same array. count may be 0.
///
/// Enqueues on `stream`; neither allocates nor synchronises. The result is the product rounded once. Throws CudaError
/// if the launch is refused.
void scale(const float* in, float* out, std::int64_t count, float factor, cudaStream_t stream);

}  // namespace cupel::kernels::FAMILY
