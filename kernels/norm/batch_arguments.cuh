// Checks what batch norm wants of its arguments, whichever way it is computed.
#pragma once

#include "kernels/norm/rows.cuh"

namespace cupel::kernels::norm {

/// Refuses bad arguments in the name of `function`; returns the number of elements.
inline std::int64_t require_training(const char* function, DType type, const void* in, const float* gamma,
                                     const float* beta, const void* out, const float* mean,
                                     const float* inverse_deviation, const float* partial, const Shape& shape) {
  const std::int64_t count = require_shape(function, shape);
  require_arrays({{in, "in"}, {out, "out"}}, count, size_of(type), function);
  require_columns({{gamma, "gamma"}, {beta, "beta"}, {mean, "mean"}}, shape, 4, function);
  require_columns({{inverse_deviation, "inverse_deviation"}, {partial, "partial"}}, shape, 4, function);
  return count;
}

/// Likewise, of the backward pass.
inline std::int64_t require_backward(const char* function, DType type, const void* in, const void* d_out,
                                     const float* gamma, const float* mean, const float* inverse_deviation,
                                     const void* d_in, const float* d_gamma, const float* d_beta, const float* partial,
                                     const Shape& shape) {
  const std::int64_t count = require_shape(function, shape);
  require_arrays({{in, "in"}, {d_out, "d_out"}, {d_in, "d_in"}}, count, size_of(type), function);
  require_columns({{gamma, "gamma"}, {mean, "mean"}, {inverse_deviation, "inverse_deviation"}}, shape, 4, function);
  require_columns({{d_gamma, "d_gamma"}, {d_beta, "d_beta"}, {partial, "partial"}}, shape, 4, function);
  return count;
}

}  // namespace cupel::kernels::norm
