#include "tests/simulator/suite.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "cupel/stats/distribution.hpp"

namespace cupel::simulator {
namespace {

constexpr double kQuantum_ns = 32;   // of CUDA events on an H200
constexpr double kRound = 0x1.8p52;  // added and taken away, it leaves the nearest whole number

// Shortest and longest time of a kind, as in the study.
constexpr std::array<std::array<double, 2>, 4> kTimes_ns{{{4e4, 2e7}, {2e3, 4e4}, {8e4, 2e7}, {1e3, 2e7}}};

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

// e to the x, |x| < 700, without a branch or a call: compilers take several at once. x is k ln 2 + r, |r| <= ln 2 / 2,
// and e to the r its Taylor series, off by 7e-12 at most: times are rounded to quanta, of which they have less than a
// million. Source: Cody and Waite (1980), chapter 6.
inline double quick_exp(double x) {
  constexpr double kLn2High = 0x1.62e42fefap-1, kLn2Low = 0x1.cf79abc9e3b3ap-40;  // k times the first is exact
  constexpr std::array kSeries{1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120,
                               1.0 / 24,     1.0 / 6,     1.0 / 2,    1.0,       1.0};
  const double shifted = x * std::numbers::log2e + kRound, k = shifted - kRound;
  const double r = (x - k * kLn2High) - k * kLn2Low;
  double sum = 0;
  for (const double factor : kSeries) sum = sum * r + factor;
  const std::uint64_t power = (std::bit_cast<std::uint64_t>(shifted) << 52U) + std::bit_cast<std::uint64_t>(1.0);
  return sum * std::bit_cast<double>(power);
}

// e to the x, |x| <= kShort: there is no power of two to take out, and the Taylor series is off by 4e-13 at most.
constexpr double kShort = 0.1;
inline double short_exp(double x) {
  constexpr std::array kSeries{1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1.0, 1.0};
  double sum = 0;
  for (const double factor : kSeries) sum = sum * x + factor;
  return sum;
}

// Mean of the middle half of times about a mean, whose logarithms are given. Times ascend with their logarithms, so
// that only the middle half needs its exponentials. The logarithms are put into classes, and only the two classes where
// the middle half begins and ends are sorted. Times are whole numbers, whose sum is exact in any order.
class MiddleMean {
 public:
  // logs: of times over their mean, not empty. sd: of the logarithms, above 0.
  double operator()(std::span<const double> logs, double mean_ns, double sd) {
    classify(logs, sd);
    pick_middle(logs);
    const double mean_ticks = mean_ns / kQuantum_ns;
    const double ticks = reach_sd_ * sd <= kShort ? sum_ticks(mean_ticks, [](double x) { return short_exp(x); })
                                                  : sum_ticks(mean_ticks, [](double x) { return quick_exp(x); });
    return ticks * kQuantum_ns / static_cast<double>(picked_.size());
  }

 private:
  static constexpr std::size_t kClasses = 128;
  static constexpr double kSpread_sd = 4;  // on either side; what is beyond is of the outermost classes
  static constexpr double kClass_sd = 2 * kSpread_sd / kClasses;

  // The class of a rank, and how many logarithms are of lower ones.
  struct Place {
    std::size_t one = 0, below = 0;
  };

  // Turns what was picked into times.
  template <typename Exp>
  double sum_ticks(double mean_ticks, Exp exp) {
    for (double& one : picked_) one = std::max((mean_ticks * exp(one) + kRound) - kRound, 1.0);
    return std::reduce(picked_.begin(), picked_.end());
  }

  void classify(std::span<const double> logs, double sd) {
    const double scale = 1 / (kClass_sd * sd);
    classes_.resize(logs.size());
    for (std::size_t i = 0; i < logs.size(); ++i) {
      classes_[i] = static_cast<int>(std::min(std::max(logs[i] * scale + kClasses / 2, 0.0), kClasses - 1.0));
    }
    counts_ = {};
    for (const int one : classes_) ++counts_[static_cast<std::size_t>(one)];
  }

  Place place_of(std::size_t rank) const {
    Place place;
    while (place.below + counts_[place.one] <= rank) place.below += counts_[place.one++];
    return place;
  }

  // The furthest from the middle that a logarithm of these classes, or between them, can be.
  static double reach_sd(std::size_t low, std::size_t high) {
    if (low == 0 || high == kClasses - 1) return std::numeric_limits<double>::infinity();
    constexpr double kMiddle = kClasses / 2;
    return kClass_sd * std::max(kMiddle - static_cast<double>(low), static_cast<double>(high) + 1 - kMiddle);
  }

  // Picks what lies between the classes where the middle half begins and ends, and from these two what is in it. Each
  // logarithm is written wherever it may belong, so that the processor has no outcome to predict.
  void pick_middle(std::span<const double> logs) {
    const std::size_t first = logs.size() / 4, end = logs.size() - first;
    const Place low = place_of(first), high = place_of(end - 1);
    reach_sd_ = reach_sd(low.one, high.one);
    constexpr int kHalf = 32;  // of a number that counts those picked, and above them those of the edges
    std::array<std::uint64_t, kClasses> steps{};
    for (std::size_t one = low.one + 1; one < high.one; ++one) steps[one] = 1;
    steps[low.one] = steps[high.one] = std::uint64_t{1} << kHalf;
    picked_.resize(logs.size());
    edges_.resize(logs.size());
    std::uint64_t written = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) {
      picked_[static_cast<std::uint32_t>(written)] = edges_[written >> kHalf] = logs[i];
      written += steps[static_cast<std::size_t>(classes_[i])];
    }
    std::size_t picked = static_cast<std::uint32_t>(written);
    const std::size_t edges = written >> kHalf;
    std::sort(edges_.begin(), edges_.begin() + static_cast<std::ptrdiff_t>(edges));
    for (std::size_t rank = first - low.below; picked < end - first; ++rank) picked_[picked++] = edges_[rank];
    picked_.resize(picked);
  }

  std::vector<int> classes_;  // of each logarithm
  std::array<std::size_t, kClasses> counts_{};
  std::vector<double> picked_, edges_;
  double reach_sd_ = 0;
};

}  // namespace

SimulatedSuite::SimulatedSuite(const Model& model, std::uint64_t seed, int benchmarks) : model_(model), random_(seed) {
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const long count = std::max(std::lround(model.mix[kind] * benchmarks), 1L);
    for (long i = 0; i < count; ++i) {
      benchmarks_.push_back(draw(static_cast<Kind>(kind), static_cast<std::size_t>(i)));
    }
  }
}

std::vector<Wish> SimulatedSuite::all(int processes) const {
  std::vector<Wish> wishes;
  for (std::size_t i = 0; i < size(); ++i) wishes.push_back({i, processes});
  return wishes;
}

std::array<std::size_t, 4> SimulatedSuite::one_of_each_kind() {
  std::array<std::size_t, 4> picked{};
  for (std::size_t kind = 0; kind < 4; ++kind) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < size(); ++i) {
      if (benchmarks_[i].kind == kind) members.push_back(i);
    }
    picked[kind] = members[random_.below(members.size())];
  }
  return picked;
}

// The index-th of its kind.
SimulatedSuite::Benchmark SimulatedSuite::draw(Kind kind, std::size_t index) {
  Benchmark benchmark{kind, model_.kinds[kind]};
  KindNoise& noise = benchmark.noise;
  if (model_.executables > 0) {
    benchmark.group = 2 * (index % static_cast<std::size_t>(model_.executables)) + (kind == host ? 1 : 0);
  }
  noise.sample_sd *= std::exp(noise.sample_sd_spread * random_.normal());
  const double process_sd = noise.process_sd * std::exp(noise.process_sd_spread * random_.normal());
  noise.process_sd = process_sd * std::sqrt(1 - noise.shared);
  noise.clock += process_sd * std::sqrt(noise.shared);
  const bool bimodal = random_.uniform() < noise.bimodal;
  const double gap = noise.gap_low + (noise.gap_high - noise.gap_low) * random_.uniform();
  benchmark.gap = bimodal ? gap : 0;
  benchmark.gap_share = 0.1 + 0.4 * random_.uniform();
  const auto [shortest_ns, longest_ns] = kTimes_ns[kind];
  benchmark.log_ns = std::log(shortest_ns) + std::log(longest_ns / shortest_ns) * random_.uniform();
  return benchmark;
}

double SimulatedSuite::offset(const Benchmark& benchmark, const State& state) {
  const KindNoise& noise = benchmark.noise;
  const double mode = model_.executables > 0 ? state.mode : random_.uniform();
  double offset = noise.clock * state.clock + (mode < benchmark.gap_share ? benchmark.gap : 0);
  offset += noise.process_sd * random_.normal();
  if (noise.far > 0 && random_.uniform() < noise.far) offset += noise.far_size * random_.exponential();
  return offset;
}

// Autoregressive of the first order over the processes in order of time.
std::vector<SimulatedSuite::State> SimulatedSuite::states(int processes) {
  std::vector<State> states;
  const double fresh = std::sqrt(1 - model_.clock_persistence * model_.clock_persistence);
  double clock = random_.normal();
  for (int i = 0; i < processes; ++i) {
    states.push_back({model_.clock_sd * clock, model_.executables > 0 ? random_.uniform() : 0});
    clock = model_.clock_persistence * clock + fresh * random_.normal();
  }
  return states;
}

// Pairs of one process a side, whose order a coin decides.
SimulatedSuite::Sides SimulatedSuite::schedule(int processes) {
  Sides sides;
  const std::vector<State> all = states(2 * processes);
  for (std::size_t i = 0; i < static_cast<std::size_t>(processes); ++i) {
    const bool contender_first = random_.below(2) == 1;
    sides[contender_first ? 1 : 0].push_back(all[2 * i]);
    sides[contender_first ? 0 : 1].push_back(all[2 * i + 1]);
  }
  return sides;
}

// Logarithms of times over their mean.
void SimulatedSuite::sample(const Benchmark& benchmark, std::span<double> logs) {
  const KindNoise& noise = benchmark.noise;
  const std::vector<float>& table = normal_table();
  double previous = noise.correlation > 0 ? random_.normal() : 0;
  constexpr std::size_t kOfDraw = 4;
  for (std::size_t i = 0; i < logs.size(); i += kOfDraw) {
    const std::uint64_t bits = random_();
    const std::size_t count = std::min(kOfDraw, logs.size() - i);
    for (std::size_t k = 0; k < count; ++k) logs[i + k] = table[bits >> (16 * k) & 0xffff];
  }
  if (noise.correlation > 0) {
    const double fresh = std::sqrt(1 - noise.correlation * noise.correlation);
    for (double& z : logs) previous = z = noise.correlation * previous + fresh * z;
  }
  for (double& log : logs) log *= noise.sample_sd;
  if (noise.outliers > 0) {
    // From one outlier to the next: geometric, by its continuous form.
    const double rate = -std::log1p(-noise.outliers);
    for (double at = random_.exponential() / rate; at < static_cast<double>(logs.size());
         at += 1 + random_.exponential() / rate) {
      logs[static_cast<std::size_t>(at)] += noise.outlier_size * random_.exponential();
    }
  }
}

std::vector<Locations> SimulatedSuite::measure(std::span<const Wish> wishes, std::span<const double> slowdown) {
  int processes = 0;
  for (const Wish& wish : wishes) processes = std::max(processes, wish.processes);
  std::vector<Sides> states_of;  // of each group
  for (int group = 0; group < std::max(2 * model_.executables, 1); ++group) states_of.push_back(schedule(processes));
  std::vector<double> logs;
  MiddleMean middle_mean;
  std::vector<Locations> found(wishes.size());
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    const Benchmark& benchmark = benchmarks_[wishes[i].benchmark];
    logs.resize(static_cast<std::size_t>(benchmark.noise.samples));
    for (std::size_t side = 0; side < 2; ++side) {
      const std::span<const State> states(states_of[benchmark.group][side]);
      const double slower = side == 1 ? slowdown[wishes[i].benchmark] : 0;
      for (const State& state : states.first(static_cast<std::size_t>(wishes[i].processes))) {
        const double mean = benchmark.log_ns + offset(benchmark, state) + slower;
        sample(benchmark, logs);
        found[i][side].push_back(std::log(middle_mean(logs, std::exp(mean), benchmark.noise.sample_sd)));
      }
    }
  }
  return found;
}

}  // namespace cupel::simulator
