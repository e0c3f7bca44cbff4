#include "cupel/figures/process.hpp"

#include <algorithm>

#include "cupel/record/row.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"

namespace cupel::figures {
namespace {

std::optional<double> tail_of(std::span<const double> ascending_s, double location_s) {
  constexpr std::size_t kFewest = 10;
  constexpr double kSlowest = 0.99;
  if (ascending_s.size() < kFewest || !(location_s > 0)) return std::nullopt;
  return stats::quantile_of_sorted(ascending_s, kSlowest) / location_s;
}

double inner_spread_of(std::span<const double> ascending_s) {
  constexpr double kQuartilesApart = 1.3489795003921634;  // of a normal distribution, in standard deviations
  const auto positive = std::ranges::upper_bound(ascending_s, 0.0);
  const std::span<const double> positive_s(positive, ascending_s.end());
  if (positive_s.size() < 2) return 0;
  const auto quartile = [&](double p) { return stats::log_quantile_of_sorted(positive_s, p); };
  return (quartile(0.75) - quartile(0.25)) / kQuartilesApart;
}

template <typename Is>
std::vector<const Process*> counted_where(std::span<const Process> processes, const Is& is) {
  std::vector<const Process*> chosen, ok;
  for (const Process& process : processes) {
    if (!is(process)) continue;
    if (process.state == ProcessState::counts) chosen.push_back(&process);
    if (process.is_ok()) ok.push_back(&process);
  }
  return chosen.empty() ? ok : chosen;
}

}  // namespace

bool is_busy(const record::Row& row) {
  const record::Series* figure = row.main_series();
  const auto waited = row.counters.find(record::kCpuWait);
  // The unit tells ours from a counter that another program calls so too.
  return figure != nullptr && figure->mode == record::Mode::host && waited != row.counters.end() &&
         waited->second.unit == "1" && waited->second.value > record::kBusy;
}

ProcessState state_of(const record::Row& row) {
  if (row.status == record::Status::failed) return ProcessState::failed;
  if (row.status == record::Status::skipped) return ProcessState::skipped;
  if (row.cut_short) return ProcessState::cut_short;
  if (row.disturbed) return ProcessState::disturbed;
  return is_busy(row) ? ProcessState::busy : ProcessState::counts;
}

double location_s(const record::Series& series) { return stats::interquartile_mean(series.corrected_s()); }

const ProcessTimes* Process::in(record::Mode mode) const {
  const auto found = std::ranges::find(times, mode, [](const ProcessTimes& one) { return one.series->mode; });
  return found == times.end() ? nullptr : &*found;
}

Process process_of(const record::Row& row) {
  Process process{&row, state_of(row), {}};
  for (const record::Series& series : row.series) {
    if (series.samples_s.empty()) continue;
    const std::vector<double> ascending_s = stats::sorted(series.corrected_s());
    const double location_s = stats::interquartile_mean_of_sorted(ascending_s);
    process.times.push_back({&series, location_s, inner_spread_of(ascending_s), tail_of(ascending_s, location_s)});
  }
  return process;
}

std::vector<Process> processes_of(std::span<const record::Row* const> rows) {
  std::vector<Process> processes;
  for (const record::Row* row : rows) processes.push_back(process_of(*row));
  return processes;
}

std::vector<const Process*> counted(std::span<const Process> processes) {
  return counted_where(processes, [](const Process&) { return true; });
}

std::vector<const Process*> counted_in(std::span<const Process> processes, record::Mode mode) {
  return counted_where(processes, [mode](const Process& process) { return process.in(mode) != nullptr; });
}

void Tally::add(const Process& process) {
  const bool failed = process.state == ProcessState::failed;
  if (!process.is_ok() && (reason_.empty() || (failed && of(ProcessState::failed) == 0))) reason_ = process.row->reason;
  ++counts_[static_cast<std::size_t>(process.state)];
}

int Tally::ok() const {
  return of(ProcessState::counts) + of(ProcessState::cut_short) + of(ProcessState::disturbed) + of(ProcessState::busy);
}

}  // namespace cupel::figures
