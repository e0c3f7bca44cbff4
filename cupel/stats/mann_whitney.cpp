#include "cupel/stats/mann_whitney.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/null_distribution.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::stats {
namespace {

// Twice the ranks (from 0), so that the average rank of tied values is whole; and the sizes of the groups of ties.
struct DoubledRanks {
  std::vector<std::size_t> of_a, of_b;
  std::vector<std::size_t> groups;

  bool tied() const { return groups.size() < of_a.size() + of_b.size(); }
};

DoubledRanks doubled_ranks(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> x = sorted(a);
  const std::vector<double> y = sorted(b);
  DoubledRanks ranks;
  for (std::size_t i = 0, j = 0; i < x.size() || j < y.size();) {
    const double value = j == y.size() || (i < x.size() && x[i] < y[j]) ? x[i] : y[j];
    const std::size_t before = i + j;
    std::size_t in_a = 0;
    std::size_t in_b = 0;
    for (; i < x.size() && x[i] == value; ++i) ++in_a;
    for (; j < y.size() && y[j] == value; ++j) ++in_b;
    const std::size_t doubled = 2 * before + in_a + in_b - 1;
    ranks.of_a.insert(ranks.of_a.end(), in_a, doubled);
    ranks.of_b.insert(ranks.of_b.end(), in_b, doubled);
    ranks.groups.push_back(in_a + in_b);
  }
  return ranks;
}

std::size_t total(const std::vector<std::size_t>& values) {
  std::size_t sum = 0;
  for (const std::size_t v : values) sum += v;
  return sum;
}

// Twice U: the doubled ranks of b less the least they could sum to.
std::size_t doubled_u(const DoubledRanks& ranks) {
  const std::size_t m = ranks.of_b.size();
  return total(ranks.of_b) - m * (m - 1);
}

double combinations(std::size_t of, std::size_t chosen) {
  double ways = 1;
  for (std::size_t i = 1; i <= chosen; ++i) ways = ways * static_cast<double>(of - chosen + i) / static_cast<double>(i);
  return ways;
}

// Counts the choices of m of the ascending ranks by their sum: from the least possible sum up to `most`. Skips partial
// choices that can no longer end at `most` or below, or that have too few ranks left to reach m.
std::vector<double> ways_up_to(std::size_t most, std::span<const std::size_t> ranks, std::size_t m) {
  std::vector<std::size_t> sums = {0};  // of the first ranks
  for (const std::size_t rank : ranks) sums.push_back(sums.back() + rank);
  const std::size_t width = most - sums[m] + 1;
  std::vector<double> ways((m + 1) * width, 0.0);  // of k chosen, k * width + (sum - sums[k])
  ways[0] = 1;
  for (std::size_t seen = 1; seen <= ranks.size(); ++seen) {
    const std::size_t rank = ranks[seen - 1], left = ranks.size() - seen;
    const std::size_t fewest = std::max<std::size_t>(1, m > left ? m - left : 0);
    for (std::size_t k = std::min(seen, m); k >= fewest; --k) {
      // With this rank, the sum of k ranks is at least that of the first k - 1 and this one; the other m - k are no
      // smaller than the next ones.
      const std::size_t least = sums[k - 1] + rank, to_come = sums[seen + m - k] - sums[seen];
      if (least + to_come > most) continue;
      const std::size_t count = std::min(sums[seen] - sums[seen - k], most - to_come) - least + 1;
      double* const with = &ways[k * width] + (least - sums[k]);
      const double* const without = &ways[(k - 1) * width];
      for (std::size_t i = 0; i < count; ++i) with[i] += without[i];
    }
  }
  return {ways.end() - static_cast<std::ptrdiff_t>(width), ways.end()};
}

struct Tails {
  double at_most = 1, at_least = 1;
};

// Returns the probabilities that m of the ascending ranks sum to at most `sum` and to at least `sum`. sum: at most the
// mean sum, so that the upper probability is large, and one minus the rest loses no digits.
Tails lower_tails(std::size_t sum, std::span<const std::size_t> ranks, std::size_t m) {
  const std::vector<double> ways = ways_up_to(sum, ranks, m);
  const double below = std::accumulate(ways.begin(), ways.end() - 1, 0.0), all = combinations(ranks.size(), m);
  return {std::min(1.0, (below + ways.back()) / all), std::min(1.0, (all - below) / all)};
}

// The tails of the sum of the doubled ranks of b, over all choices of as many of the pooled values. A sum above the
// mean is counted from the other end.
Tails tied_tails(const DoubledRanks& ranks) {
  std::vector<std::size_t> pooled = ranks.of_a;
  pooled.insert(pooled.end(), ranks.of_b.begin(), ranks.of_b.end());
  std::ranges::sort(pooled);
  const std::size_t m = ranks.of_b.size(), sum = total(ranks.of_b);
  if (sum <= m * (pooled.size() - 1)) return lower_tails(sum, pooled, m);
  const std::size_t greatest = pooled.back();
  std::ranges::reverse(pooled);
  for (std::size_t& rank : pooled) rank = greatest - rank;
  const Tails mirrored = lower_tails(m * greatest - sum, pooled, m);
  return {mirrored.at_least, mirrored.at_most};
}

RankTest from_tails(double u, double p_greater, double p_less) {
  return {u, p_greater, p_less, std::min(1.0, 2 * std::min(p_greater, p_less))};
}

RankTest approximate(const DoubledRanks& ranks) {
  const auto n = static_cast<double>(ranks.of_a.size());
  const auto m = static_cast<double>(ranks.of_b.size());
  const double all = n + m;
  double ties = 0;
  for (const std::size_t size : ranks.groups) {
    const auto t = static_cast<double>(size);
    ties += t * t * t - t;
  }
  const double deviation = std::sqrt(n * m / 12 * ((all + 1) - ties / (all * (all - 1))));
  const double u = 0.5 * static_cast<double>(doubled_u(ranks));
  if (deviation == 0) return from_tails(u, 1, 1);
  const double excess = u - 0.5 * n * m;
  return from_tails(u, normal_cdf(-(excess - 0.5) / deviation), normal_cdf((excess + 0.5) / deviation));
}

}  // namespace

RankTest mann_whitney(std::span<const double> a, std::span<const double> b) {
  if (a.empty() || b.empty()) throw std::invalid_argument("stats: Mann-Whitney test of an empty sample");
  const DoubledRanks ranks = doubled_ranks(a, b);
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  if (pairs > (ranks.tied() ? kExactTiedPairs : kExactPairs)) return approximate(ranks);
  const std::size_t twice_u = doubled_u(ranks);
  const double u = 0.5 * static_cast<double>(twice_u);
  if (!ranks.tied()) {
    const auto null = rank_sum_null(a.size(), b.size());
    const auto v = static_cast<std::ptrdiff_t>(twice_u / 2);
    return from_tails(u, null->at_least(v), null->at_most(v));
  }
  const Tails tails = tied_tails(ranks);
  return from_tails(u, tails.at_least, tails.at_most);
}

double p_greater_by(double margin, std::span<const double> a, std::span<const double> b) {
  std::vector<double> moved(a.begin(), a.end());
  for (double& x : moved) x += margin;
  return mann_whitney(moved, b).p_greater;
}

double smallest_p(int n, int m) {
  const auto fewer = static_cast<std::size_t>(std::min(n, m)), more = static_cast<std::size_t>(std::max(n, m));
  return 1 / combinations(fewer + more, fewer);
}

}  // namespace cupel::stats
