// The harness's own state: the benchmark that runs now and what has been measured of each. Not for families.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cupel/harness/registry.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/record/row.hpp"

namespace cupel::harness {

/// Returns every point of every definition within the profile, in order of registration. Throws std::invalid_argument
/// on a name that stands twice.
std::vector<Definition::Point> registered_points(Profile profile);

/// Returns the first part that all registered names share. Throws std::invalid_argument if they differ or there are
/// none.
std::string registered_family();

/// Returns whether one of them was added by code that was compiled without optimisation.
bool registered_unoptimised();

/// Empties the registry, for tests.
void forget_registered();

/// A benchmark of this process and what its rounds have given so far.
struct Progress {
  Definition::Point point;
  record::Row row;
  bool done = false;  ///< failed or skipped: no more rounds
  int rounds_left = 0;
  std::uint64_t looks = 0;  ///< calls of look_seed() so far
  double host_sampling_s = 0;
  double cpu_wait_s = 0;  ///< seconds of that in which threads waited for a CPU
};

/// Sets what options() returns.
void set_options(const Options& options);

/// Sets what begin_sampling() does, the first time in a round; none: nothing.
void set_begin_sampling(std::function<void()> begin);

/// Returns the benchmark whose body runs now; null outside of bodies. Set by run_body alone.
Progress* current();

/// Runs the body once. Samples of earlier rounds stay in progress.row; exceptions of the body pass through.
void run_body(Progress& progress, benchmark::State& state);

/// Returns the location of corrected times in seconds: what Google Benchmark is told as the iteration's time.
double location_s(const record::Series& series);

/// Sets the counter kCpuWait of a host figure.
void count_cpu_wait(Progress& progress);

}  // namespace cupel::harness
