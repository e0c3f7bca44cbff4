// The weights that a query and a key have in the sums of attention and its gradients, and how far off they may be:
// plain functions, the same on host and device.
#pragma once

#include <cmath>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::attention {

/// The values that a way of computing rounds to the operands' type. All sums are kept in fp32 on tensor cores; shares
/// and the gradients of scores are operands of products, and so rounded, in every way.
struct Rounding {
  double unit = 0;       ///< unit roundoff of the type
  double subnormal = 0;  ///< greatest absolute error of storing its smallest numbers
  bool scores = false;   ///< scores and slopes go through memory and are rounded, too
};

inline constexpr double kTruncation = 0x1p-23;  ///< of one addition on tensor cores
inline constexpr double kTermsPerAddition = 4;  ///< at worst

/// The error of a score in fp32, and so of its exponential: size / 4 additions lose kTruncation of partial sums, which
/// after scaling are kDeviations at most. With size = 128 that is 2^-15.
inline constexpr double kScoreError = 0x1p-15;

/// The error of share p of score s.
CUPEL_HOST_DEVICE inline double share_error(double p, double s, const Rounding& rounding) {
  const double roundings = 1 + (rounding.scores ? std::fabs(s) : 0);
  return p * (kScoreError + roundings * rounding.unit) + rounding.subnormal;
}

/// The error of the gradient of a score, p (slope - mean), before it is multiplied by the scale. Small shares and small
/// gradients, of which some are scaled before they are rounded, lose as much as a subnormal number does.
CUPEL_HOST_DEVICE inline double gradient_error(double p, double s, double slope, double rms_slope, double scale,
                                               const Rounding& rounding) {
  const double size = std::fabs(slope) + rms_slope;
  const double roundings = 3 + (rounding.scores ? 1 + std::fabs(s) : 0);
  return p * size * (kScoreError + roundings * rounding.unit) +
         rounding.subnormal * (std::fmax(1.0, 1 / scale) + (rounding.scores ? size : 0));
}

}  // namespace cupel::kernels::attention
