// One benchmark in one process, as it was measured: the row of a result file. Times are seconds, sizes bytes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/record/advice_tag.hpp"
#include "cupel/record/counter.hpp"
#include "cupel/record/names.hpp"
#include "cupel/record/series.hpp"
#include "cupel/record/telemetry.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::record {

/// The end of a benchmark in a process; only ok has times.
enum class Status { ok, skipped, failed };
constexpr auto names_of(Status) { return std::array{"ok", "skipped", "failed"}; }

/// One benchmark in one process.
struct Row {
  std::string name;                                         ///< canonical: family/operation/variant/parameter:value
  std::string printed_name;                                 ///< as another program prints it; empty for cupel's own
  std::string clock;                                        ///< clock of that program's times, if not wall time
  std::string family;                                       ///< the executable
  std::vector<std::pair<std::string, std::string>> params;  ///< parameter and value, in the order of the name
  Status status = Status::ok;
  std::string reason;  ///< why it was skipped or failed
  std::vector<AdviceTag> advice;
  int process = 0;  ///< number of this start of the executable, from 0
  Workload workload;
  std::vector<Series> series;  ///< the first is the figure; empty unless status is ok
  std::optional<Limit> limit;
  std::map<std::string, Counter> counters;
  std::optional<Telemetry> telemetry;
  double wall_s = 0;         ///< all the time this benchmark took, set-up included
  double timed_s = 0;        ///< the part of wall_s in measured work
  bool below_floor = false;  ///< too short to be told from the cost of measuring
  bool disturbed = false;    ///< throttled by heat or by another process; see telemetry
  bool cut_short = false;    ///< interrupted, or out of time, before its last round: fewer samples
  std::string unusual;       ///< what is unusual of its work, "inputs are zeros"; it then heads no list
  std::string note;          ///< one line for the reader, may be empty
  std::string unknown;       ///< JSON object of fields this version does not know, or empty

  /// Returns the series whose times are reported, or null if there is none.
  const Series* main_series() const { return series.empty() ? nullptr : &series.front(); }
  bool operator==(const Row&) const = default;
};

/// Row::unusual of work that multiplies or adds zeros: a GPU takes less power for them, and so has a higher clock.
inline constexpr const char* kOfZeros = "inputs are zeros";

/// Appends the text to the row's note.
void add_note(Row& row, const std::string& text);

}  // namespace cupel::record
