#include "tests/simulator/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"
#include "tests/simulator/gated.hpp"
#include "tests/simulator/in_parallel.hpp"
#include "tests/simulator/suite.hpp"

namespace cupel::simulator {
namespace {

constexpr int kCalibrationRuns = 2;  // what cupel calibrate does unless told otherwise

gate::MachineNoise calibrate(SimulatedSuite& suite) {
  const std::vector<double> unchanged(suite.size(), 0.0);
  gate::MachineNoise calibration;
  for (int run = 0; run < kCalibrationRuns; ++run) {
    add_session(calibration, suite.measure(suite.all(kScreened), unchanged));
  }
  return calibration;
}

// One comparison of one suite, of which some benchmarks may be slower.
struct Outcome {
  std::vector<Kind> kinds;
  std::vector<bool> gateable, slower;
  std::array<std::size_t, 4> slowed{};
};

Outcome compare_once(const Experiment& experiment, std::uint64_t seed, double slowdown) {
  SimulatedSuite suite(experiment.model, seed, experiment.benchmarks);
  Outcome outcome;
  std::vector<double> slowdowns(suite.size(), 0.0);
  if (slowdown > 0) {
    outcome.slowed = suite.one_of_each_kind();
    for (const std::size_t i : outcome.slowed) slowdowns[i] = std::log1p(slowdown);
  }
  const gate::MachineNoise calibration = calibrate(suite);
  outcome.slower =
      slower_of(run_gate(suite.size(), &calibration, [&](std::span<const Wish> wishes, const std::string&) {
        return suite.measure(wishes, slowdowns);
      }));
  for (std::size_t i = 0; i < suite.size(); ++i) {
    outcome.kinds.push_back(suite.kind(i));
    outcome.gateable.push_back(*calibration.find(name_of(i))->gateable_at() <= kTarget);
  }
  return outcome;
}

std::vector<Outcome> compare_all(const Experiment& experiment, int suites, std::uint64_t seed, double slowdown) {
  std::vector<Outcome> outcomes(static_cast<std::size_t>(suites));
  in_parallel(suites, experiment.threads,
              [&](std::size_t i) { outcomes[i] = compare_once(experiment, seed + i, slowdown); });
  return outcomes;
}

void count_unchanged(const Outcome& outcome, int suites, Counts& counts) {
  counts.suites_with_alarm += std::ranges::count(outcome.slower, true) > 0;
  std::array<double, 4> gateable{}, members{};
  for (std::size_t i = 0; i < outcome.kinds.size(); ++i) {
    gateable[outcome.kinds[i]] += outcome.gateable[i];
    ++members[outcome.kinds[i]];
  }
  for (std::size_t kind = 0; kind < 4; ++kind) counts.gateable_share[kind] += gateable[kind] / members[kind] / suites;
}

void count_changed(const Outcome& outcome, Counts& counts) {
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const std::size_t slowed = outcome.slowed[kind];
    counts.gateable[kind] += outcome.gateable[slowed];
    counts.found[kind] += outcome.gateable[slowed] && outcome.slower[slowed];
  }
}

// look(kind, locations) of each benchmark of so many suites of 300.
template <typename Look>
void for_each_benchmark(const Model& model, int processes, int suites, std::uint64_t seed, double slowdown, Look look) {
  for (int i = 0; i < suites; ++i) {
    SimulatedSuite suite(model, seed + static_cast<std::uint64_t>(i), 300);
    const std::vector<double> slowdowns(suite.size(), slowdown);
    const std::vector<Locations> seen = suite.measure(suite.all(processes), slowdowns);
    for (std::size_t b = 0; b < seen.size(); ++b) look(suite.kind(b), seen[b]);
  }
}

}  // namespace

Counts simulate(const Experiment& experiment) {
  Counts counts;
  const int unchanged = experiment.unchanged_suites;
  for (const Outcome& outcome : compare_all(experiment, unchanged, experiment.seed, 0)) {
    count_unchanged(outcome, unchanged, counts);
  }
  const std::uint64_t seed = experiment.seed + 4'000'000;  // of suites that no unchanged one is
  for (const Outcome& outcome : compare_all(experiment, experiment.changed_suites, seed, kTarget)) {
    count_changed(outcome, counts);
  }
  return counts;
}

double detection(const Model& model, const Counts& counts) {
  double found = 0, all = 0;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    found += model.mix[kind] * counts.found[kind];
    all += model.mix[kind] * counts.gateable[kind];
  }
  return all > 0 ? found / all : 0;
}

std::array<double, 4> coverage(const Model& model, int processes, int suites, std::uint64_t seed) {
  const double truth = std::log(1.02);
  std::array<double, 4> share{}, all{};
  for_each_benchmark(model, processes, suites, seed, truth, [&](Kind kind, const Locations& seen) {
    share[kind] += stats::hodges_lehmann(seen[0], seen[1]).interval.contains(truth);
    ++all[kind];
  });
  for (std::size_t kind = 0; kind < 4; ++kind) share[kind] /= all[kind];
  return share;
}

std::array<SeenSpread, 4> simulated_spread(const Model& model, int suites, std::uint64_t seed) {
  std::array<std::vector<double>, 4> sds;
  for_each_benchmark(model, 10, suites, seed, 0, [&](Kind kind, const Locations& seen) {
    sds[kind].push_back(stats::standard_deviation(seen[0]));
  });
  std::array<SeenSpread, 4> spread;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    spread[kind] = {stats::quantile(sds[kind], 0.5), stats::quantile(sds[kind], 0.9)};
  }
  return spread;
}

}  // namespace cupel::simulator
