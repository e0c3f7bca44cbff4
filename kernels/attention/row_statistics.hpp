// Statistics of each query that the gradients of attention need beside the inputs.
#pragma once

namespace cupel::kernels::attention {

/// Query i's, over the keys j that it sees, with s = scale q . k, p = softmax(s) and dp = d_out . v.
struct RowStatistics {
  double log_sum = 0;     ///< log of the sum of exp(s): p is exp(s - log_sum)
  double mean_slope = 0;  ///< sum of p dp, which is d_out . out
  double rms_slope = 0;   ///< root of the sum of p dp^2: at least |mean_slope|
  double norm_slope = 0;  ///< root of the sum of (p dp)^2, which independent errors of shares grow with
};

}  // namespace cupel::kernels::attention
