// Statements that the body of a benchmark makes about itself while it runs. Functions that read or fill the benchmark's
// row throw std::logic_error where no body runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "cupel/harness/registry.hpp"
#include "cupel/record/counter.hpp"
#include "cupel/record/series.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::harness {

/// The way in which this process measures; the same for all its benchmarks.
struct Options {
  Profile profile = Profile::quick;
  std::uint64_t seed = 1;
  int process = 0;             ///< number of this start of the executable, from 0
  int rounds = 3;              ///< shuffled passes over which the samples are spread
  double noise_goal = 0.0025;  ///< relative half-width of the 95 % interval of the location
  double max_wall_s = 0.5;     ///< for sampling one benchmark, all rounds together
  int min_samples = 30;        ///< in all rounds together
  int max_samples = 400;
  bool once = false;             ///< each benchmark once for a profiler; no times are kept
  bool allow_managed = false;    ///< managed memory is measured too
  bool allow_multicast = false;  ///< NCCL may use NVLink multicast
  bool sustained = false;        ///< device work back to back until power and clock are steady, instead of bursts
  bool zeros = false;            ///< operands of matrix products are zeros, as those of many benchmarks are
  std::string data;              ///< folder of the user's own images or CIFAR-10 files; empty: data made from a seed
  std::int64_t data_bytes = std::int64_t{16} << 20;  ///< approximate size of the data set that is made
  bool clean_data = false;                           ///< data_folder() is removed at the end
  std::string python;                                ///< the interpreter that has PyTorch (family pytorch)
  std::string model;                                 ///< FILE.py:FUNCTION of the user's (family pytorch)
  std::string timer = "events";                      ///< "events" or "cupti"
  std::string device;                                ///< its number, or the beginning of its UUID; empty: the first
};

/// Returns the options of this process, set before the first benchmark.
const Options& options();

/// Returns the folder for data that take long to make, kept on disk from run to run: $XDG_CACHE_HOME/cupel if that is
/// an absolute path, else $HOME/.cache/cupel under the same condition, else cupel-UID in the folder for temporary
/// files. Nothing else lies there. The folder need not exist.
std::filesystem::path data_folder();

/// Tells whether Ctrl-C was pressed or SIGTERM came: work that lasts ends now.
bool asked_to_end();

/// Thrown to end the benchmark: it cannot run here. The record says why.
class Skip : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown to end the benchmark because asked_to_end(): what earlier rounds gave is kept; without any there is no row,
/// so that `cupel run --resume` measures it.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when the result that was timed is wrong.
class CheckFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when the benchmark failed and the device is beyond use in this process: the rest is measured in a fresh one.
class DeviceLost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Skip with this reason, one line, which the record keeps.
[[noreturn]] void skip(const std::string& reason);

/// Throws CheckFailed unless `correct`.
void require(bool correct, const std::string& what);

/// Returns the seed for this benchmark's inputs: from the run's seed and the benchmark's name, so that it is the same
/// in every process and round.
std::uint64_t input_seed();

/// Returns a seed that picks which elements of a result to check: another one at each call of this benchmark, in all
/// rounds, and the same ones in every process, so that processes agree on the errors they report.
std::uint64_t look_seed();

/// Sets the physical limit that the figure is a share of.
void set_limit(record::Limit limit);

/// Keeps a number beside the time. exact: deterministic (a count), compared for equality.
void set_counter(const std::string& name, record::Counter counter);

/// Marks the benchmark's work as unusual, e.g. record::kOfZeros, so that it heads no list of best figures.
void set_unusual(std::string how);

/// Keeps one line for the reader of the result.
void set_note(std::string note);

/// Has the instrument settle the device and read its telemetry, ahead of the first series of a round and once in it.
/// Called by the samplers, and by a body that times by itself.
void begin_sampling();

/// Adds what the body measured; timed_s: wall time of the measured work. Called by the samplers, and by a body whose
/// samples come from elsewhere (a child process). The samples of all rounds of one mode become one series; two series
/// of one mode in one round throw std::logic_error. `series.round_sizes` is filled in. A run with --cupel_once takes no
/// times, so that none is kept.
void keep(const record::Workload& work, record::Series series, double timed_s);

/// Returns the series kept by this clock, of all rounds up to now; null where there is none.
const record::Series* kept_so_far(record::Mode mode);

/// Adds wall time of host samples and the CPU wait in them, in seconds. The counter record::kCpuWait is made of both
/// sums, as a share, if the figure is host time.
void account_cpu_wait(double sampling_s, double waited_s);

/// A sampler's allowance: seconds that a round of one mode may take, and samples that it must and may take.
struct Allowance {
  double wall_s = 0;
  int min_samples = 0;
  int max_samples = 0;
};

/// Returns the allowance of the round that runs now.
Allowance allowance();

/// Returns the calls a sample of earlier rounds in this mode; 0 in the first. A sampler keeps to it, so that one
/// correction holds for the whole series.
std::int64_t calls_of_earlier_rounds(record::Mode mode);

/// The factor of Allowance::wall_s after which not even three samples are awaited.
inline constexpr double kFarBeyond = 20;

/// Applies the stop rule, after each sample of a round: why sampling ends now, or nothing.
///
/// precision: the 95 % interval of the location of the corrected samples has a half-width within the noise goal, and so
/// is half a tick of the clock (resolution_s). tick: the half-width is within half a tick, which is above the goal:
/// more samples would not tell more. Both are asked at the least number of samples and at every fifth after it. count,
/// wall: the most samples, the most seconds; three samples are taken however slow they are, but once sampling has
/// lasted kFarBeyond times the most seconds, one is enough.
///
/// taken: this round's series so far, times of one call, with its correction and resolution. Samples of earlier rounds
/// in the same mode and by the same clock count, too.
std::optional<record::Stop> reason_to_stop(const record::Series& taken, const Allowance& allowed, double elapsed_s);

}  // namespace cupel::harness
