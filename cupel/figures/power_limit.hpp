// The benchmarks that run at the board's power limit.
//
// A GPU is meant to be run at its power limit, so this is no fault; but such a figure is one of the limit, of the bits
// of the inputs and of the neighbours as well as of the code, and processes differ more. The driver says so twice: by a
// bit that was active at some reading, and by a counter of how long. Both lag and are of the whole board: readings are
// taken before and after a round, the counter goes in steps of up to 0.1 s, and either may still tell of the benchmark
// before. Benchmarks are shuffled, so that what a neighbour leaves is seen in some processes, what is the benchmark's
// own in most.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// NVML's name of the limit, in Telemetry's throttle_reasons and throttle_s.
inline constexpr const char* kPowerLimitReason = "sw_power_cap";

/// The share of its processes from which on a benchmark is power-limited by itself. Only PowerLimit applies it.
inline constexpr double kPowerLimitedShare = 0.5;

/// Counts the processes of one benchmark that met the power limit.
class PowerLimit {
 public:
  /// Adds a process; a row without telemetry says nothing.
  void add(const record::Row& row);

  /// Returns the share of processes with telemetry in which the limit was met: the bit at some reading, or time by the
  /// counter. Nothing without telemetry.
  std::optional<double> share() const;

  /// Tells whether the benchmark is power-limited by itself: kPowerLimitedShare.
  bool by_itself() const { return share().value_or(0) >= kPowerLimitedShare; }

 private:
  int met_ = 0, known_ = 0;
};

/// The number of benchmarks of a file that are power-limited by themselves.
struct PowerLimited {
  int limited = 0;
  int benchmarks = 0;  ///< with telemetry in at least one process
  double met_s = 0;    ///< in all processes of all benchmarks, by the driver's counter
  double wall_s = 0;   ///< of all processes
};

/// Counts the power-limited benchmarks by the rows that are ok. keep: whether a name counts; empty: all do.
PowerLimited power_limited(const record::ResultSet& results, const std::function<bool(const std::string&)>& keep = {});

/// Returns the count as text: "77 % of the benchmarks ran at the power limit (75 of 98; 23 s of 130 s, by the driver's
/// counter)": the same words in every report; empty where none did.
std::string power_limited_text(const PowerLimited& counted);

}  // namespace cupel::figures
