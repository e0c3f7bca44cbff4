// How times of benchmarks vary when nothing has changed: what the gate is tried on.
//
//   log t = log mu + [contender] log(1 + slowdown) + offset of the process + clock of the process + sample noise
//
// The offset is normal, and for some benchmarks moved by a gap in some processes (bimodal). The clock is shared by all
// benchmarks of a process and drifts between processes. Sample noise is normal, correlated for power-limited kernels,
// with exponential outliers. Times are then rounded to the 32 ns that CUDA events show on an H200.
//
// Fitted to this suite's own processes it has three parts more. Not all benchmarks share the clock: those of one
// executable share a state, device-bound ones and host-bound ones each their own, and with it the mode of the bimodal
// ones. Few processes are far slower than the rest. And each kind takes as many samples as it was seen to.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupel/stats/random.hpp"

namespace cupel::simulator {

enum Kind : std::size_t { large, small, power, host };
inline constexpr std::array<const char*, 4> kKinds{"large", "small", "power", "host"};
inline constexpr std::array<double, 4> kMix{0.45, 0.30, 0.15, 0.10};

/// Noise of one kind of benchmark, of logarithms of times.
struct KindNoise {
  double sample_sd = 0, sample_sd_spread = 0;    ///< median over benchmarks, and sd of its logarithm
  double process_sd = 0, process_sd_spread = 0;  ///< likewise
  double bimodal = 0, gap_low = 0, gap_high = 0;
  double clock = 0;  ///< how much of the shared clock a benchmark feels
  double outliers = 0, outlier_size = 0;
  double correlation = 0;  ///< of neighbouring samples
  double shortest_ns = 0, longest_ns = 0;
  int samples = 150;             ///< of a process
  double shared = 0;             ///< part of process_sd^2 that benchmarks of one executable have in common
  double rounds = 0.3;           ///< sd of the levels of repetitions in one process, as a multiple of process_sd
  double far = 0, far_size = 0;  ///< share of processes, and by how much slower they are in the mean
};

struct Model {
  std::string name;
  std::array<KindNoise, 4> kinds;
  double clock_sd = 0, clock_persistence = 0;  ///< from one process to the next
  double session_sd = 0;                       ///< between two sessions
  std::array<double, 4> mix = kMix;
  int executables = 0;  ///< that the benchmarks are dealt to; 0: all share one clock, and each has a mode of its own
};

/// The constants of the study that the gate was designed on; several of them assumed.
Model study_model();

/// Fitted to recorded processes of one H200: "none", "settle" or "settle_rounds" says how they were measured.
/// Throws std::invalid_argument for another.
Model h200_model(const std::string& mode);

/// Fitted to ten processes of this suite's quick run on one H200 whose host was noisy.
Model suite_model();

/// What was seen in the processes that suite_model() was fitted to: median and ninth decile, over the benchmarks of a
/// kind, of the sd of their locations.
struct SeenSpread {
  double median = 0, high = 0;
};
std::array<SeenSpread, 4> suite_seen();

enum class Design { interleaved, sequential, stored };

/// Logarithms of process locations: of one benchmark, one list a side.
using Locations = std::array<std::vector<double>, 2>;

/// The benchmarks of one suite on one machine.
class SimulatedSuite {
 public:
  /// scale: multiplies every sd, gap and drift. 0.5 is a quiet machine with locked clocks, 2 a shared one.
  SimulatedSuite(const Model& model, std::uint64_t seed, double scale, int benchmarks);

  std::size_t size() const { return benchmarks_.size(); }
  Kind kind(std::size_t benchmark) const { return benchmarks_[benchmark].kind; }
  stats::Random& random() { return random_; }
  double scale() const { return scale_; }

  /// One process location of each of `which` for each process and side. slowdown, shift: per benchmark of the suite,
  /// logarithms, added to the contender.
  std::vector<Locations> measure(std::span<const std::size_t> which, int processes, Design design,
                                 std::span<const double> slowdown, std::span<const double> shift);

  /// What a session moves by itself, per benchmark; zero unless the baseline is stored.
  std::vector<double> session_shift(Design design);

  /// One process of each side in repetitions: the times of each sample, relative to mu. [benchmark][side][repetition]
  struct OneProcess {
    std::vector<std::array<std::vector<std::vector<double>>, 2>> times;
    std::array<double, 2> clock{};  ///< logarithm of the clock's slowness
  };
  OneProcess measure_once(int repetitions, int samples, Design design, std::span<const double> slowdown,
                          std::span<const double> shift);

  /// Mean time of each benchmark in one process of another day, relative to mu.
  std::vector<double> measure_another_day(int samples);

 private:
  struct Benchmark {
    Kind kind = large;
    std::size_t group = 0;  // 0, or twice the executable, and 1 more if bound by the host
    int samples = 0;
    double log_ns = 0;
    double sample_sd = 0, process_sd = 0, round_sd = 0, gap = 0, gap_share = 0, clock = 0, far = 0, far_size = 0,
           outliers = 0, outlier_size = 0, correlation = 0;
  };

  // What the benchmarks of a group have in common in one process.
  struct State {
    double clock = 0;
    double mode = 0;  // bimodal ones are moved where it is below their share
  };
  using Sides = std::array<std::vector<State>, 2>;

  int groups() const;
  double normal();
  double offset(const Benchmark& benchmark, const State& state);
  std::vector<State> states(int processes);
  Sides schedule(int processes, Design design);
  std::vector<Sides> schedules(int processes, Design design);
  Benchmark draw(Kind kind, std::size_t index);
  void sample(const Benchmark& benchmark, double log_mean_ns, std::span<double> times_ns);
  double location(const Benchmark& benchmark, double log_mean_ns, std::span<double> scratch_ns);

  const Model model_;
  stats::Random random_;
  double scale_;
  std::vector<Benchmark> benchmarks_;
};

}  // namespace cupel::simulator
