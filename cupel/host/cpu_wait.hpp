// How long threads were ready to run without running: what else the machine has to do shows there.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "cupel/units/clock.hpp"

namespace cupel::host {

/// Seconds that the threads which are there now have spent ready to run without running, added up, since each began.
/// Nothing where the kernel keeps no such account. root: where /proc is found; another than "/" only in tests.
/// Source: Documentation/scheduler/sched-stats.rst of Linux, /proc/<pid>/schedstat, second field, nanoseconds.
std::optional<double> waited_for_cpu_s(const std::filesystem::path& root = "/");

/// Where tests say that a child's /proc lies. Absent: "/proc".
inline constexpr const char* kProcVariable = "CUPEL_PROC";

/// A child's wait for a CPU, over the time that it ran. Time in which as many of its own threads were ready as there
/// are CPUs does not count: they then wait for each other. One thread never waits for itself.
///
/// Threads are looked at one by one, since the kernel adds nothing up over them and forgets those that have ended: what
/// one waits between the last look and its end is not seen.
class CpuWait {
 public:
  using Clock = units::Clock;

  /// Begins now: what it waited before, as between fork and exec, does not count. tasks: the child's folder of threads
  /// in /proc. cpus: that it may run on.
  CpuWait(std::filesystem::path tasks, int cpus, Clock::time_point now = Clock::now());

  static CpuWait of_child(pid_t child);

  /// About ten times a second, and when the child has ended but is not yet reaped.
  void look(Clock::time_point now = Clock::now());

  /// Time that its threads waited, added up, over the time that counts. Nothing where the kernel keeps no account, or
  /// that time is below a tenth of a second: one time slice of another program would be more than record::kBusy of it.
  std::optional<double> share() const;

 private:
  std::filesystem::path tasks_;
  int cpus_;
  std::map<std::string, double> waited_s_;  ///< of each thread, at the last look
  Clock::time_point looked_;
  double counted_s_ = 0, sum_s_ = 0;
};

}  // namespace cupel::host
