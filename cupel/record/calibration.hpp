// The cost of measuring itself, as the processes of a run read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cupel::record {

/// The readings of a pair of events around the shortest work there is, in one round of one process.
struct EventPair {
  int process = 0;
  int round = 0;
  double kernel_s = 0;  ///< around an empty kernel
  double copy_s = 0;    ///< around a primed copy of 4 bytes to the host
  bool operator==(const EventPair&) const = default;
};

/// The cost of measuring on this device. A floor is what a pair of events reads beyond the work: one for all processes
/// of a run, see pool_floor(). What is not pooled is the first process's.
struct Calibration {
  double event_floor_kernel_s = 0;
  double event_floor_copy_s = 0;
  std::optional<double> shortest_kernel_s;  ///< time of an empty kernel by the device's own account
  std::optional<double> shortest_copy_s;    ///< time of a copy of 4 bytes, likewise
  std::string shortest_source;              ///< who says so, e.g. "CUPTI in this run"
  std::vector<EventPair> event_pairs;       ///< in order of measurement; empty in files from before there was one floor
  double event_resolution_s = 0;
  std::string flush;  ///< how L2 is made cold: "read" or "write"
  std::int64_t flush_bytes = 0;
  std::optional<double> launch_spacing_s;          ///< from one short kernel to the next on the stream that is timed
  std::optional<double> slowest_launch_spacing_s;  ///< on the slowest of the streams it was chosen from
  bool operator==(const Calibration&) const = default;
};

}  // namespace cupel::record
