// Pooling of images: the largest number of each window, with its gradient, and the mean of each plane.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/dtype.hpp"
#include "kernels/pool/planes.hpp"

namespace cupel::kernels::pool {

// All enqueue on `stream` and neither allocate nor synchronise. Arrays are device memory in one layout; in and out must
// not overlap. Sums in fp32, one rounding to `type`. They throw std::invalid_argument that names a bad argument, and
// CudaError if a launch is refused.

/// out = the largest number of each window, padding left out; place: which of the window's elements it was, row by row,
/// the first of several. A NaN is larger than any number, as frameworks have it.
void max_pool(DType type, const void* in, void* out, std::uint8_t* place, const Windows& windows, cudaStream_t stream);

/// d_in = the sum of d_out of the windows whose largest number it was. Each is written once: the same in every run.
void max_pool_backward(DType type, const void* d_out, const std::uint8_t* place, void* d_in, const Windows& windows,
                       cudaStream_t stream);

/// out = the mean of each plane: images x channels.
void mean_pool(DType type, const void* in, void* out, const Planes& planes, cudaStream_t stream);

/// d_in = d_out / (height * width) all over the plane.
void mean_pool_backward(DType type, const void* d_out, void* d_in, const Planes& planes, cudaStream_t stream);

}  // namespace cupel::kernels::pool
