// Carries out a plan: starts the executables, interleaved, and keeps what they measured, whatever becomes of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cupel/record/floor.hpp"
#include "cupel/record/record.hpp"
#include "cupel/runner/plan.hpp"
#include "cupel/runner/progress.hpp"
#include "cupel/runner/restart.hpp"
#include "cupel/units/clock.hpp"

namespace cupel::runner {

/// A time that a run ends in, whatever its benchmarks take.
struct TimeBudget {
  double seconds = 0;
  units::Clock::time_point since = units::Clock::now();
};

struct RunRequest {
  std::optional<std::filesystem::path> output;  ///< absent: a free name in `folder`
  std::filesystem::path folder = "results/runs";
  std::optional<record::ResultSet> earlier;           ///< an interrupted run to continue
  std::optional<record::ShortestWork> shortest_work;  ///< see read_shortest_work()
  std::optional<TimeBudget> budget;
  int max_restarts = kMostRestarts;  ///< fresh starts of one process of one family
};

struct RunOutcome {
  record::ResultSet results;
  std::filesystem::path written;  ///< where all of the result is; empty when nothing was measured, or it is nowhere
  std::string write_problem;      ///< why it is not where it should be; empty when it is
  bool interrupted = false;
  bool failed = false;                 ///< a benchmark failed, or a family could not run
  std::size_t without_time = 0;        ///< benchmarks that no process came to before the budget's end
  std::vector<std::string> no_device;  ///< families that found no usable device
  std::string refused;                 ///< why the earlier run cannot be continued here; empty: it could
};

/// Process 0 of every family, then process 1 of every family, and so on. After each the result is written, by rename.
///
/// A benchmark that ends its process (a sticky error, a signal, the time limit, a broken journal) is recorded as
/// failed, with the reason, and the others that were left run in a fresh process: see restart_until_done().
///
/// With a budget each process is given its share of it and shortens its sampling to fit. Process 0 may take all there
/// is; what it took says how many more are started, up to Plan::most_processes. What a process does not come to in its
/// share has no row, or one that is cut short.
///
/// Throws files::WriteError only when the children cannot be told what to run.
RunOutcome run(const Plan& plan, const RunRequest& request, Observer& observer);

/// Runs each selected benchmark once, without times, in children that have our streams: what a profiler wants to see.
/// Returns the first exit code that is not 0, or 0.
int run_for_profiler(const Plan& plan);

}  // namespace cupel::runner
