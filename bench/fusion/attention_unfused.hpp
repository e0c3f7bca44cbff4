// Attention as three operations forward, five backward: products of cuBLAS, and a softmax of ours between them. The
// scores, which the softmax overwrites with the shares, go through memory.
#pragma once

#include <cuda_runtime.h>

#include "bench/fusion/attention_shape.hpp"

namespace cupel::bench::fusion {

// All enqueue; they throw Unavailable, CublasError, CudaError, OutOfMemory. tensors.stats is not used.

/// shares: scores_bytes() of device memory, left with the softmax.
void attention_unfused(const AttentionShape& shape, const AttentionTensors& tensors, void* shares, cudaStream_t stream);

/// shares: what the forward pass left. slopes: scores_bytes() of device memory. tensors.out is not used.
void attention_backward_unfused(const AttentionShape& shape, const AttentionTensors& tensors, const void* shares,
                                void* slopes, cudaStream_t stream);

}  // namespace cupel::bench::fusion
