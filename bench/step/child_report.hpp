// The report of the child process of step/profiler, JSON on stdout: how the family starts the child and reads the
// report. Host code only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::bench::step {

/// Exit codes of the child. Its stdout then has one line, which says why.
inline constexpr int kExitFailed = 4;
inline constexpr int kExitNoDevice = 5;  ///< a second process may not use the device
inline constexpr int kExitNoCupti = 6;
inline constexpr int kExitCannotRun = 7;  ///< memory, architecture or a library has not what it wants (host::CannotRun)

struct ChildReport {
  std::int64_t recorded_steps = 0;  ///< of the last sample's, those that CUPTI has a record of
  double loss = 0;                  ///< of the last step; NaN where it was no number
  std::vector<double> samples_s;    ///< of one step, the wait at the end of the sample included in its share
};

std::string to_text(const ChildReport& report);

/// Throws std::runtime_error unless all of `text` is a report with times above zero.
ChildReport child_report_from(std::string_view text);

/// Runs `program` to its end, and reads what it printed. Throws harness::Skip where the child says that it cannot
/// measure here, and std::runtime_error that names the program and how it ended where it failed, was killed by a
/// signal, printed no report, or ran longer than limit_s, after which it is killed.
ChildReport report_of_child(const std::string& program, const std::vector<std::string>& arguments, double limit_s);

}  // namespace cupel::bench::step
