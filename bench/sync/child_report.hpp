// The report that the child process of sync/launch_blocking prints on stdout, as JSON, and how the family reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cupel::bench::sync {

/// Exit code of a child that found no device that it may use.
inline constexpr int kExitNoDevice = 3;

/// Exit code of a child whose device, memory or driver has not what it wants (host::CannotRun).
inline constexpr int kExitCannotRun = 7;

struct ChildReport {
  bool blocking = false;       ///< CUDA_LAUNCH_BLOCKING was 1 where the child ran
  std::uint64_t launched = 0;  ///< kernels launched, warm-up included
  std::uint64_t ran = 0;       ///< kernels that the device counted
  std::int64_t launches_per_sample = 0;
  std::vector<double> samples_s;  ///< of one launch, the wait at the end of the sample included in its share
};

std::string to_text(const ChildReport& report);

/// Throws std::runtime_error unless all of `text` is a report with at least one launch a sample and times above zero.
ChildReport child_report_from(std::string_view text);

}  // namespace cupel::bench::sync
