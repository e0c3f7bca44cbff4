// The statistics of one row.
#include <algorithm>
#include <cmath>
#include <ranges>

#include "cupel/compare/comparison.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/power.hpp"

namespace cupel::compare {
namespace {

constexpr int kMostProcesses = 1000;

// The effect that makes a row suspect with 95 % probability: the test must see it, and its estimate must reach the
// tolerance.
std::optional<double> detectable(double sigma, std::size_t n, std::size_t m, const Policy& policy) {
  if (stats::smallest_p(static_cast<int>(n), static_cast<int>(m)) > policy.suspicion) return std::nullopt;
  const double error = stats::standard_error(sigma, n, m);
  return std::expm1(std::max(stats::kScreenFactor * error, stats::over_tolerance(error, policy.tolerance)));
}

bool ranks_reach_alpha(std::size_t n, std::size_t m, std::size_t family, const Policy& policy) {
  const double least = 2 * stats::smallest_p(static_cast<int>(n), static_cast<int>(m));
  return least * static_cast<double>(std::max<std::size_t>(family, 1)) <= policy.alpha;
}

}  // namespace

std::optional<double> pooled_sigma(std::span<const double> baseline_logs, std::span<const double> contender_logs) {
  if (baseline_logs.size() < 2 && contender_logs.size() < 2) return std::nullopt;
  const std::span<const double> groups[] = {baseline_logs, contender_logs};
  return std::max(stats::pooled_standard_deviation(groups), kLeastSigma);
}

Effect effect(std::span<const double> baseline, std::span<const double> contender, const Policy& policy,
              std::size_t family, std::optional<double> sigma) {
  const std::vector<double> a = stats::logarithms(baseline), b = stats::logarithms(contender);
  const stats::Shift shift = stats::hodges_lehmann(a, b, policy.level);
  const stats::Interval interval = shift.ratio_interval();
  const stats::RankTest ranks = stats::mann_whitney(a, b);

  Effect result;
  result.ratio = shift.ratio();
  result.lower = interval.low;
  result.upper = interval.high;
  result.level = std::max(0.0, interval.level);
  result.sigma = sigma ? sigma : pooled_sigma(a, b);
  if (result.sigma) result.mde = detectable(*result.sigma, a.size(), b.size(), policy);
  result.suspect = std::min(ranks.p_greater, ranks.p_less) <= policy.suspicion &&
                   std::abs(shift.estimate) >= std::log1p(policy.tolerance);
  result.p = ranks.p_two_sided;
  result.test = ranks_reach_alpha(a.size(), b.size(), family, policy) ? Test::ranks : Test::permutation;
  return result;
}

Verdict judge(const Effect& effect, double p_adjusted, const Policy& policy) {
  if (effect.suspect) {
    if (p_adjusted > policy.alpha) return Verdict::inconclusive;
    return effect.ratio > 1 ? Verdict::slower : Verdict::faster;
  }
  const bool seen = effect.mde && *effect.mde <= policy.target;
  const bool within = effect.level > 0 && effect.upper <= 1 + policy.target && effect.lower >= 1 / (1 + policy.target);
  return seen && within ? Verdict::same : Verdict::inconclusive;
}

std::optional<int> processes_to_decide(const Effect& effect, const Policy& policy) {
  if (!effect.sigma) return std::nullopt;
  if (effect.suspect) {
    const std::optional<int> wanted =
        stats::processes_for(*effect.sigma, std::abs(std::log(effect.ratio)), stats::kConfirmFactor);
    return wanted && *wanted <= kMostProcesses ? std::optional(std::max(*wanted, stats::kConfirmProcesses.front()))
                                               : std::nullopt;
  }
  // More processes see smaller effects.
  const auto counts = std::views::iota(3, kMostProcesses + 1);
  const auto enough = std::ranges::partition_point(counts, [&](int processes) {
    const auto n = static_cast<std::size_t>(processes);
    const std::optional<double> mde = detectable(*effect.sigma, n, n, policy);
    return !mde || *mde > policy.target;
  });
  return enough == counts.end() ? std::nullopt : std::optional(*enough);
}

}  // namespace cupel::compare
