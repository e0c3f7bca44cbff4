// A test of many rows of the same processes together, where so few processes cannot show anything row by row.
#pragma once

#include <span>
#include <vector>

namespace cupel::stats {

/// One row: a value a process of either side.
struct TwoSamples {
  std::vector<double> a, b;
};

/// Returns each row's p adjusted for all rows: the chance, over all assignments of processes to sides (the same in all
/// rows), that any row shows as large a difference. Exact whatever the distributions, and whatever the rows of a
/// process share: among rows that do not differ, the chance of a p of at most alpha is at most alpha, also where other
/// rows do differ. Least p: 2 / C(n + m, n) where n = m.
///
/// A difference is that of the means, over its standard error plus `least`: a row whose processes hardly differ does
/// not outdo all others by a difference that matters to nobody.
///
/// rows: of n and m values each, two a side at least, else std::invalid_argument. Of more than kMostDeals ways a random
/// share of as many is taken, the same each time.
/// Source: Westfall and Young (1993), "Resampling-based multiple testing", algorithm 2.5, single step.
std::vector<double> joint_permutation_p(std::span<const TwoSamples> rows, double least);

/// The most ways of dealing processes out that are looked at.
inline constexpr int kMostDeals = 20'000;

}  // namespace cupel::stats
