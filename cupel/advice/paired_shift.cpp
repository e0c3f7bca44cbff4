#include "cupel/advice/paired_shift.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"

namespace cupel::advice {
namespace {

constexpr int kMostDifferences = 1000;

// On normal data the signed-rank interval is wider than Student's by 1 / sqrt(3 / pi), its efficiency.
constexpr double kRankWidening = 1.0233;

double student_half_width(double deviation, int n, double level) {
  return stats::student_quantile(0.5 + 0.5 * level, n - 1) * deviation / std::sqrt(static_cast<double>(n));
}

stats::Interval student_interval(std::span<const double> differences, double level) {
  const auto [least, greatest] = std::ranges::minmax(differences);
  const double centre = stats::mean(differences);
  const double half =
      student_half_width(stats::standard_deviation(differences), static_cast<int>(differences.size()), level);
  return {std::min(centre - half, least), std::max(centre + half, greatest), level};
}

}  // namespace

int least_for_exact(double level) {
  int n = 2;
  while (1 - std::ldexp(1.0, 1 - n) < level) ++n;
  return n;
}

PairedShift paired_shift(std::span<const double> differences, double level) {
  const stats::Shift shift = stats::hodges_lehmann(differences, level);
  if (differences.size() == 1) return {shift.estimate, std::nullopt, false};
  if (static_cast<int>(differences.size()) >= least_for_exact(level)) return {shift.estimate, shift.interval, true};
  return {shift.estimate, student_interval(differences, level), false};
}

// The half-width falls as n grows, also from the last of Student's to the first by ranks: halving finds the least n.
std::optional<int> differences_for(double deviation, double distance, double level) {
  const int exact = least_for_exact(level);
  const auto serves = [&](int n) {
    return (n >= exact ? kRankWidening : 1) * student_half_width(deviation, n, level) < distance;
  };
  if (!serves(kMostDifferences)) return std::nullopt;
  int too_few = 1, enough = kMostDifferences;
  while (enough - too_few > 1) {
    const int middle = (too_few + enough) / 2;
    (serves(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace cupel::advice
