#include "cupel/stats/location.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>

#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
// Weighted mean of the values between the quarters of an ascending sample: the value of rank i (from 0) fills [i, i +
// 1) and weighs what of that lies in [n / 4, 3 n / 4). Distances from one of the values are summed, not the values, so
// that equal values give exactly that value.
double interquartile_mean_of_sorted(std::span<const double> ascending) {
  if (ascending.empty()) throw std::invalid_argument("stats: inter-quartile mean of an empty sample");
  const auto n = static_cast<double>(ascending.size());
  const auto first = static_cast<std::size_t>(n / 4);
  const std::size_t last = ascending.size() - 1 - first;
  const double edge_weight = 1 - (n / 4 - static_cast<double>(first));
  const double origin = ascending[ascending.size() / 2];
  if (first == last) return origin;
  double sum = edge_weight * ((ascending[first] - origin) + (ascending[last] - origin));
  for (std::size_t i = first + 1; i < last; ++i) sum += ascending[i] - origin;
  return origin + sum / (n / 2);
}

double interquartile_mean(std::span<const double> sample) { return interquartile_mean_of_sorted(sorted(sample)); }

bool are_positive(std::span<const double> sample) {
  return !sample.empty() && std::ranges::all_of(sample, [](double x) { return x > 0 && std::isfinite(x); });
}

std::vector<double> logarithms(std::span<const double> sample) {
  std::vector<double> logs;
  logs.reserve(sample.size());
  for (const double x : sample) {
    if (!(x > 0) || !std::isfinite(x)) {
      throw std::invalid_argument("stats: logarithm of " + std::to_string(x) +
                                  "; the value must be positive and finite");
    }
    logs.push_back(std::log(x));
  }
  return logs;
}

double median_absolute_deviation(std::span<const double> sample) {
  const double centre = median(sample);
  std::vector<double> distances(sample.begin(), sample.end());
  for (double& x : distances) x = std::abs(x - centre);
  return median(distances);
}

double geometric_mean(std::span<const double> sample) { return std::exp(mean(logarithms(sample))); }

double mean(std::span<const double> sample) {
  if (sample.empty()) throw std::invalid_argument("stats: mean of an empty sample");
  const double origin = sample.front();
  const double sum = std::accumulate(sample.begin(), sample.end(), 0.0,
                                     [origin](double partial, double x) { return partial + (x - origin); });
  return origin + sum / static_cast<double>(sample.size());
}

// Iterates with weights that are made anew about each mean; the function is convex, so that this comes to its one
// minimum.
double huber_mean(std::span<const Uncertain> sample) {
  constexpr double kBend = 1.345;
  constexpr int kMostTurns = 100;
  std::vector<double> values;
  for (const Uncertain& x : sample) values.push_back(x.value);
  double centre = median(values);
  for (int turn = 0; turn < kMostTurns; ++turn) {
    double pull = 0, weight = 0, precision = 0;
    for (const Uncertain& x : sample) {
      const double distance = std::abs(x.value - centre) / x.sd;
      const double one = (distance > kBend ? kBend / distance : 1) / (x.sd * x.sd);
      pull += one * (x.value - centre);
      weight += one;
      precision += 1 / (x.sd * x.sd);
    }
    centre += pull / weight;
    if (std::abs(pull / weight) <= 1e-6 / std::sqrt(precision)) break;
  }
  return centre;
}

double squared_deviations(std::span<const double> sample) {
  const double centre = mean(sample);
  return std::accumulate(sample.begin(), sample.end(), 0.0,
                         [centre](double sum, double x) { return sum + (x - centre) * (x - centre); });
}

double standard_deviation(std::span<const double> sample) {
  if (sample.size() < 2) throw std::invalid_argument("stats: standard deviation of fewer than two values");
  return std::sqrt(squared_deviations(sample) / static_cast<double>(sample.size() - 1));
}

double pooled_standard_deviation(std::span<const std::span<const double>> groups) {
  double sum = 0;
  std::size_t freedom = 0;
  for (const std::span<const double> group : groups) {
    if (group.size() < 2) continue;
    sum += squared_deviations(group);
    freedom += group.size() - 1;
  }
  return freedom == 0 ? 0 : std::sqrt(sum / static_cast<double>(freedom));
}

}  // namespace cupel::stats
