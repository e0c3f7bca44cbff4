#include "tests/simulator/tails.hpp"

#include <algorithm>
#include <cmath>

#include "cupel/compare/comparison.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/record/record.hpp"
#include "tests/simulator/in_parallel.hpp"

namespace cupel::simulator {
namespace {

constexpr double kBetweenProcesses = 0.01;
const double kSlow = std::log(3.0);

// The seventh noise has no draw: the share of slow samples in a process.
double odd_process(stats::Random& random) { return random.uniform() < 0.4 ? 0.05 : 0; }

record::Row process_of(const TailExperiment& experiment, int process, double slow, stats::Random& random) {
  record::Row row;
  row.name = "tails/x";
  row.family = "tails";
  row.process = process;
  record::Series& series = row.series.emplace_back();
  series.mode = record::Mode::host;
  const double level = kBetweenProcesses * random.normal();
  const double own = experiment.noise.draw == nullptr ? odd_process(random) : 0;
  for (int i = 0; i < experiment.samples; ++i) {
    const double noise = experiment.noise.draw == nullptr ? 0.003 * random.normal() : experiment.noise.draw(random);
    const bool is_slow = random.uniform() < std::max(slow, own);
    series.samples_s.push_back(1e-3 * std::exp(level + noise + (is_slow ? kSlow : 0)));
  }
  return row;
}

figures::Suite side_of(const TailExperiment& experiment, double slow, stats::Random& random) {
  figures::SuiteBuilder builder("side");
  for (int process = 0; process < experiment.processes; ++process) {
    builder.add(process_of(experiment, process, slow, random));
  }
  return builder.finish({});
}

bool has_longer_tail(const TailExperiment& experiment, std::uint64_t seed) {
  stats::Random random(seed);
  const figures::Suite suites[] = {side_of(experiment, 0, random), side_of(experiment, experiment.slow, random)};
  const std::size_t contenders[] = {1};
  return compare::compare_all(figures::match(suites), 0, contenders).front().front().longer_tail;
}

}  // namespace

std::vector<Noise> sample_noises() {
  std::vector<Noise> noises = six_noises();
  noises.push_back({"0.3 %, in 40 % of the processes 5 % of the samples three times as long", nullptr});
  return noises;
}

int count_longer_tails(const TailExperiment& experiment) {
  std::vector<char> all(static_cast<std::size_t>(experiment.rows));
  in_parallel(experiment.rows, experiment.threads,
              [&](std::size_t i) { all[i] = has_longer_tail(experiment, experiment.seed + i) ? 1 : 0; });
  return static_cast<int>(std::ranges::count(all, 1));
}

}  // namespace cupel::simulator
