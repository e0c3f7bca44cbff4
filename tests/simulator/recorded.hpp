// Gates of recorded processes: random splits of them, one location a process for each benchmark. Each split deals the
// processes of one machine into two sides of 5 for the screen; other stages draw from all of them, with replacement.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace cupel::simulator {

/// Benchmark to one location in microseconds for each process.
using RecordedLocations = std::map<std::string, std::vector<double>>;

struct RecordedCounts {
  int splits_with_alarm = 0;
  int found = 0;  ///< splits in which the slowed benchmark was called slower; not among the alarms
};

/// A file beside this one: mode of measuring to what it saw. Throws std::runtime_error where it cannot be read.
std::map<std::string, RecordedLocations> read_recorded(const std::string& name);

/// slowdown: what the contender's side of one benchmark that is gateable at 3 %, another one in each split, is made
/// slower by; 0.03 is 3 %.
RecordedCounts split_recorded(const RecordedLocations& locations_us, int splits, double slowdown = 0);

}  // namespace cupel::simulator
