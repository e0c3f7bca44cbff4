// The test of whether one of two independent samples is shifted against the other: by ranks, exact, whatever the
// distribution.
#pragma once

#include <span>

namespace cupel::stats {

/// Probabilities, if both samples came from one distribution, of what was seen or more.
struct RankTest {
  double u = 0;          ///< pairs (a, b) with b > a, ties counting half
  double p_greater = 1;  ///< probability of b being this much greater than a
  double p_less = 1;     ///< probability of b being this much less
  double p_two_sided = 1;
};

/// The number of pairs above which the normal approximation (with ties' variance and continuity correction) stands in
/// for the exact distribution. At 100 against 100 the two differ by less than 4.2e-4 in p, the approximation being the
/// larger below 1e-4.
inline constexpr double kExactPairs = 10'000;

/// The number of pairs above which it does where values are tied: the exact distribution has to be made for each such
/// comparison.
inline constexpr double kExactTiedPairs = 2'500;

/// Runs Mann and Whitney's test. Exact; with ties, over all ways to deal out the very values that were seen, their
/// ranks averaged, which is the exact permutation test. (Rounding U down and using the distribution without ties would
/// reject too often: a = {0, 0}, b = {0, 1} gives 1/3 where the permutation test gives 1/2.) Throws
/// std::invalid_argument if a sample is empty or holds a NaN. Source: Mann and Whitney (1947); ties: Streitberg and
/// Roehmel (1986), the shift algorithm.
RankTest mann_whitney(std::span<const double> a, std::span<const double> b);

/// Returns p of b being greater than a by more than `margin`: the test above of a + margin against b. The gate uses it
/// for a stored baseline, whose own shift between sessions is up to the margin.
double p_greater_by(double margin, std::span<const double> a, std::span<const double> b);

/// Returns the smallest one-sided p that n against m values can give: 1 / C(n + m, n). A gate that asks for less cannot
/// decide.
double smallest_p(int n, int m);

}  // namespace cupel::stats
