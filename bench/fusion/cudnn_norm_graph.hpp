// cuDNN's layer norm and RMS norm of rows as graphs of one operation: fp16 rows, fp32 parameters and statistics.
#pragma once

#include <compare>
#include <cstdint>

#include "cupel/vendor/cudnn_plan.hpp"

namespace cupel::bench::fusion {

/// Tensors of the graph, by the uids of CudnnPlan::execute(). gamma and beta have a float for each column, mean and
/// inverse deviation one for each row.
enum NormTensor : std::int64_t { kNormInput = 1, kNormGamma, kNormBeta, kNormOutput, kNormMean, kNormInverseDeviation };

struct NormGraph {
  std::int64_t rows = 1, columns = 1;
  float epsilon = 0;
  bool training = false;  ///< writes the statistics too: mean (of a layer norm) and inverse deviation
  auto operator<=>(const NormGraph&) const = default;
};

/// As kernels::norm::layer_norm() and rms_norm(). Throw NotSupported, Unavailable, CudnnError.
vendor::CudnnPlan layer_norm_plan(const NormGraph& graph);
vendor::CudnnPlan rms_norm_plan(const NormGraph& graph);

}  // namespace cupel::bench::fusion
