#include "tests/simulator/histories.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/history/history.hpp"
#include "tests/simulator/gated.hpp"
#include "tests/simulator/in_parallel.hpp"

namespace cupel::simulator {
namespace {

constexpr std::size_t kBenchmarks = 10;
constexpr int kProcesses = 5;
constexpr double kBetweenProcesses = 0.003;

std::string commit_of(std::size_t session) { return "commit" + name_of(session); }

// A date of a place in the order.
std::string date_of(std::size_t session) { return "2026-01-01T00:00:00." + name_of(session) + "Z"; }

history::HistoryPoint session_of(const HistoryExperiment& experiment, std::size_t place, stats::Random& random) {
  const bool is_newest = place + 1 >= experiment.sessions;
  history::HistoryPoint point{commit_of(is_newest ? experiment.sessions - 1 : place), date_of(place), {}, {}};
  for (std::size_t i = 0; i < kBenchmarks; ++i) {
    const double shift = is_newest && i == 0 ? std::log1p(experiment.slowdown) : 0;
    const double level = experiment.noise.draw(random) + shift;
    std::vector<double>& times_s = point.benchmarks[name_of(i)];
    for (int k = 0; k < kProcesses; ++k)
      times_s.push_back(1e-3 * std::exp(level + kBetweenProcesses * random.normal()));
  }
  return point;
}

bool counts(const HistoryExperiment& experiment, const history::Drift& drift) {
  return experiment.slowdown == 0 || drift.benchmark == name_of(0);
}

history::HistoryResult result_of(const HistoryExperiment& experiment,
                                 const std::vector<history::HistoryPoint>& points) {
  history::HistoryOptions options;
  options.references = {commit_of(experiment.sessions - 2)};
  options.today = "2026-11-20";
  history::HistoryResult result = history::analyse(points, options);
  std::erase_if(result.drifts, [&](const history::Drift& drift) { return !counts(experiment, drift); });
  return result;
}

HistoryCounts one_history(const HistoryExperiment& experiment, std::uint64_t seed) {
  stats::Random random(seed);
  std::vector<history::HistoryPoint> points;
  for (std::size_t i = 0; i < experiment.sessions; ++i) points.push_back(session_of(experiment, i, random));
  HistoryCounts counts;
  const history::HistoryResult first = result_of(experiment, points);
  counts.at_once = counts.slower = first.regression();
  counts.undecided = first.undecided() && !first.regression();
  for (const history::Drift& drift : first.drifts)
    counts.asked = std::max(counts.asked, drift.sessions_to_show.value_or(0));
  if (counts.at_once || counts.asked == 0) return counts;
  for (int i = 0; i < counts.asked; ++i) points.push_back(session_of(experiment, points.size(), random));
  counts.slower = result_of(experiment, points).regression();
  return counts;
}

}  // namespace

std::vector<Noise> session_noises() {
  return {{"normal, 0.3 %", [](stats::Random& random) { return 0.003 * random.normal(); }},
          {"exponential, 0.3 %", [](stats::Random& random) { return 0.003 * random.exponential(); }},
          {"Student 2, 0.2 %",
           [](stats::Random& random) { return 0.002 * random.normal() / std::sqrt(random.exponential()); }},
          {"spikes: 0.3 %, 5 % of them three times as long",
           [](stats::Random& random) {
             const double normal = 0.003 * random.normal();
             return normal + (random.uniform() < 0.05 ? std::log(3.0) : 0);
           }},
          {"two levels: 0.1 %, 30 % of them 3 % longer", [](stats::Random& random) {
             const double normal = 0.001 * random.normal();
             return normal + (random.uniform() < 0.3 ? 0.03 : 0);
           }}};
}

HistoryCounts count_histories(const HistoryExperiment& experiment) {
  std::vector<HistoryCounts> all(static_cast<std::size_t>(experiment.histories));
  in_parallel(experiment.histories, experiment.threads,
              [&](std::size_t i) { all[i] = one_history(experiment, experiment.seed + i); });
  HistoryCounts sum;
  for (const HistoryCounts& one : all) {
    sum.at_once += one.at_once;
    sum.slower += one.slower;
    sum.undecided += one.undecided;
    sum.asked += one.asked;
  }
  return sum;
}

}  // namespace cupel::simulator
