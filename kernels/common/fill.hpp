// Random inputs of any element type, made where they are needed.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/common/dtype.hpp"

namespace cupel::kernels {

/// out[i] = low + (high - low) * verify::Generator(seed).uniform_float(i), computed in float and rounded to `type`.
/// out: device memory. Enqueues; throws std::invalid_argument that names a bad argument, CudaError if the launch is
/// refused.
void fill_uniform(DType type, void* out, std::int64_t count, std::uint64_t seed, float low, float high,
                  cudaStream_t stream);

/// The value that fill_uniform() puts at place i, before it is rounded to the type.
float uniform_at(std::int64_t i, std::uint64_t seed, float low, float high);

}  // namespace cupel::kernels
