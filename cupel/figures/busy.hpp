// Whether a host time is of a busy machine.
#pragma once

#include "cupel/record/record.hpp"

namespace cupel::figures {

/// Whether the figure is host time during which the process's threads waited for a CPU for more than record::kBusy of
/// the sampling: it is a figure of the machine's other work too. Device time goes on while the host waits.
inline bool is_busy(const record::Row& row) {
  const record::Series* figure = row.figure();
  const auto waited = row.counters.find(record::kCpuWait);
  // The unit tells ours from a counter that another program calls so too.
  return figure != nullptr && figure->mode == record::Mode::host && waited != row.counters.end() &&
         waited->second.unit == "1" && waited->second.value > record::kBusy;
}

}  // namespace cupel::figures
