#include "cupel/stats/effect.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/null_distribution.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

constexpr std::size_t kExactDifferences = 200;

// The k-th smallest of values that are only counted: count(t) says how many are at most t. All finite doubles and
// infinities lie between the first two keys, in order.
template <typename Count>
double kth_smallest(const Count& count, double k) {
  const auto value = [](std::int64_t key) { return std::bit_cast<double>(key < 0 ? key ^ INT64_MAX : key); };
  const auto infinity = std::bit_cast<std::int64_t>(std::numeric_limits<double>::infinity());
  std::int64_t low = -infinity - 1, high = infinity;
  while (low < high) {
    const std::int64_t middle = std::midpoint(low, high);
    if (count(value(middle)) > k) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return value(high);
}

// Centre and interval where all values would take too much room: of a statistic of mean half the number of values and
// this standard deviation. Rounded outwards.
template <typename Count>
Shift approximate_shift(const Count& count, double values, double deviation, double level) {
  if (!(level > 0 && level < 1)) throw std::invalid_argument("stats: the level of an interval lies between 0 and 1");
  const double below = 0.5 * values - 0.5 - normal_quantile(0.5 + 0.5 * level) * deviation;
  const double k = std::clamp(std::floor(below), 0.0, std::floor((values - 1) / 2));
  const double last = values - 1, low = kth_smallest(count, std::floor(last / 2)),
               high = kth_smallest(count, std::ceil(last / 2));
  return {low == high ? low : 0.5 * (low + high), {kth_smallest(count, k), kth_smallest(count, last - k), level}};
}

void require_some(std::span<const double> sample, const char* of) {
  if (sample.empty()) throw std::invalid_argument(std::string("stats: Hodges-Lehmann ") + of + " of an empty sample");
}

std::vector<double> differences_of(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all;
  all.reserve(a.size() * b.size());
  for (const double x : a) {
    for (const double y : b) all.push_back(y - x);
  }
  return all;
}

std::vector<double> walsh_averages(std::span<const double> sample) {
  std::vector<double> all;
  all.reserve(sample.size() * (sample.size() + 1) / 2);
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (std::size_t j = i; j < sample.size(); ++j) all.push_back(0.5 * (sample[i] + sample[j]));
  }
  return all;
}

// Centre and interval of all values. No more of them are put in order than are asked for.
Shift exact_shift(std::vector<double> all, const NullDistribution& null, double level) {
  require_numbers(all);
  const OrderRank rank = order_rank(all.size(), null, level);
  const auto at = [&all](std::size_t i) { return all.begin() + static_cast<std::ptrdiff_t>(i); };
  const std::size_t last = all.size() - 1, lower = last / 2, upper = last - lower, low = rank.k - 1, high = last - low;
  std::nth_element(at(0), at(lower), all.end());
  if (upper > lower) std::nth_element(at(upper), at(upper), all.end());
  if (low < lower) std::nth_element(at(0), at(low), at(lower));
  if (high > upper) std::nth_element(at(upper + 1), at(high), all.end());
  const double centre = quantile_of_sorted(std::span(at(lower), upper - lower + 1), 0.5);
  return {centre, {all[low], all[high], rank.level}};
}

// Counts b[j] - a[i], both ascending: for a larger a[i] more of b is near enough.
double differences_at_most(std::span<const double> a, std::span<const double> b, double t) {
  double count = 0;
  std::size_t j = 0;
  for (const double x : a) {
    while (j < b.size() && b[j] - x <= t) ++j;
    count += static_cast<double>(j);
  }
  return count;
}

// Counts averages of two with i <= j, ascending: for a larger one fewer others are small enough.
double averages_at_most(std::span<const double> ascending, double t) {
  double count = 0;
  std::size_t end = ascending.size();
  for (std::size_t i = 0; i < end; ++i) {
    while (end > i && 0.5 * (ascending[i] + ascending[end - 1]) > t) --end;
    count += static_cast<double>(end - i);
  }
  return count;
}

}  // namespace

Shift hodges_lehmann(std::span<const double> a, std::span<const double> b, double level) {
  require_some(a, "shift");
  require_some(b, "shift");
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  if (n * m <= kExactPairs) {
    return exact_shift(differences_of(a, b), *rank_sum_null(a.size(), b.size()), level);
  }
  const std::vector<double> from = sorted(a), to = sorted(b);
  return approximate_shift([&](double t) { return differences_at_most(from, to, t); }, n * m,
                           std::sqrt(n * m * (n + m + 1) / 12), level);
}

Shift hodges_lehmann(std::span<const double> differences, double level) {
  require_some(differences, "centre");
  const auto n = static_cast<double>(differences.size());
  if (differences.size() <= kExactDifferences) {
    return exact_shift(walsh_averages(differences), *signed_rank_null(differences.size()), level);
  }
  const std::vector<double> ascending = sorted(differences);
  return approximate_shift([&](double t) { return averages_at_most(ascending, t); }, n * (n + 1) / 2,
                           std::sqrt(n * (n + 1) * (2 * n + 1) / 24), level);
}

}  // namespace cupel::stats
