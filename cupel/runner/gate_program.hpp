// One benchmark executable as a gate runs it: one of ours, or of anybody's Google Benchmark programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cupel/record/listing.hpp"
#include "cupel/runner/settings.hpp"

namespace cupel::runner {

/// Listed name to the name that results have.
struct GateName {
  std::string listed;
  std::string shown;  ///< of another program as record::common_names() has it of both sides of a gate
};

/// How long a program that is not cupel's samples each benchmark which sets no time of its own. Google Benchmark's own
/// half a second is for one process that decides; here many do.
inline constexpr double kForeignSampling_s = 0.05;

/// Seconds of such a benchmark for each that it samples: it searches for its number of calls first, which takes up to
/// as long again.
inline constexpr double kWithSearch = 2;

struct GateProgram {
  std::filesystem::path executable;
  std::string family;           ///< the file's name, or what the executable says
  bool foreign = false;         ///< knows nothing of cupel: its figures come from --benchmark_out
  record::Listing listing;      ///< of ours
  std::vector<GateName> names;  ///< what it would run, in its order
  std::string sampling_flag;    ///< of foreign ones: tells it kForeignSampling_s in its library's spelling; or empty
  double listed_s = 0;          ///< of foreign ones: how long listing took, of which a start takes no less
  std::string problem;          ///< why it cannot be listed, with its path; then it is not run
};

/// Asks the program what it would run, in Settings::timeout_s if given: its names are shown as they are listed. extra:
/// as start() has it; where they say how long to sample, nothing else does, and likewise where the environment does
/// (BENCHMARK_MIN_TIME). A program that hangs or crashes while it lists has a problem. Throws std::invalid_argument
/// that names the program where it is none of the kind.
GateProgram inspect(const std::filesystem::path& executable, const Settings& settings,
                    const std::vector<std::string>& extra = {});

/// The value of --benchmark_min_time that the user gives, in `extra` or by Google Benchmark's variable for it; or
/// empty.
std::string asked_sampling(const std::vector<std::string>& extra);

/// How long the program samples, for RunInfo::notes under record::kSampling: "0.05 s", what `extra` or the environment
/// say, or that nobody said it.
std::string sampling_text(const GateProgram& program, const std::vector<std::string>& extra);

/// Seconds that a benchmark of the program is expected to take in one process, and that a start takes, before any was
/// measured: see Pace. What the benchmarks of a program that is not cupel's set up is not known, nor what those
/// take that set their number of iterations.
double expected_seconds(const GateProgram& program, const GateName& name);
double start_seconds(const GateProgram& program);

/// A regular expression that matches these names whole and nothing else, for --benchmark_filter.
std::string exact_filter(const std::vector<std::string>& names);

}  // namespace cupel::runner
