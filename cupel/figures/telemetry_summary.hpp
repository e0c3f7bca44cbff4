// The telemetry of the devices while a run went on, over all of its rows.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cupel/record/forward.hpp"

namespace cupel::figures {

/// The least and the greatest value; nothing where no row has it.
struct Extremes {
  std::optional<double> low, high;
  /// Takes a value in, if there is one.
  void add(const std::optional<double>& value);
};

/// The telemetry of all rows of a result; numbers are of rows.
struct TelemetrySummary {
  Extremes sm_clock_hz, memory_clock_hz, power_w, temperature_c;
  int rows = 0;                          ///< rows with telemetry
  int under_load = 0;                    ///< rows whose SM clock was read while the work ran
  bool says_how = false;                 ///< one at least says how its clock was read
  int disturbed = 0;                     ///< throttled, or the GPU shared; with telemetry or without
  int unsettled = 0;                     ///< clock, memory or pace had not settled
  int shared = 0;                        ///< beside other processes on the GPU
  std::map<std::string, int> throttled;  ///< rows by reason, but for the power limit
};

/// Summarises the telemetry of these results; rows without telemetry count only as disturbed.
TelemetrySummary telemetry_summary(const record::ResultSet& results);

/// Returns, as text, what had not settled: "clock not settled", "clock and memory not settled"; of an older file, which
/// does not say what, "not settled". Nothing where all had.
std::string unsettled_text(const record::Row& row);

}  // namespace cupel::figures
