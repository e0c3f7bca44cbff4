#include "tests/simulator/rules.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/stats/distribution.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/multiplicity.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::simulator {
namespace {

constexpr double kAlpha = 0.002;
const double kTolerance = std::log(1.01);
// SM clock of a process against another's, as far as the robust rule sees it.
constexpr double kClockSd = 0.005;

double variance(const std::vector<double>& values) {
  const double sd = stats::standard_deviation(values);
  return sd * sd;
}

// One side of one benchmark in one process.
struct Side {
  std::vector<double> means;  // of the repetitions: what Google Benchmark reports
  std::vector<double> all;    // samples in order
  double mean = 0;

  explicit Side(const std::vector<std::vector<double>>& repetitions) {
    for (const std::vector<double>& repetition : repetitions) {
      means.push_back(stats::mean(repetition));
      all.insert(all.end(), repetition.begin(), repetition.end());
    }
    mean = stats::mean(means);
  }
};

double pairs_above(const std::vector<double>& a, const std::vector<double>& b) {
  double u = 0;
  for (const double x : a) {
    for (const double y : b) u += y > x ? 1 : y == x ? 0.5 : 0;
  }
  return u;
}

// compare.py: SciPy's two-sided Mann-Whitney at 5 %, by the normal approximation with continuity correction.
bool compare_py(const Side& base, const Side& contender) {
  const auto n = static_cast<double>(base.means.size());
  const double u = pairs_above(base.means, contender.means);
  const double sd = std::sqrt(n * n * (2 * n + 1) / 12);
  return (std::abs(u - n * n / 2) - 0.5) / sd > 1.959964 && u > n * n / 2;
}

// asv: exact two-sided Mann-Whitney at 0.002, and a factor of 1.1.
bool asv(const Side& base, const Side& contender) {
  const stats::RankTest test = stats::mann_whitney(base.means, contender.means);
  return 2 * test.p_greater < 0.002 && contender.mean / base.mean > 1.1;
}

// nvbench_compare: beyond the smaller of the two relative standard deviations of samples.
bool nvbench(const Side& base, const Side& contender) {
  const double noise = std::min(stats::standard_deviation(base.all) / base.mean,
                                stats::standard_deviation(contender.all) / contender.mean);
  return contender.mean / base.mean - 1 > noise;
}

// nvbench-compare-robust: the intervals [min, q3] are apart by 0.5 %, in time and in cycles.
bool nvbench_robust(const Side& base, const Side& contender, double clock_ratio) {
  const auto gap = [](double low, double high) { return (low - high) / high >= 0.005; };
  const std::vector<double> a = stats::sorted(base.all), b = stats::sorted(contender.all);
  const auto at = [](const std::vector<double>& values) {
    return values[static_cast<std::size_t>(std::lround(0.75 * static_cast<double>(values.size() - 1)))];
  };
  return gap(b.front(), at(a)) && gap(b.front() * clock_ratio, at(a));
}

// criterion.rs: the interval of the change of means lies beyond the noise threshold of 1 %. By batch means of 10.
bool criterion(const Side& base, const Side& contender) {
  constexpr std::size_t kBatch = 10;
  const auto batch_means = [](const std::vector<double>& values) {
    std::vector<double> means;
    for (std::size_t i = 0; i + kBatch <= values.size(); i += kBatch) {
      means.push_back(stats::mean(std::span(values).subspan(i, kBatch)));
    }
    return means;
  };
  const std::vector<double> a = batch_means(base.all), b = batch_means(contender.all);
  const auto n = static_cast<double>(a.size());
  const double error = std::sqrt((variance(a) + variance(b)) / n);
  return (stats::mean(b) - stats::mean(a) - 2.007 * error) / stats::mean(a) > 0.01;
}

std::vector<bool> at_most(std::span<const double> p, double level) {
  std::vector<bool> found;
  for (const double value : p) found.push_back(value <= level);
  return found;
}

std::vector<bool> both(const std::vector<bool>& a, const std::vector<bool>& b) {
  std::vector<bool> found(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) found[i] = a[i] && b[i];
  return found;
}

double welch_p(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<double>(a.size());
  const double va = variance(a) / n, vb = variance(b) / n, v = std::max(va + vb, 1e-12);
  const double freedom = v * v / std::max((va * va + vb * vb) / (n - 1), 1e-25);
  return stats::student_cdf(-(stats::mean(b) - stats::mean(a)) / std::sqrt(v), freedom);
}

// The lower end of the percentile bootstrap's 95 % interval of the ratio of medians, 400 resamples; all benchmarks take
// the same resamples.
std::vector<bool> bootstrap(std::span<const Locations> locations, stats::Random& random) {
  constexpr int kResamples = 400;
  const std::size_t processes = locations.front()[0].size();
  std::vector<std::array<std::vector<std::size_t>, 2>> draws(kResamples);
  for (auto& draw : draws) {
    for (auto& side : draw) {
      for (std::size_t i = 0; i < processes; ++i) side.push_back(random.below(processes));
    }
  }
  std::vector<bool> found;
  std::vector<double> drawn(processes), shifts(kResamples);
  for (const Locations& one : locations) {
    for (std::size_t r = 0; r < shifts.size(); ++r) {
      double medians[2];
      for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t i = 0; i < processes; ++i) drawn[i] = one[side][draws[r][side][i]];
        medians[side] = stats::median(drawn);
      }
      shifts[r] = medians[1] - medians[0];
    }
    std::nth_element(shifts.begin(), shifts.begin() + 10, shifts.end());
    found.push_back(shifts[10] > kTolerance);
  }
  return found;
}

}  // namespace

std::vector<Ruling> single_process_rules(const SimulatedSuite::OneProcess& one,
                                         const std::vector<std::vector<double>>& earlier_days, double clock_scale) {
  std::vector<Ruling> rulings{{"github-action-benchmark, ratio > 1.05", {}},
                              {"github-action-benchmark, ratio > 1.10", {}},
                              {"compare.py, U test p < .05, 9 repetitions", {}},
                              {"compare.py, the same and > 5 %", {}},
                              {"asv, p < .002 and x 1.1", {}},
                              {"nvbench_compare, beyond the smaller noise", {}},
                              {"nvbench-compare-robust, clear gap", {}},
                              {"criterion.rs, interval beyond 1 %", {}},
                              {"Conbench, z > 5 over 20 runs", {}}};
  const double clock_ratio = std::exp(-clock_scale * kClockSd * (one.clock[1] - one.clock[0]));
  for (std::size_t i = 0; i < one.times.size(); ++i) {
    const Side base(one.times[i][0]), contender(one.times[i][1]);
    const double ratio = contender.mean / base.mean;
    const bool by_rank = compare_py(base, contender);
    std::vector<double> history;
    for (const std::vector<double>& day : earlier_days) history.push_back(day[i]);
    const bool said[] = {ratio > 1.05,
                         ratio > 1.10,
                         by_rank,
                         by_rank && stats::median(contender.means) / stats::median(base.means) > 1.05,
                         asv(base, contender),
                         nvbench(base, contender),
                         nvbench_robust(base, contender, clock_ratio),
                         criterion(base, contender),
                         (contender.mean - stats::mean(history)) / stats::standard_deviation(history) > 5};
    for (std::size_t rule = 0; rule < rulings.size(); ++rule) rulings[rule].slower.push_back(said[rule]);
  }
  return rulings;
}

std::vector<Ruling> process_rules(std::span<const Locations> locations, std::span<const double> margins,
                                  stats::Random& random) {
  std::vector<double> p, welch, beyond_tolerance, beyond_margin;
  std::vector<bool> large;
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const std::vector<double>&a = locations[i][0], &b = locations[i][1];
    p.push_back(stats::mann_whitney(a, b).p_greater);
    welch.push_back(welch_p(a, b));
    beyond_tolerance.push_back(stats::p_greater_by(kTolerance, a, b));
    beyond_margin.push_back(stats::p_greater_by(margins[i], a, b));
    large.push_back(stats::hodges_lehmann(a, b).estimate >= kTolerance);
  }
  const std::vector<bool> by_holm = at_most(stats::holm(p), kAlpha);
  return {{"10 + 10 processes, U test p < .05", at_most(p, 0.05)},
          {"... BH q = .05", at_most(stats::benjamini_hochberg(p), 0.05)},
          {"... Holm .002", by_holm},
          {"... Holm .002 and >= 1 %", both(by_holm, large)},
          {"... Welch's t instead, Holm .002 and >= 1 %", both(at_most(stats::holm(welch), kAlpha), large)},
          {"... bootstrap interval of medians above 1 %", bootstrap(locations, random)},
          {"... margin of 1 %, Holm .002", at_most(stats::holm(beyond_tolerance), kAlpha)},
          {"... margin learned from A/A, Holm .002", at_most(stats::holm(beyond_margin), kAlpha)}};
}

}  // namespace cupel::simulator
