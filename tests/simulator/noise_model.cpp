#include "tests/simulator/noise_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cupel/stats/distribution.hpp"

namespace cupel::simulator {
namespace {

constexpr double kQuantum_ns = 32;

// What fit_constants.py writes for a kind; from `shared` on, where rounds and executables are known.
struct Constants {
  const char* kind = "";
  int fitted_to = 0;
  double sample_sd = 0, sample_sd_spread = 0, process_sd = 0, process_sd_spread = 0, bimodal = 0, gap_low = 0,
         gap_high = 0, outliers = 0, outlier_size = 0, correlation = 0;
  double shared = 0, rounds = 0.3, far = 0, far_size = 0, samples = 150, seen_median = 0, seen_high = 0;
};

#include "tests/simulator/h200_constants.inc"
#include "tests/simulator/suite_constants.inc"

// Shortest and longest time of a kind, as in the study.
constexpr std::array<std::array<double, 2>, 4> kTimes_ns{{{4e4, 2e7}, {2e3, 4e4}, {8e4, 2e7}, {1e3, 2e7}}};

Model fitted(const std::string& name, const std::array<Constants, 4>& constants, double correlation,
             double persistence) {
  Model model{name, {}, 1, persistence, 1};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const Constants& c = constants[kind];
    // The share of the variance between processes that benchmarks have in common is the correlation between them.
    const double own = std::sqrt(1 - correlation);
    const bool feels = kind != host;
    model.kinds[kind] = {c.sample_sd,
                         c.sample_sd_spread,
                         c.process_sd * (feels ? own : 1),
                         c.process_sd_spread,
                         c.bimodal,
                         c.gap_low,
                         c.gap_high,
                         feels ? c.process_sd * std::sqrt(correlation) : 0,
                         c.outliers,
                         c.outlier_size,
                         c.correlation,
                         kTimes_ns[kind][0],
                         kTimes_ns[kind][1]};
  }
  return model;
}

// Standard normal values at 65,536 evenly spaced probabilities: four of them for each draw of 64 bits.
const std::vector<float>& normal_table() {
  static const std::vector<float> table = [] {
    std::vector<float> values(1 << 16);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(stats::normal_quantile((static_cast<double>(i) + 0.5) / 65536));
    }
    return values;
  }();
  return table;
}

// Mean of the middle half; reorders.
double middle_mean(std::span<double> values) {
  const std::size_t quarter = values.size() / 4;
  const auto begin = values.begin();
  const auto low = begin + static_cast<std::ptrdiff_t>(quarter);
  const auto high = begin + static_cast<std::ptrdiff_t>(values.size() - quarter);
  std::nth_element(begin, low, values.end());
  std::nth_element(low, high - 1, values.end());
  double sum = 0;
  for (auto value = low; value != high; ++value) sum += *value;
  return sum / static_cast<double>(high - low);
}

}  // namespace

Model study_model() {
  return {"study",
          {{{0.0080, 0.6, 0.0015, 0.5, 0.05, 0.01, 0.04, 0.25 * 0.005, 0.010, 0.05, 0.0, 4e4, 2e7},
            {0.0175, 0.6, 0.0050, 0.5, 0.15, 0.02, 0.08, 0.25 * 0.005, 0.010, 0.20, 0.0, 2e3, 4e4},
            {0.0200, 0.6, 0.0050, 0.5, 0.05, 0.01, 0.03, 1.00 * 0.005, 0.005, 0.05, 0.9, 8e4, 2e7},
            {0.0800, 0.6, 0.0250, 0.5, 0.20, 0.05, 0.15, 0, 0.050, 0.80, 0.3, 1e3, 2e7}}},
          1,
          0.9,
          1};
}

Model h200_model(const std::string& mode) {
  if (mode == "none") return fitted(mode, k_none, k_none_correlation, k_none_persistence);
  if (mode == "settle") return fitted(mode, k_settle, k_settle_correlation, k_settle_persistence);
  if (mode == "settle_rounds") {
    return fitted(mode, k_settle_rounds, k_settle_rounds_correlation, k_settle_rounds_persistence);
  }
  throw std::invalid_argument("there is no mode '" + mode + "'; there are none, settle and settle_rounds");
}

Model suite_model() {
  Model model{"suite", {}, 1, k_suite_persistence, 1};
  model.executables = k_suite_executables;
  double all = 0;
  for (const Constants& c : k_suite) all += c.fitted_to;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const Constants& c = k_suite[kind];
    model.mix[kind] = c.fitted_to / all;
    model.kinds[kind] = {c.sample_sd,
                         c.sample_sd_spread,
                         c.process_sd,
                         c.process_sd_spread,
                         c.bimodal,
                         c.gap_low,
                         c.gap_high,
                         0,
                         c.outliers,
                         c.outlier_size,
                         c.correlation,
                         kTimes_ns[kind][0],
                         kTimes_ns[kind][1],
                         static_cast<int>(std::lround(c.samples)),
                         c.shared,
                         c.rounds,
                         c.far,
                         c.far_size};
  }
  return model;
}

std::array<SeenSpread, 4> suite_seen() {
  std::array<SeenSpread, 4> seen;
  for (std::size_t kind = 0; kind < 4; ++kind) seen[kind] = {k_suite[kind].seen_median, k_suite[kind].seen_high};
  return seen;
}

SimulatedSuite::SimulatedSuite(const Model& model, std::uint64_t seed, double scale, int benchmarks)
    : model_(model), random_(seed), scale_(scale) {
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const long count = std::max(std::lround(model.mix[kind] * benchmarks), 1L);
    for (long i = 0; i < count; ++i) {
      benchmarks_.push_back(draw(static_cast<Kind>(kind), static_cast<std::size_t>(i)));
    }
  }
}

// The index-th of its kind.
SimulatedSuite::Benchmark SimulatedSuite::draw(Kind kind, std::size_t index) {
  const KindNoise& noise = model_.kinds[kind];
  Benchmark benchmark;
  benchmark.kind = kind;
  if (model_.executables > 0) {
    benchmark.group = 2 * (index % static_cast<std::size_t>(model_.executables)) + (kind == host ? 1 : 0);
  }
  benchmark.samples = noise.samples;
  benchmark.sample_sd = scale_ * noise.sample_sd * std::exp(noise.sample_sd_spread * random_.normal());
  const double process_sd = scale_ * noise.process_sd * std::exp(noise.process_sd_spread * random_.normal());
  benchmark.process_sd = process_sd * std::sqrt(1 - noise.shared);
  benchmark.round_sd = noise.rounds * process_sd;
  const bool bimodal = random_.uniform() < noise.bimodal;
  const double gap = noise.gap_low + (noise.gap_high - noise.gap_low) * random_.uniform();
  benchmark.gap = bimodal ? scale_ * gap : 0;
  benchmark.gap_share = 0.1 + 0.4 * random_.uniform();
  benchmark.clock = scale_ * noise.clock + process_sd * std::sqrt(noise.shared);
  benchmark.far = noise.far;
  benchmark.far_size = scale_ * noise.far_size;
  benchmark.outliers = noise.outliers;
  benchmark.outlier_size = scale_ * noise.outlier_size;
  benchmark.correlation = noise.correlation;
  benchmark.log_ns = std::log(noise.shortest_ns) + std::log(noise.longest_ns / noise.shortest_ns) * random_.uniform();
  return benchmark;
}

double SimulatedSuite::normal() { return random_.normal(); }

double SimulatedSuite::offset(const Benchmark& benchmark, const State& state) {
  const double mode = model_.executables > 0 ? state.mode : random_.uniform();
  double offset = benchmark.clock * state.clock + (mode < benchmark.gap_share ? benchmark.gap : 0);
  offset += benchmark.process_sd * normal();
  if (benchmark.far > 0 && random_.uniform() < benchmark.far) offset += benchmark.far_size * random_.exponential();
  return offset;
}

// Autoregressive of the first order over the processes in order of time.
std::vector<SimulatedSuite::State> SimulatedSuite::states(int processes) {
  std::vector<State> states;
  const double fresh = std::sqrt(1 - model_.clock_persistence * model_.clock_persistence);
  double clock = normal();
  for (int i = 0; i < processes; ++i) {
    states.push_back({model_.clock_sd * clock, model_.executables > 0 ? random_.uniform() : 0});
    clock = model_.clock_persistence * clock + fresh * normal();
  }
  return states;
}

SimulatedSuite::Sides SimulatedSuite::schedule(int processes, Design design) {
  Sides sides;
  if (design == Design::stored) return {states(processes), states(processes)};
  const std::vector<State> all = states(2 * processes);
  bool contender_first = false;
  for (int i = 0; i < processes; ++i) {
    const auto first = static_cast<std::size_t>(2 * i);
    if (design == Design::sequential) {
      sides[0].push_back(all[static_cast<std::size_t>(i)]);
      sides[1].push_back(all[static_cast<std::size_t>(processes + i)]);
      continue;
    }
    contender_first = i % 2 == 0 ? random_.below(2) == 1 : !contender_first;
    sides[contender_first ? 1 : 0].push_back(all[first]);
    sides[contender_first ? 0 : 1].push_back(all[first + 1]);
  }
  return sides;
}

int SimulatedSuite::groups() const { return std::max(2 * model_.executables, 1); }

// Of each group.
std::vector<SimulatedSuite::Sides> SimulatedSuite::schedules(int processes, Design design) {
  std::vector<Sides> schedules;
  schedules.reserve(static_cast<std::size_t>(groups()));
  for (int group = 0; group < groups(); ++group) schedules.push_back(schedule(processes, design));
  return schedules;
}

void SimulatedSuite::sample(const Benchmark& benchmark, double log_mean_ns, std::span<double> times_ns) {
  const std::vector<float>& table = normal_table();
  const double fresh = std::sqrt(1 - benchmark.correlation * benchmark.correlation);
  double previous = benchmark.correlation > 0 ? normal() : 0;
  std::uint64_t bits = 0;
  int left = 0;
  for (double& time : times_ns) {
    if (left == 0) {
      bits = random_();
      left = 4;
    }
    double z = table[bits & 0xffff];
    bits >>= 16;
    --left;
    if (benchmark.correlation > 0) previous = z = benchmark.correlation * previous + fresh * z;
    time = benchmark.sample_sd * z;
  }
  if (benchmark.outliers > 0) {
    // From one outlier to the next: geometric, by its continuous form.
    const double rate = -std::log1p(-benchmark.outliers);
    for (double at = random_.exponential() / rate; at < static_cast<double>(times_ns.size());
         at += 1 + random_.exponential() / rate) {
      times_ns[static_cast<std::size_t>(at)] += benchmark.outlier_size * random_.exponential();
    }
  }
  const double mean_ns = std::exp(log_mean_ns);
  for (double& time : times_ns) {
    const double ticks = std::round(mean_ns * std::exp(time) / kQuantum_ns);
    time = std::max(ticks, 1.0) * kQuantum_ns;
  }
}

double SimulatedSuite::location(const Benchmark& benchmark, double log_mean_ns, std::span<double> scratch_ns) {
  sample(benchmark, log_mean_ns, scratch_ns);
  return std::log(middle_mean(scratch_ns));
}

std::vector<Locations> SimulatedSuite::measure(std::span<const std::size_t> which, int processes, Design design,
                                               std::span<const double> slowdown, std::span<const double> shift) {
  const std::vector<Sides> states_of = schedules(processes, design);
  std::vector<double> scratch_ns;
  std::vector<Locations> found(which.size());
  for (std::size_t i = 0; i < which.size(); ++i) {
    const Benchmark& benchmark = benchmarks_[which[i]];
    scratch_ns.resize(static_cast<std::size_t>(benchmark.samples));
    for (std::size_t side = 0; side < 2; ++side) {
      for (const State& state : states_of[benchmark.group][side]) {
        double mean = benchmark.log_ns + offset(benchmark, state);
        if (side == 1) mean += slowdown[which[i]] + shift[which[i]];
        found[i][side].push_back(location(benchmark, mean, scratch_ns));
      }
    }
  }
  return found;
}

std::vector<double> SimulatedSuite::session_shift(Design design) {
  std::vector<double> shift(benchmarks_.size(), 0.0);
  if (design != Design::stored) return shift;
  const double common = model_.session_sd * normal();
  for (std::size_t i = 0; i < shift.size(); ++i) {
    shift[i] = benchmarks_[i].clock * common + benchmarks_[i].process_sd * normal();
  }
  return shift;
}

SimulatedSuite::OneProcess SimulatedSuite::measure_once(int repetitions, int samples, Design design,
                                                        std::span<const double> slowdown,
                                                        std::span<const double> shift) {
  const std::vector<Sides> states_of = schedules(1, design);
  OneProcess one;
  if (model_.executables == 0) {  // else what they share is no clock of the device: that stood still
    for (std::size_t side = 0; side < 2; ++side) one.clock[side] = states_of[0][side].front().clock;
  }
  one.times.resize(benchmarks_.size());
  for (std::size_t i = 0; i < benchmarks_.size(); ++i) {
    const Benchmark& benchmark = benchmarks_[i];
    for (std::size_t side = 0; side < 2; ++side) {
      const double process = benchmark.log_ns + offset(benchmark, states_of[benchmark.group][side].front()) +
                             (side == 1 ? slowdown[i] + shift[i] : 0);
      for (int repetition = 0; repetition < repetitions; ++repetition) {
        std::vector<double>& times = one.times[i][side].emplace_back(static_cast<std::size_t>(samples));
        sample(benchmark, process + benchmark.round_sd * normal(), times);
        for (double& time : times) time /= std::exp(benchmark.log_ns);
      }
    }
  }
  return one;
}

std::vector<double> SimulatedSuite::measure_another_day(int samples) {
  std::vector<State> state_of;
  state_of.reserve(static_cast<std::size_t>(groups()));
  for (int group = 0; group < groups(); ++group) state_of.push_back(states(1).front());
  std::vector<double> means, times(static_cast<std::size_t>(samples));
  for (const Benchmark& benchmark : benchmarks_) {
    sample(benchmark, benchmark.log_ns + offset(benchmark, state_of[benchmark.group]), times);
    double sum = 0;
    for (const double time : times) sum += time;
    means.push_back(sum / samples / std::exp(benchmark.log_ns));
  }
  return means;
}

}  // namespace cupel::simulator
