// Whether what one process measured counts.
#pragma once

#include "cupel/record/record.hpp"

namespace cupel::figures {

/// Whether the figure is host time during which the process's threads waited for a CPU for more than record::kBusy of
/// the sampling: it is a figure of the machine's other work too. Device time goes on while the host waits.
inline bool is_busy(const record::Row& row) {
  const record::Series* figure = row.main_series();
  const auto waited = row.counters.find(record::kCpuWait);
  // The unit tells ours from a counter that another program calls so too.
  return figure != nullptr && figure->mode == record::Mode::host && waited != row.counters.end() &&
         waited->second.unit == "1" && waited->second.value > record::kBusy;
}

/// Whether a time of this mode cannot be told from the cost of measuring it: only single launches have a floor, so the
/// hot series of such a row can.
inline bool is_below_floor(bool below_floor, record::Mode mode) { return below_floor && mode == record::Mode::cold; }

/// A process counts unless one of the others can be said of it; the first that can.
enum class Standing { counts, failed, skipped, cut_short, disturbed, busy };

inline Standing standing_of(const record::Row& row) {
  if (row.status == record::Status::failed) return Standing::failed;
  if (row.status == record::Status::skipped) return Standing::skipped;
  if (row.cut_short) return Standing::cut_short;
  if (row.disturbed) return Standing::disturbed;
  return is_busy(row) ? Standing::busy : Standing::counts;
}

}  // namespace cupel::figures
