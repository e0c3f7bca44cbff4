// Attention as one operation of cuDNN's: forward with the statistics that the backward pass wants, and backward.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "bench/fusion/attention_shape.hpp"
#include "cupel/vendor/cudnn_plan.hpp"

namespace cupel::bench::fusion {

/// Throws NotSupported, Unavailable, CudnnError.
vendor::CudnnPlan attention_plan(const AttentionShape& shape, AttentionPass pass);

/// The tensors as the plan's execute() wants them.
std::unordered_map<std::int64_t, void*> plan_tensors(const AttentionTensors& tensors, AttentionPass pass);

}  // namespace cupel::bench::fusion
