// How times of benchmarks vary when nothing has changed, in numbers: what the gate is tried on.
//
//   log t = log mu + [contender] log(1 + slowdown) + offset of the process + clock of the process + sample noise
//
// The offset is normal, and for some benchmarks moved by a gap in some processes (bimodal). The clock is shared by all
// benchmarks of a process and drifts between processes. Sample noise is normal, correlated for power-limited kernels,
// with exponential outliers.
//
// Fitted to this suite's own processes it has two parts more. Not all benchmarks share the clock: those of one
// executable share a state, device-bound ones and host-bound ones each their own, and with it the mode of the bimodal
// ones. And few processes are far slower than the rest.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace cupel::simulator {

enum Kind : std::size_t { large, small, power, host };
inline constexpr std::array<const char*, 4> kKinds{"large", "small", "power", "host"};

/// Noise of one kind of benchmark, of logarithms of times.
struct KindNoise {
  double sample_sd = 0, sample_sd_spread = 0;    ///< median over benchmarks, and sd of its logarithm
  double process_sd = 0, process_sd_spread = 0;  ///< likewise
  double bimodal = 0, gap_low = 0, gap_high = 0;
  double outliers = 0, outlier_size = 0;
  double correlation = 0;        ///< of neighbouring samples
  double clock = 0;              ///< how much of the shared clock a benchmark feels
  double shared = 0;             ///< part of process_sd^2 that benchmarks of one executable have in common
  double far = 0, far_size = 0;  ///< share of processes, and by how much slower they are in the mean
  int samples = 150;             ///< of a process
};

struct Model {
  std::array<KindNoise, 4> kinds;
  double clock_sd = 0, clock_persistence = 0;  ///< from one process to the next
  std::array<double, 4> mix{0.45, 0.30, 0.15, 0.10};
  int executables = 0;  ///< that the benchmarks are dealt to; 0: all share one clock, and each has a mode of its own
};

/// "study": the constants of the study that the gate was designed on, several of them assumed. "none" and
/// "settle_rounds": fitted to recorded processes of one H200, measured in one pass, or with clocks settled before each
/// benchmark and samples in 3 rounds. "suite": fitted to ten processes of this suite's quick run on one H200 whose host
/// was noisy. Throws std::invalid_argument for another.
Model model_of(const std::string& name);

/// The spread seen in the processes that "suite" was fitted to: median and ninth decile, over the benchmarks of a kind,
/// of the sd of their locations.
struct SeenSpread {
  double median = 0, high = 0;
};
std::array<SeenSpread, 4> suite_seen();

}  // namespace cupel::simulator
