#include "cupel/figures/states.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cupel/figures/process.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::figures {
namespace {

constexpr std::size_t kFewestProcesses = 4;
constexpr std::size_t kFewRounds = 9;
constexpr double kWidestGap = 1.25;
constexpr double kClean = 8, kCleanOfFew = 25;
constexpr double kTwice = 2;

std::vector<double> rounds_of(const record::Series& series) {
  std::vector<std::int64_t> sizes = series.round_sizes;
  if (sizes.empty()) sizes = {static_cast<std::int64_t>(series.samples_s.size())};
  std::vector<double> locations;
  auto first = series.samples_s.begin();
  for (const std::int64_t size : sizes) {
    record::Series round;
    round.correction_s = series.correction_s;
    round.samples_s.assign(first, first + size);
    first += size;
    if (size > 0) locations.push_back(location_s(round));
  }
  return locations;
}

double variance_of(std::span<const double> values) {
  const std::vector<double> all(values.begin(), values.end());
  const double sd = stats::standard_deviation(all);
  return sd * sd;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double ashmans_d(std::span<const double> low, std::span<const double> high) {
  const double apart = mean_of(high) - mean_of(low);
  return std::sqrt(2) * apart / std::sqrt(variance_of(low) + variance_of(high));
}

// Returns the number of logarithms below the widest gap, among the gaps with enough of them on either side. logs:
// ascending.
std::size_t widest_gap(const std::vector<double>& logs) {
  const std::size_t fewest = std::max<std::size_t>(2, (logs.size() + 4) / 5);
  std::size_t at = fewest;
  for (std::size_t i = fewest; i + fewest <= logs.size(); ++i) {
    if (logs[i] - logs[i - 1] > logs[at] - logs[at - 1]) at = i;
  }
  return at;
}

double middle_s(std::span<const double> logs) {
  return std::exp(stats::median(std::vector<double>(logs.begin(), logs.end())));
}

}  // namespace

std::optional<TwoStates> two_states(std::span<const record::Series> of_processes) {
  if (of_processes.size() < kFewestProcesses) return std::nullopt;
  std::vector<double> rounds;
  for (const record::Series& series : of_processes) {
    for (const double location : rounds_of(series)) rounds.push_back(location);
  }
  if (!stats::are_positive(rounds)) return std::nullopt;
  std::vector<double> logs = stats::logarithms(rounds);
  std::ranges::sort(logs);
  const std::size_t at = widest_gap(logs);
  if (logs[at] - logs[at - 1] < std::log(kWidestGap)) return std::nullopt;
  const std::span low(logs.data(), at), high(logs.data() + at, logs.size() - at);
  const double wanted = logs.size() < kFewRounds ? kCleanOfFew : kClean;
  if (!(ashmans_d(low, high) > wanted)) return std::nullopt;
  return TwoStates{middle_s(low), middle_s(high)};
}

std::optional<double> first_apart(std::span<const double> locations_s) {
  if (locations_s.size() < 3) return std::nullopt;
  const double slowest = std::ranges::max(locations_s.subspan(1));
  if (!(slowest > 0) || locations_s.front() <= kTwice * slowest) return std::nullopt;
  return locations_s.front() / slowest;
}

}  // namespace cupel::figures
