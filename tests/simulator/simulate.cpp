#include "tests/simulator/simulate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "cupel/compare/calibration.hpp"
#include "cupel/compare/gate.hpp"
#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/power.hpp"
#include "cupel/stats/quantile.hpp"
#include "tests/simulator/rules.hpp"

namespace cupel::simulator {
namespace {

constexpr int kProcesses = 10;   // a side, of the one-stage rules
constexpr int kRepetitions = 9;  // of the single-process rules
constexpr int kRepetitionSamples = 30;
constexpr int kDays = 20;  // that Conbench looks back at
constexpr double kAlpha = 0.002;
const double kTarget = std::log(1.03);

std::vector<std::size_t> all_of(const SimulatedSuite& suite) {
  std::vector<std::size_t> indices(suite.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

// What calibration knows of each benchmark: the noise between processes, and how far A/A comparisons were apart.
struct Known {
  std::vector<double> sigma, margin;
};

Known calibrate(SimulatedSuite& suite, const Experiment& experiment) {
  const std::vector<std::size_t> all = all_of(suite);
  const std::vector<double> nothing(suite.size(), 0.0);
  std::vector<double> squares(suite.size(), 0.0), largest(suite.size(), 0.0);
  for (int run = 0; run < experiment.calibration_runs; ++run) {
    const std::vector<double> shift = suite.session_shift(experiment.design);
    const std::vector<Locations> seen = suite.measure(all, 5, experiment.design, nothing, shift);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const std::span<const double> groups[] = {seen[i][0], seen[i][1]};
      const double sd = stats::pooled_standard_deviation(groups);
      squares[i] += sd * sd / experiment.calibration_runs;
      if (experiment.peers) {
        largest[i] = std::max(largest[i], std::abs(stats::hodges_lehmann(seen[i][0], seen[i][1]).estimate));
      }
    }
  }
  Known known;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    known.sigma.push_back(std::max(std::sqrt(squares[i]), compare::kLeastSigma));
    known.margin.push_back(compare::kMarginFactor * largest[i]);
  }
  return known;
}

struct TwoStage {
  std::vector<bool> slower;
  int suspects = 0;
  double passes = 0;
};

// The gate itself. fixed: processes a side of every confirmation; 0: by the noise.
TwoStage gate(SimulatedSuite& suite, std::span<const Locations> measured, int screen_processes, int fixed,
              const Known& known, std::span<const double> slowdown) {
  const compare::GateRules rules;
  TwoStage result{std::vector<bool>(suite.size(), false), 0, 0};
  std::map<int, std::vector<std::size_t>> by_processes;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    compare::Logs logs;
    logs.base.assign(measured[i][0].begin(), measured[i][0].begin() + screen_processes);
    logs.contender.assign(measured[i][1].begin(), measured[i][1].begin() + screen_processes);
    // Only suspects of being slower are followed: those of being faster are a family of their own.
    if (!compare::screen(logs, rules, known.sigma[i]).slower) continue;
    by_processes[fixed > 0 ? fixed : stats::confirm_processes(known.sigma[i], kTarget)].push_back(i);
    ++result.suspects;
  }
  std::vector<compare::Charge> charges;
  std::vector<std::size_t> charged;
  const std::vector<double> nothing(suite.size(), 0.0);
  for (const auto& [processes, suspects] : by_processes) {
    std::vector<Locations> fresh = suite.measure(suspects, processes, Design::interleaved, slowdown, nothing);
    result.passes += 2.0 * processes * static_cast<double>(suspects.size()) / static_cast<double>(suite.size());
    for (std::size_t i = 0; i < suspects.size(); ++i) {
      charges.push_back({{std::move(fresh[i][0]), std::move(fresh[i][1])}, true, false, rules.tolerance});
      charged.push_back(suspects[i]);
    }
  }
  const std::vector<compare::Finding> findings = compare::confirm(charges, kAlpha);
  for (std::size_t i = 0; i < findings.size(); ++i) result.slower[charged[i]] = findings[i].slower;
  return result;
}

// One comparison of one suite by all rules.
struct Outcome {
  std::vector<Ruling> rulings;
  std::vector<std::size_t> slowed;
  std::vector<bool> gateable;
  std::vector<Kind> kinds;
  int suspects = 0;
  double passes = 0;
};

std::vector<std::size_t> pick_one_of_each_kind(SimulatedSuite& suite) {
  std::vector<std::size_t> picked;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < suite.size(); ++i) {
      if (suite.kind(i) == kind) members.push_back(i);
    }
    picked.push_back(members[suite.random().below(members.size())]);
  }
  return picked;
}

Outcome compare_once(const Experiment& experiment, std::uint64_t seed, double slowdown) {
  SimulatedSuite suite(experiment.model, seed, experiment.scale, experiment.benchmarks);
  Outcome outcome;
  std::vector<double> slowed(suite.size(), 0.0);
  if (slowdown > 0) outcome.slowed = pick_one_of_each_kind(suite);
  for (const std::size_t index : outcome.slowed) slowed[index] = std::log1p(slowdown);
  const Known known = calibrate(suite, experiment);
  const std::vector<double> shift = suite.session_shift(experiment.design);
  const std::vector<std::size_t> all = all_of(suite);
  const int processes = experiment.peers ? kProcesses : 5;
  const std::vector<Locations> measured = suite.measure(all, processes, experiment.design, slowed, shift);
  if (experiment.peers) {
    std::vector<std::vector<double>> days;
    for (int day = 0; day < kDays; ++day) days.push_back(suite.measure_another_day(kRepetitionSamples));
    const SimulatedSuite::OneProcess one =
        suite.measure_once(kRepetitions, kRepetitionSamples, experiment.design, slowed, shift);
    outcome.rulings = single_process_rules(one, days, experiment.scale);
    for (Ruling& ruling : process_rules(measured, known.margin, suite.random())) {
      outcome.rulings.push_back(std::move(ruling));
    }
    outcome.rulings.push_back(
        {"two stages: 5 + 5, confirm 10 + 10", gate(suite, measured, 5, 10, known, slowed).slower});
  }
  TwoStage own = gate(suite, measured, 5, 0, known, slowed);
  outcome.suspects = own.suspects;
  outcome.passes = own.passes;
  outcome.rulings.push_back({kGateRule, std::move(own.slower)});
  if (experiment.peers) {
    outcome.rulings.push_back({"the same after a screen of 7 + 7", gate(suite, measured, 7, 0, known, slowed).slower});
  }
  for (std::size_t i = 0; i < suite.size(); ++i) {
    outcome.gateable.push_back(stats::gateable(known.sigma[i], kTarget));
    outcome.kinds.push_back(suite.kind(i));
  }
  return outcome;
}

void count_unchanged(const Outcome& outcome, Counts& counts) {
  for (std::size_t rule = 0; rule < outcome.rulings.size(); ++rule) {
    const std::vector<bool>& slower = outcome.rulings[rule].slower;
    const auto alarms = static_cast<int>(std::count(slower.begin(), slower.end(), true));
    counts.rules[rule].alarms += alarms;
    counts.rules[rule].suites_with_alarm += alarms > 0;
  }
  std::array<double, 4> gateable{}, members{};
  for (std::size_t i = 0; i < outcome.kinds.size(); ++i) {
    gateable[outcome.kinds[i]] += outcome.gateable[i];
    ++members[outcome.kinds[i]];
  }
  const int suites = counts.experiment.unchanged_suites;
  for (std::size_t kind = 0; kind < 4; ++kind) counts.gateable_share[kind] += gateable[kind] / members[kind] / suites;
  counts.suspects += static_cast<double>(outcome.suspects) / suites;
  counts.confirm_passes += outcome.passes / suites;
}

void count_changed(const Outcome& outcome, double slowdown, Counts& counts) {
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const std::size_t index = outcome.slowed[kind];
    counts.gateable[slowdown][kind] += outcome.gateable[index];
    for (std::size_t rule = 0; rule < outcome.rulings.size(); ++rule) {
      const bool found = outcome.rulings[rule].slower[index];
      counts.rules[rule].found[slowdown][kind] += found;
      counts.rules[rule].found_gateable[slowdown][kind] += found && outcome.gateable[index];
    }
  }
}

// work(i) for each i below count.
template <typename Work>
void in_parallel(int count, int threads, Work work) {
  std::atomic<int> next{0};
  const auto take = [&] {
    for (int i = next++; i < count; i = next++) work(static_cast<std::size_t>(i));
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(take);
  take();
  for (std::thread& other : others) other.join();
}

// Comparisons counted in their order.
template <typename Count>
void run_all(const Experiment& experiment, int suites, double slowdown, std::uint64_t seed, Counts& counts,
             Count count) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(suites));
  in_parallel(suites, experiment.threads,
              [&](std::size_t i) { outcomes[i] = compare_once(experiment, seed + i, slowdown); });
  for (const Outcome& outcome : outcomes) {
    if (counts.rules.empty()) {
      for (const Ruling& ruling : outcome.rulings) counts.rules.emplace_back().rule = ruling.rule;
    }
    count(outcome);
  }
}

// Wilson's 95 % interval of a share.
std::pair<double, double> wilson(int k, int n) {
  const double z = 1.96, p = static_cast<double>(k) / n;
  const double centre = p + z * z / (2 * n), half = z * std::sqrt(p * (1 - p) / n + z * z / (4.0 * n * n));
  return {(centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)};
}

double draw(const std::string& shape, stats::Random& random) {
  if (shape == "normal") return 0.01 * random.normal();
  if (shape == "skewed") return 0.01 * random.exponential();
  if (shape == "bimodal") return 0.003 * random.normal() + (random.uniform() < 0.3 ? 0.02 : 0);
  throw std::invalid_argument("there is no shape '" + shape + "'; there are normal, skewed and bimodal");
}

}  // namespace

const RuleCount& Counts::rule(const std::string& name) const {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const RuleCount& rule) { return rule.rule == name; });
  if (found == rules.end()) throw std::invalid_argument("there is no rule '" + name + "'");
  return *found;
}

Counts simulate(const Experiment& experiment) {
  Counts counts;
  counts.experiment = experiment;
  run_all(experiment, experiment.unchanged_suites, 0, experiment.seed, counts,
          [&](const Outcome& outcome) { count_unchanged(outcome, counts); });
  for (const double slowdown : experiment.slowdowns) {
    const auto seed = experiment.seed + 1'000'000 + static_cast<std::uint64_t>(std::lround(slowdown * 1e8));
    run_all(experiment, experiment.changed_suites, slowdown, seed, counts,
            [&](const Outcome& outcome) { count_changed(outcome, slowdown, counts); });
  }
  return counts;
}

double detection(const RuleCount& rule, const Counts& counts, double slowdown) {
  double share = 0;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    share += counts.experiment.model.mix[kind] * rule.found.at(slowdown)[kind] / counts.experiment.changed_suites;
  }
  return share;
}

double gateable_detection(const RuleCount& rule, const Counts& counts, double slowdown) {
  const std::array<double, 4>& mix = counts.experiment.model.mix;
  double found = 0, all = 0;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    found += mix[kind] * rule.found_gateable.at(slowdown)[kind];
    all += mix[kind] * counts.gateable.at(slowdown)[kind];
  }
  return all > 0 ? found / all : 0;
}

std::string table(const Counts& counts) {
  const Experiment& experiment = counts.experiment;
  std::string text = fmt::format(
      "{} unchanged suites of {} benchmarks, {} suites for each slowdown. Suspects of an unchanged suite: {:.1f}; "
      "confirming them takes {:.2f} processes of the whole suite. Gateable at 3 % (large / small / power-limited / "
      "host-bound): {:.0f} / {:.0f} / {:.0f} / {:.0f} %.\n\n",
      experiment.unchanged_suites, experiment.benchmarks, experiment.changed_suites, counts.suspects,
      counts.confirm_passes, 100 * counts.gateable_share[0], 100 * counts.gateable_share[1],
      100 * counts.gateable_share[2], 100 * counts.gateable_share[3]);
  text += "| rule | unchanged suites with an alarm (95 %) | alarms a suite |";
  std::string line = "|---|---|--:|";
  for (const double slowdown : experiment.slowdowns) {
    text += fmt::format(" {:g} % |", 100 * slowdown);
    line += "--:|";
  }
  const bool three = std::count(experiment.slowdowns.begin(), experiment.slowdowns.end(), 0.03) > 0;
  if (three) {
    text += " 3 %: large / small / power / host | 3 %, gateable |";
    line += "---|--:|";
  }
  text += "\n" + line + "\n";
  for (const RuleCount& rule : counts.rules) {
    const auto [low, high] = wilson(rule.suites_with_alarm, experiment.unchanged_suites);
    text += fmt::format("| {} | {:.2f} % ({:.2f} to {:.2f}) | {:.3f} |", rule.rule,
                        100.0 * rule.suites_with_alarm / experiment.unchanged_suites, 100 * std::max(0.0, low),
                        100 * high, static_cast<double>(rule.alarms) / experiment.unchanged_suites);
    for (const double slowdown : experiment.slowdowns)
      text += fmt::format(" {:.0f} |", 100 * detection(rule, counts, slowdown));
    if (three) {
      const std::array<int, 4>& found = rule.found.at(0.03);
      const double share = 100.0 / experiment.changed_suites;
      text += fmt::format(" {:.0f} / {:.0f} / {:.0f} / {:.0f} | {:.1f} |", share * found[0], share * found[1],
                          share * found[2], share * found[3], 100 * gateable_detection(rule, counts, 0.03));
    }
    text += "\n";
  }
  return text;
}

double coverage(const std::string& shape, int processes, int comparisons, std::uint64_t seed) {
  stats::Random random(seed);
  const double truth = std::log(1.02);
  int covered = 0;
  std::vector<double> a(static_cast<std::size_t>(processes)), b(a.size());
  for (int i = 0; i < comparisons; ++i) {
    for (double& value : a) value = draw(shape, random);
    for (double& value : b) value = truth + draw(shape, random);
    covered += stats::hodges_lehmann(a, b).interval.contains(truth);
  }
  return static_cast<double>(covered) / comparisons;
}

std::array<double, 4> coverage(const Model& model, int processes, int suites, std::uint64_t seed) {
  const double truth = std::log(1.02);
  std::array<int, 4> covered{}, all{};
  for (int i = 0; i < suites; ++i) {
    SimulatedSuite suite(model, seed + static_cast<std::uint64_t>(i), 1, 300);
    const std::vector<double> slowed(suite.size(), truth), nothing(suite.size(), 0.0);
    const std::vector<Locations> seen = suite.measure(all_of(suite), processes, Design::interleaved, slowed, nothing);
    for (std::size_t b = 0; b < seen.size(); ++b) {
      covered[suite.kind(b)] += stats::hodges_lehmann(seen[b][0], seen[b][1]).interval.contains(truth);
      ++all[suite.kind(b)];
    }
  }
  std::array<double, 4> share{};
  for (std::size_t kind = 0; kind < 4; ++kind) share[kind] = static_cast<double>(covered[kind]) / all[kind];
  return share;
}

std::array<SeenSpread, 4> simulated_spread(const Model& model, int suites, std::uint64_t seed) {
  std::array<std::vector<double>, 4> sds;
  for (int i = 0; i < suites; ++i) {
    SimulatedSuite suite(model, seed + static_cast<std::uint64_t>(i), 1, 300);
    const std::vector<double> nothing(suite.size(), 0.0);
    const std::vector<Locations> seen = suite.measure(all_of(suite), 10, Design::interleaved, nothing, nothing);
    for (std::size_t b = 0; b < seen.size(); ++b) {
      sds[suite.kind(b)].push_back(stats::standard_deviation(seen[b][0]));
    }
  }
  std::array<SeenSpread, 4> spread;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    spread[kind] = {stats::quantile(sds[kind], 0.5), stats::quantile(sds[kind], 0.9)};
  }
  return spread;
}

namespace {

// One benchmark's recorded processes.
struct Recorded {
  std::vector<double> logs;
  double sigma = 0;
};

std::vector<Recorded> recorded_of(const std::map<std::string, std::vector<double>>& locations_us) {
  std::vector<Recorded> all;
  for (const auto& [name, values] : locations_us) {
    std::vector<double> logs = stats::logarithms(values);
    const double sigma = stats::standard_deviation(logs);
    all.push_back({std::move(logs), sigma});
  }
  return all;
}

std::vector<std::size_t> gateable_of(const std::vector<Recorded>& all) {
  std::vector<std::size_t> gateable;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (stats::gateable(all[i].sigma, kTarget)) gateable.push_back(i);
  }
  return gateable;
}

// Whether 5 processes of the order and the next 5, these slower by shift, make the benchmark suspect.
bool is_suspect(const Recorded& benchmark, std::span<const std::size_t> order, double shift) {
  compare::Logs screened;
  for (std::size_t i = 0; i < 5; ++i) {
    screened.base.push_back(benchmark.logs[order[i]]);
    screened.contender.push_back(benchmark.logs[order[5 + i]] + shift);
  }
  return compare::screen(screened, compare::GateRules(), benchmark.sigma).slower;
}

compare::Charge draw_fresh(const Recorded& benchmark, double shift, stats::Random& random) {
  compare::Charge charge{{}, true, false, compare::GateRules().tolerance};
  const int fresh = stats::confirm_processes(benchmark.sigma, kTarget);
  for (int i = 0; i < fresh; ++i) {
    charge.logs.base.push_back(benchmark.logs[random.below(benchmark.logs.size())]);
    charge.logs.contender.push_back(benchmark.logs[random.below(benchmark.logs.size())] + shift);
  }
  return charge;
}

struct Suspects {
  std::vector<compare::Charge> charges;
  std::vector<bool> is_slowed;
};

// slowed: the benchmark that is slower by shift; none, where shift is 0.
Suspects deal(const std::vector<Recorded>& all, std::span<const std::size_t> order, std::size_t slowed, double shift,
              stats::Random& random) {
  Suspects suspects;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double by = i == slowed ? shift : 0;
    if (!is_suspect(all[i], order, by)) continue;
    suspects.charges.push_back(draw_fresh(all[i], by, random));
    suspects.is_slowed.push_back(by > 0);
  }
  return suspects;
}

void count(const Suspects& suspects, const std::vector<compare::Finding>& findings, RecordedCounts& counts) {
  int alarms = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].slower) ++(suspects.is_slowed[i] ? counts.found : alarms);
  }
  counts.suspects += static_cast<int>(findings.size());
  counts.alarms += alarms;
  counts.splits_with_alarm += alarms > 0;
}

}  // namespace

RecordedCounts split_recorded(const std::map<std::string, std::vector<double>>& locations_us, int splits,
                              double slowdown, int threads) {
  const std::vector<Recorded> all = recorded_of(locations_us);
  const std::vector<std::size_t> gateable = gateable_of(all);
  std::vector<std::size_t> order(all.front().logs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stats::Random random(1);
  std::vector<Suspects> suspects;
  for (int split = 0; split < splits; ++split) {
    random.shuffle(std::span(order));
    const std::size_t slowed = gateable.at(static_cast<std::size_t>(split) % gateable.size());
    suspects.push_back(deal(all, order, slowed, std::log1p(slowdown), random));
  }
  // Which takes nearly all of the time: fresh processes are drawn with replacement, so that there are ties.
  std::vector<std::vector<compare::Finding>> findings(suspects.size());
  in_parallel(splits, threads, [&](std::size_t i) { findings[i] = compare::confirm(suspects[i].charges, kAlpha); });
  RecordedCounts counts;
  counts.splits = splits;
  for (std::size_t i = 0; i < suspects.size(); ++i) count(suspects[i], findings[i], counts);
  return counts;
}

}  // namespace cupel::simulator
