// Exact distributions of rank statistics when nothing differs.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace cupel::stats {

/// Probabilities of the values 0, 1, ... of a statistic.
class NullDistribution {
 public:
  /// Normalises weights. weights[v]: number of equally likely cases with value v, or any multiple. Symmetric about the
  /// middle of its range or not.
  explicit NullDistribution(std::vector<double> weights);

  /// Returns the greatest value.
  std::size_t greatest() const { return at_most_.size() - 1; }

  /// Returns P(V <= v); 0 for v below 0.
  double at_most(std::ptrdiff_t v) const;

  /// Returns P(V >= v); 0 for v above greatest(). Summed from its own end, so that a small tail keeps its digits.
  double at_least(std::ptrdiff_t v) const;

 private:
  std::vector<double> at_most_;
  std::vector<double> at_least_;
};

/// Returns the distribution of Mann and Whitney's U of n against m values without ties: pairs (a, b) with b > a. Kept
/// once made; any thread may ask. Time n^2 m^2; n and m from 1. Source: Mann and Whitney (1947), equation 1; counted as
/// partitions of u into at most n parts of at most m.
std::shared_ptr<const NullDistribution> rank_sum_null(std::size_t n, std::size_t m);

/// Returns the distribution of Wilcoxon's signed-rank sum of n values without ties or zeros. Kept once made; any thread
/// may ask. Time n^3. Source: Wilcoxon (1945); counted as subsets of 1..n of a given sum.
std::shared_ptr<const NullDistribution> signed_rank_null(std::size_t n);

/// Returns the distribution of the number of heads in n throws of a fair coin.
NullDistribution sign_null(std::size_t n);

}  // namespace cupel::stats
