// The facts of a run: how it was built and asked for, and how it ended.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cupel::record {

/// The build of the program that measured.
struct Build {
  std::string version;       ///< cupel's
  std::string git_revision;  ///< empty outside a checkout
  bool git_dirty = false;
  std::string type;  ///< "Release"
  std::string cxx_compiler;
  std::string cuda_compiler;  ///< empty in a host-only build
  std::string cuda_architectures;
  std::string benchmark_version;
  bool benchmark_debug = false;  ///< the Google Benchmark library was built without NDEBUG
  bool operator==(const Build&) const = default;
};

/// The key in RunInfo::notes of the device that was measured where there were several and none was chosen: "GPU 0 of 4:
/// NVIDIA H200 (GPU-...)".
inline constexpr const char* kFirstOfSeveral = "device";

/// The key in RunInfo::notes of the processes that gave all their rows and then ended badly: "conv, process 2: killed
/// by SIGABRT (Aborted) after its last result".
inline constexpr const char* kEndedBadly = "ended badly";

/// The request of a run and its end.
struct RunInfo {
  std::string started;   ///< UTC, ISO 8601
  std::string finished;  ///< empty while running
  std::string profile;   ///< "quick", "standard", "full"
  std::uint64_t seed = 0;
  int processes = 1;
  /// Processes finished by every family, where the run is unfinished: interrupted, killed, or still going on. No field
  /// of the file: it is counted where one is read.
  std::optional<int> whole_processes;
  int joined_files = 1;  ///< how many files were joined; no field of the file
  int rounds = 1;
  std::string timer;  ///< "events" or "cupti"
  bool interrupted = false;
  std::string node;  ///< as Slurm or Kubernetes names it; empty without either
  std::string job;   ///< Slurm's, "17" or of an array "17_3"; the completion index of a Kubernetes Job
  int restarts = 0;  ///< how often the run was begun again: by --resume, or by Slurm, if that says more
  std::vector<std::string> families;
  std::vector<std::string> filters;
  std::map<std::string, std::string> executables;  ///< family -> files::content_mark() of what measured it
  std::vector<std::string> unoptimised;            ///< families whose own code was compiled without optimisation
  std::map<std::string, std::string> notes;        ///< e.g. family -> why it did not run
  bool operator==(const RunInfo&) const = default;
};

/// Returns the processes as text: "3 processes", or "unfinished: 1 of 3 processes".
std::string processes_text(const RunInfo& run);

/// Returns the time of the run as text: "2026-11-20T06:35:00Z", of files that were joined "2026-11-20T06:35:00Z to
/// 2026-11-20T09:12:41Z", from the first start to the last end.
std::string time_text(const RunInfo& run);

}  // namespace cupel::record
