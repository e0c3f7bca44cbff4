#include "tests/simulator/noises.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "cupel/runner/start_order.hpp"
#include "tests/simulator/gated.hpp"
#include "tests/simulator/in_parallel.hpp"

namespace cupel::simulator {
namespace {

constexpr std::size_t kBenchmarks = 9;
constexpr double kQuiet = 0.003;

double student_2(stats::Random& random) {
  return random.normal() / std::sqrt(random.exponential());  // chi-squared of 2 degrees over 2 is exponential
}

std::vector<bool> order_of(const NoiseExperiment& experiment, std::span<const Wish> wishes, stats::Random& random) {
  std::vector<int> counts;
  for (const Wish& wish : wishes) counts.push_back(wish.processes);
  if (!experiment.in_pairs) return runner::drawn_order(counts, random);
  std::vector<bool> order;
  for (int i = 0; i < std::ranges::max(counts); ++i) {
    const bool first = random.below(2) == 1;
    order.insert(order.end(), {first, !first});
  }
  return order;
}

// Adds to the first benchmark, if it is among those wanted, what the machine adds to its starts.
void add_machine(const NoiseExperiment& experiment, std::span<const Wish> wishes, std::vector<Locations>& seen,
                 stats::Random& random) {
  if (experiment.noise.machine == nullptr) return;
  const std::vector<bool> order = order_of(experiment, wishes, random);
  const std::vector<double> added = experiment.noise.machine(order.size(), random);
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    if (wishes[i].benchmark != 0) continue;
    std::array<std::size_t, 2> begun{};
    for (std::size_t start = 0; start < order.size(); ++start) {
      std::vector<double>& side = seen[i][order[start] ? 1 : 0];
      if (std::size_t& process = begun[order[start] ? 1 : 0]; process < side.size()) side[process++] += added[start];
    }
  }
}

// The upper half of each period is 2 % longer; where the first start stands in it is drawn.
template <std::size_t period>
std::vector<double> periodic(std::size_t starts, stats::Random& random) {
  const std::size_t phase = random.below(period);
  std::vector<double> added(starts);
  for (std::size_t i = 0; i < starts; ++i) added[i] = (i + phase) % period < period / 2 ? 0.02 : 0;
  return added;
}

// A drift of 2 %, nine tenths of which stay from one start to the next.
std::vector<double> drifting(std::size_t starts, stats::Random& random) {
  constexpr double kDeviation = 0.02, kMemory = 0.9;
  std::vector<double> added(starts);
  double state = kDeviation * random.normal();
  for (double& one : added) {
    one = state;
    state = kMemory * state + kDeviation * std::sqrt(1 - kMemory * kMemory) * random.normal();
  }
  return added;
}

Locations draw(const NoiseExperiment& experiment, std::size_t benchmark, int processes, double shift,
               stats::Random& random) {
  Locations sides;
  for (int i = 0; i < processes; ++i) {
    for (std::size_t side = 0; side < 2; ++side) {
      const double noise = benchmark == 0 ? experiment.noise.draw(random) : kQuiet * random.normal();
      sides[side].push_back(noise + (side == 1 && benchmark == 0 ? shift : 0));
    }
  }
  return sides;
}

gate::MachineNoise calibrate(const NoiseExperiment& experiment, stats::Random& random) {
  gate::MachineNoise calibration;
  for (int run = 0; run < 2; ++run) {
    std::vector<Locations> seen;
    for (std::size_t i = 0; i < kBenchmarks; ++i) seen.push_back(draw(experiment, i, kScreened, 0, random));
    add_session(calibration, seen);
  }
  return calibration;
}

NoiseCounts one_gate(const NoiseExperiment& experiment, std::uint64_t seed) {
  stats::Random random(seed), of_calibration(seed + 1'000'000);
  const gate::MachineNoise calibration = calibrate(experiment, of_calibration);
  const double shift = std::log1p(experiment.slowdown);
  NoiseCounts counts;
  const gate::GateResult result =
      run_gate(kBenchmarks, experiment.calibrated ? &calibration : nullptr,
               [&](std::span<const Wish> wishes, const std::string&) {
                 std::vector<Locations> seen;
                 for (const Wish& wish : wishes) {
                   seen.push_back(draw(experiment, wish.benchmark, wish.processes, shift, random));
                   if (wish.benchmark == 0) counts.processes += 2 * wish.processes;
                 }
                 add_machine(experiment, wishes, seen, random);
                 return seen;
               });
  const std::vector<bool> slower = slower_of(result);
  counts.found = slower[0] && shift > 0;
  for (std::size_t i = shift > 0 ? 1 : 0; i < slower.size(); ++i) counts.alarms = counts.alarms || slower[i];
  counts.undecided = result.outcome == gate::Outcome::undecided;
  return counts;
}

}  // namespace

std::vector<Noise> six_noises() {
  return {{"normal, 1 %", [](stats::Random& random) { return 0.01 * random.normal(); }},
          {"normal, 1.5 %", [](stats::Random& random) { return 0.015 * random.normal(); }},
          {"exponential, 1 %", [](stats::Random& random) { return 0.01 * random.exponential(); }},
          {"Student 2, 0.5 %", [](stats::Random& random) { return 0.005 * student_2(random); }},
          {"spikes: 0.3 %, 5 % of them three times as long",
           [](stats::Random& random) {
             const double normal = 0.003 * random.normal();
             return normal + (random.uniform() < 0.05 ? std::log(3.0) : 0);
           }},
          {"two levels: 0.3 %, 30 % of them 3 % longer", [](stats::Random& random) {
             const double normal = 0.003 * random.normal();
             return normal + (random.uniform() < 0.3 ? 0.03 : 0);
           }}};
}

std::vector<Noise> machines() {
  constexpr auto kQuietest = [](stats::Random& random) { return 0.001 * random.normal(); };
  return {{"period of two starts, 2 %", kQuietest, periodic<2>},
          {"period of four starts, 2 %", kQuietest, periodic<4>},
          {"period of eight starts, 2 %", kQuietest, periodic<8>},
          {"drift of 2 %", kQuietest, drifting}};
}

NoiseCounts count_gates(const NoiseExperiment& experiment) {
  std::vector<NoiseCounts> all(static_cast<std::size_t>(experiment.gates));
  in_parallel(experiment.gates, experiment.threads,
              [&](std::size_t i) { all[i] = one_gate(experiment, experiment.seed + i); });
  NoiseCounts counts;
  for (const NoiseCounts& one : all) {
    counts.found += one.found;
    counts.alarms += one.alarms;
    counts.undecided += one.undecided;
    counts.processes += one.processes;
  }
  return counts;
}

}  // namespace cupel::simulator
