#include "cupel/stats/power.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/location.hpp"

namespace cupel::stats {

double standard_error(double sigma, std::size_t n, std::size_t m) {
  return sigma * std::sqrt(1 / static_cast<double>(n) + 1 / static_cast<double>(m));
}

double over_tolerance(double error, double tolerance) {
  return std::log1p(tolerance) + kNinetyFive / kRankEfficiency * error;
}

double minimum_detectable_effect(double sigma, int processes, double factor) {
  if (processes < 1) throw std::invalid_argument("stats: minimum detectable effect of no processes");
  return factor * sigma * std::sqrt(2.0 / processes);
}

std::optional<int> processes_for(double sigma, double effect, double factor) {
  if (!(effect > 0)) throw std::invalid_argument("stats: the effect to be found must be above 0");
  const double ratio = factor * sigma / effect;
  // A result a rounding error above a whole number is that number.
  const double wanted = std::ceil(2 * ratio * ratio * (1 - 1e-12));
  if (!(wanted <= 1e6)) return std::nullopt;
  return std::max(1, static_cast<int>(wanted));
}

int confirm_processes(double sigma, double effect) {
  const std::optional<int> wanted = processes_for(sigma, effect);
  const auto enough =
      std::ranges::find_if(kConfirmProcesses, [wanted](int processes) { return wanted && processes >= *wanted; });
  return enough == kConfirmProcesses.end() ? kConfirmProcesses.back() : *enough;
}

double rank_sigma(std::span<const std::span<const double>> groups, double effect) {
  if (!(effect > 0)) throw std::invalid_argument("stats: the effect to be found must be above 0");
  double pairs = 0, near = 0;
  for (const std::span<const double> group : groups) {
    for (std::size_t i = 0; i < group.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        ++pairs;
        near += std::abs(group[i] - group[j]) <= effect;
      }
    }
  }
  const double pooled = pooled_standard_deviation(groups);
  const double share = (near + 0.5) / (pairs + 1);  // never 0 or 1: few pairs show neither
  return std::min(pooled, effect / (std::sqrt(2.0) * normal_quantile((1 + share) / 2)));
}

bool gateable(double sigma, double effect) { return sigma <= 0.5 * effect; }

}  // namespace cupel::stats
