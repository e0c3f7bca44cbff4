// A process of a benchmark: its samples as numbers, and whether it counts. Figures, suites and pairs of advice are
// built of it, so that here alone samples become a location.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cupel/record/forward.hpp"
#include "cupel/record/series.hpp"

namespace cupel::figures {

/// Tells whether the figure is host time during which the process's threads waited for a CPU for more than
/// record::kBusy of the sampling: it is a figure of the machine's other work too. Device time goes on while the host
/// waits.
bool is_busy(const record::Row& row);

/// Tells whether a time of this mode cannot be told from the cost of measuring it: only single launches have a floor,
/// so the hot series of such a row can.
inline bool is_below_floor(bool below_floor, record::Mode mode) { return below_floor && mode == record::Mode::cold; }

/// The state of a process: counts, or the first that applies of failed, skipped, cut_short, disturbed and busy.
enum class ProcessState { counts, failed, skipped, cut_short, disturbed, busy };

/// Returns the state of the process of this row.
ProcessState state_of(const record::Row& row);

/// Returns the location of the samples of one process: the inter-quartile mean of the corrected ones, in seconds.
double location_s(const record::Series& series);

/// The samples of a process in one mode, as numbers.
struct ProcessTimes {
  const record::Series* series = nullptr;
  double location_s = 0;
  /// Standard deviation of the logarithms inside the process, from their quartiles; 0 with fewer than two above 0.
  double spread = 0;
  std::optional<double> tail;  ///< 99th percentile over location_s; nothing below ten samples, or where location is 0
};

/// One process of one benchmark.
struct Process {
  const record::Row* row = nullptr;  ///< outlives this
  ProcessState state = ProcessState::counts;
  std::vector<ProcessTimes> times;  ///< one for each mode with samples, in the row's order

  /// Tells whether it neither failed nor was skipped.
  bool is_ok() const { return state != ProcessState::failed && state != ProcessState::skipped; }
  /// Returns the times in this mode, or null.
  const ProcessTimes* in(record::Mode mode) const;
};

/// Returns what the process of this row measured. The row must outlive it.
Process process_of(const record::Row& row);

/// Returns the process of each row, in this order.
std::vector<Process> processes_of(std::span<const record::Row* const> rows);

/// Chooses the processes that count; where none does, all that are ok.
std::vector<const Process*> counted(std::span<const Process> processes);

/// Chooses in the same way among those that have times in this mode.
std::vector<const Process*> counted_in(std::span<const Process> processes, record::Mode mode);

/// Counts the processes of a benchmark by their state.
class Tally {
 public:
  /// Counts a process.
  void add(const Process& process);

  /// Returns the processes in this state.
  int of(ProcessState state) const { return counts_[static_cast<std::size_t>(state)]; }
  /// Returns the processes that are ok.
  int ok() const;
  /// Returns the reason of the first that failed, else was skipped.
  const std::string& reason() const { return reason_; }

 private:
  std::array<int, 6> counts_{};
  std::string reason_;
};

}  // namespace cupel::figures
