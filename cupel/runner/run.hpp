// Carries out a plan: starts the executables, interleaved, and keeps what they measured, whatever becomes of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cupel/record/record.hpp"
#include "cupel/runner/plan.hpp"
#include "cupel/runner/progress.hpp"
#include "cupel/runner/shortest_work.hpp"

namespace cupel::runner {

struct RunRequest {
  std::optional<std::filesystem::path> output;  ///< absent: default_output() in `folder`
  std::filesystem::path folder = "results/runs";
  std::optional<record::ResultSet> earlier;  ///< an interrupted run to continue
  std::optional<ShortestWork> shortest_work;  ///< see read_shortest_work()
  std::optional<double> budget_s;            ///< no further process starts when it is spent
  int max_restarts = 20;                     ///< fresh starts of one process of one family
};

struct RunOutcome {
  record::ResultSet results;
  std::filesystem::path written;  ///< where all of the result is; empty when nothing was measured, or it is nowhere
  std::string write_problem;      ///< why it is not where it should be; empty when it is
  bool interrupted = false;
  bool failed = false;                 ///< a benchmark failed, or a family could not run
  std::vector<std::string> no_device;  ///< families that found no usable device
  std::string refused;                 ///< why the earlier run cannot be continued here; empty: it could
};

/// Process 0 of every family, then process 1 of every family, and so on. After each the result is written, by rename.
///
/// A benchmark that ends its process (a sticky error, a signal, the time limit, a broken journal) is recorded as
/// failed, with the reason, and the others that were left run in a fresh process. One that has ended two processes is
/// not tried again. Throws record::WriteError only when the children cannot be told what to run.
RunOutcome run(const Plan& plan, const RunRequest& request, Observer& observer);

/// Runs each selected benchmark once, ungated, in children that have our streams: what a profiler wants to see. Returns
/// the first exit code that is not 0, or 0.
int run_for_profiler(const Plan& plan);

}  // namespace cupel::runner
