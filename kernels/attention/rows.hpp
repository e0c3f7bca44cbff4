// Single rows of attention and its gradients, where computing all of them again would take longer than anything else;
// and how far off a right result may lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/attention/reference.hpp"
#include "kernels/attention/weights.hpp"

namespace cupel::kernels::attention {

/// Each value with its greatest error.
///
/// A result is a sum of w_k x_k, of which the weights w (shares, or gradients of scores) have errors e_k and the x are
/// inputs. For independent inputs of mean zero the errors are independent: they add up to kDeviations times the root of
/// the sum of (e_k x_k)^2, as in verify::DotBound. The errors e_k:
/// - a share p is rounded (p unit), and so is its score s where scores are stored (p unit |s|, because of the
///   exponential); the sum that shares are divided by brings as much, times the result;
/// - the gradient of a score is p (dp - mean). It is rounded; so is dp or else the mean, which comes from rounded
/// results,
///   and which is rms_slope at most; so are the shares behind either. That is 3 unit p (|dp| + rms_slope), and
///   (1 + |s|) unit p (|dp| + rms_slope) more where scores are stored.
/// Sums that are cut off on tensor cores, four terms at a time at worst, lose 2^-23 of partial sums, which are
/// kDeviations times the root of the sum of (w_k x_k)^2 at most. The result is rounded once.
struct Row {
  std::vector<double> values, allowed;
};

Row out_row(const Head& head, std::int64_t i, const Rounding& rounding);
Row d_query_row(const Head& head, In d_out, std::int64_t i, const Rounding& rounding);
/// The gradients of key j; statistics: of all queries.
Row d_key_row(const Head& head, In d_out, std::span<const RowStatistics> statistics, std::int64_t j,
              const Rounding& rounding);
Row d_value_row(const Head& head, In d_out, std::span<const RowStatistics> statistics, std::int64_t j,
                const Rounding& rounding);

}  // namespace cupel::kernels::attention
