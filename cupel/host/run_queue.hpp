// How long this process's threads had to wait for a CPU, by the kernel's own account.
#pragma once

#include <filesystem>
#include <optional>

namespace cupel::host {

/// Seconds that the threads which are there now have spent ready to run without running, added up, since each began.
/// Nothing where the kernel keeps no such account. root: where /proc is found; another than "/" only in tests.
/// Source: Documentation/scheduler/sched-stats.rst of Linux, /proc/<pid>/schedstat, second field, nanoseconds.
std::optional<double> waited_for_cpu_s(const std::filesystem::path& root = "/");

}  // namespace cupel::host
