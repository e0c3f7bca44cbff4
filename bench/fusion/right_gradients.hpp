// The weights that all gradients of attention are held by, and how far off each may be: plain functions, the same on
// host and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "cupel/verify/dot_bound.hpp"
#include "cupel/verify/host_device.hpp"
#include "kernels/attention/row_statistics.hpp"
#include "kernels/attention/weights.hpp"

namespace cupel::bench::fusion {

/// A head's formula: this is the same for every query and key.
struct RightGradients {
  kernels::attention::Rounding rounding;
  double scale = 1;  ///< of scores
  bool causal = false;
  double lost = 0;  ///< of a sum, relative to the root of its terms' squares: what tensor cores cut off
};

inline RightGradients right_gradients(const kernels::attention::Rounding& rounding, double scale, bool causal,
                                      std::int64_t sequence) {
  const double additions = std::ceil(static_cast<double>(sequence) / kernels::attention::kTermsPerAddition);
  return {rounding, scale, causal, additions * kernels::attention::kTruncation};
}

/// The weights of a query and a key. d_v is the sum of shares times d_out over the queries; d_q that of gradients times
/// k over the keys, and d_k of gradients times q over the queries. The same sums of squares times the squared factors
/// say how far off they may be.
struct PairWeights {
  double share = 0, gradient = 0;
  double share_squares = 0, gradient_squares = 0;
};

/// product: q k^T of the pair; slope: d_out v^T. The errors are those of kernels/attention/rows.hpp, where what a
/// weight is off and what the sum loses of it are added; here they are put into one square, twice as great as the sum
/// of both.
CUPEL_HOST_DEVICE inline PairWeights pair_weights(const RightGradients& right, std::int64_t query, std::int64_t key,
                                                  double product, double slope,
                                                  const kernels::attention::RowStatistics& of_query) {
  if (right.causal && key > query) return {};
  const double score = right.scale * product, share = std::exp(score - of_query.log_sum);
  const double gradient = right.scale * share * (slope - of_query.mean_slope);
  const double off = kernels::attention::share_error(share, score, right.rounding);
  const double gradient_off = right.scale * kernels::attention::gradient_error(share, score, slope, of_query.rms_slope,
                                                                               right.scale, right.rounding);
  const double lost = right.lost * right.lost;
  return {share, gradient, 2 * (off * off + lost * share * share),
          2 * (gradient_off * gradient_off + lost * gradient * gradient)};
}

/// How far an element of a gradient may be from the sum that it has to be; squares: the sum beside it.
CUPEL_HOST_DEVICE inline double allowed_error(const RightGradients& right, double expected, double squares) {
  return verify::kDeviations * std::sqrt(squares) + right.rounding.unit * std::fabs(expected) +
         right.rounding.subnormal;
}

}  // namespace cupel::bench::fusion
