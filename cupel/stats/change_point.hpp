// Steps in a history of one benchmark over commits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cupel::stats {

/// One change of level in a series of values.
struct ChangePoint {
  std::size_t index = 0;   ///< first value of the new level
  double shift = 0;        ///< Hodges-Lehmann, after against before
  double p_two_sided = 1;  ///< Mann-Whitney of the two segments, as if the place had been known
};

/// The rule by which a change of level counts as one.
struct ChangeRule {
  double smallest_shift = 0;     ///< in the values' own unit; for logarithms 0.01 is about 1 %
  double alpha = 0.001;          ///< greatest p of a change
  std::size_t least_points = 3;  ///< on either side
};

/// Finds steps in values in order of time, earliest first. Two stages: the segmentation that minimises the sum of
/// distances from the segments' medians plus a penalty per segment (exact, by dynamic programming; 1000 values take 20
/// ms), and of its steps those that the rule accepts; the weakest refused step is dropped and its neighbours are judged
/// anew, until all that are left are accepted.
///
/// The penalty is 3 log(n) times sqrt(2 pi) sigma / 4: what splitting level normal noise gains is about that last
/// factor times a chi-squared of one degree of freedom, and 3 log(n) is the modified BIC's threshold. sigma comes from
/// the median distance of neighbours, which steps do not move. Source: Storath, Weinmann and Unser (2017), L1-Potts;
/// penalty: Zhang and Siegmund (2007).
std::vector<ChangePoint> change_points(std::span<const double> in_order, const ChangeRule& rule = {});

}  // namespace cupel::stats
