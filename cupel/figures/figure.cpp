#include "cupel/figures/figure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/figures/states.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/record.hpp"
#include "cupel/stats/interval.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/precision.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {
namespace {

// A rate above so many limits is above the limit: clocks, and so peaks, are known to a per cent or so.
constexpr double kAboveLimit = 1.02;

using Rows = std::vector<const record::Row*>;
using Chosen = std::vector<const Process*>;
using Processes = std::vector<Process>;

void append(const std::vector<record::Series>& more, std::vector<record::Series>& all) {
  for (const record::Series& series : more) {
    const auto there = std::ranges::find(all, series.mode, &record::Series::mode);
    if (there == all.end()) {
      all.push_back(series);
    } else {
      there->samples_s.insert(there->samples_s.end(), series.samples_s.begin(), series.samples_s.end());
    }
  }
}

// Joins several rows of one process. A run writes one, so that these are one process's samples and no replication.
// Failed if one of them failed, else skipped if one was.
record::Row joined_row(std::span<const record::Row* const> rows) {
  const auto worst = [](const record::Row* row) {
    return row->status == record::Status::failed ? 0 : row->status == record::Status::skipped ? 1 : 2;
  };
  record::Row joined = **std::ranges::min_element(rows, {}, worst);
  if (joined.status != record::Status::ok) return joined;
  joined.series.clear();
  for (const record::Row* row : rows) {
    append(row->series, joined.series);
    joined.disturbed |= row->disturbed;
    joined.cut_short |= row->cut_short;
    joined.below_floor |= row->below_floor;
  }
  return joined;
}

// rows: of one benchmark, in order of process. Joined ones live in `made`. Says how many were joined.
std::size_t join_rows_of_a_process(Rows& rows, std::deque<record::Row>& made) {
  const std::size_t before = rows.size();
  for (auto first = rows.begin(); first != rows.end(); ++first) {
    const auto end =
        std::find_if(first, rows.end(), [&](const auto* row) { return row->process != (*first)->process; });
    if (end - first == 1) continue;
    made.push_back(joined_row({first, end}));
    *first = &made.back();
    rows.erase(first + 1, end);
  }
  return before - rows.size();
}

void interval_over_processes(Estimate& estimate) {
  const stats::Interval interval = stats::median_interval(estimate.processes_s, kIntervalLevel);
  estimate.low_s = interval.low;
  estimate.high_s = interval.high;
  estimate.level = interval.level;
  estimate.across_processes = true;
}

void interval_inside(Estimate& estimate, const std::vector<double>& samples) {
  const stats::Precision precision = stats::interquartile_mean_precision(samples, kIntervalLevel);
  if (!std::isfinite(precision.half_width)) return;
  estimate.low_s = std::max(0.0, precision.location - precision.half_width);
  estimate.high_s = precision.location + precision.half_width;
  estimate.level = kIntervalLevel;
}

void count_stop(Noise& noise, record::Stop stop) {
  if (stop == record::Stop::precision || stop == record::Stop::tick) ++noise.precise;
  if (stop == record::Stop::count || stop == record::Stop::fixed) ++noise.counted;
  if (stop == record::Stop::wall) ++noise.timed_out;
}

std::optional<double> spread_between(const std::vector<double>& processes_s) {
  const bool all_positive = std::ranges::all_of(processes_s, [](double time_s) { return time_s > 0; });
  if (processes_s.size() < 2 || !all_positive) return std::nullopt;
  return stats::standard_deviation(stats::logarithms(processes_s));
}

// processes: measured in this mode, at least one.
Noise noise_of(const Chosen& processes, record::Mode mode, const Estimate& time, const SeenClock& clock) {
  Noise noise;
  std::vector<double> inside, walls_s, overheads, powers_w;
  PowerLimit power_limit;
  for (const Process* process : processes) {
    const ProcessTimes& times = *process->in(mode);
    const record::Row& row = *process->row;
    inside.push_back(times.spread);
    count_stop(noise, times.series->stop);
    power_limit.add(row);
    if (row.telemetry) {
      if (row.telemetry->power_w) powers_w.push_back(*row.telemetry->power_w);
      noise.unsettled |= !row.telemetry->settled;
    }
    walls_s.push_back(row.wall_s);
    if (row.wall_s > 0) overheads.push_back(std::clamp(1 - row.timed_s / row.wall_s, 0.0, 1.0));
  }
  noise.between = spread_between(time.processes_s);
  noise.inside = stats::median(inside);
  noise.sm_clock_hz = clock.hz();
  noise.clock_under_load = clock.under_load();
  noise.power_w = stats::median_if_any(powers_w);
  noise.power_limited = power_limit.by_itself();
  noise.wall_s = stats::median(walls_s);
  noise.overhead = stats::median_if_any(overheads).value_or(0);
  return noise;
}

bool above_limit(const Rate& rate) {
  return rate.limit_per_second && rate.per_second > kAboveLimit * *rate.limit_per_second;
}

std::string of_all(std::ptrdiff_t some, std::size_t all, const std::string& what) {
  return static_cast<std::size_t>(some) == all ? what : fmt::format("{} of {} {}", some, all, what);
}

void warn(Figure& figure, const Processes& processes) {
  const auto say = [&](Warning warning, const std::string& what, const auto& is) {
    const auto some = std::ranges::count_if(processes, [&](const Process& process) { return is(*process.row); });
    if (some == 0) return;
    figure.warnings.insert(warning);
    figure.caveats.push_back(of_all(some, processes.size(), what));
  };
  const auto say_if = [&](Warning warning, const auto& is) { say(warning, to_string(warning), is); };
  say_if(Warning::failed, [](const record::Row& row) { return row.status == record::Status::failed; });
  say_if(Warning::skipped, [](const record::Row& row) { return row.status == record::Status::skipped; });
  say_if(Warning::below_floor, [&](const record::Row& row) { return is_below_floor(row.below_floor, figure.mode); });
  say_if(Warning::disturbed, [](const record::Row& row) { return row.disturbed; });
  say_if(Warning::cut_short, [](const record::Row& row) { return row.cut_short; });
  say_if(Warning::busy, is_busy);
  std::set<std::string> unsettled;
  for (const Process& process : processes) unsettled.insert(unsettled_text(*process.row));
  unsettled.erase("");
  for (const std::string& what : unsettled)
    say(Warning::unsettled, what, [&](const record::Row& row) { return unsettled_text(row) == what; });
}

void add_caveat(Figure& figure, Warning warning, std::string text) {
  figure.warnings.insert(warning);
  figure.caveats.push_back(std::move(text));
}

// Says where host times lie in two groups, and whether the first process was a cold start.
void say_states(Figure& figure, const Chosen& processes) {
  if (figure.mode != record::Mode::host) return;
  std::vector<record::Series> series;
  for (const Process* process : processes) series.push_back(*process->in(figure.mode)->series);
  if (const std::optional<TwoStates> two = two_states(series)) {
    add_caveat(figure, Warning::two_states,
               fmt::format("{}: {:.1f}x apart", to_string(Warning::two_states), two->high_s / two->low_s));
  }
  if (processes.front()->row->process != 0) return;
  if (const std::optional<double> times = first_apart(figure.time->processes_s)) {
    add_caveat(figure, Warning::cold_start, fmt::format("{}: {:.1f}x", to_string(Warning::cold_start), *times));
  }
}

std::vector<std::string> advice_ids(const record::Row& row) {
  std::vector<std::string> ids;
  for (const record::AdviceTag& tag : row.advice) {
    if (std::ranges::find(ids, tag.id) == ids.end()) ids.push_back(tag.id);
  }
  return ids;
}

std::optional<CounterValue> counter_over(const Chosen& processes, const std::string& name) {
  std::vector<double> values;
  CounterValue result;
  result.name = name;
  for (const Process* process : processes) {
    const std::optional<record::Counter> found = counter_of(*process->row, name);
    if (!found || !std::isfinite(found->value)) continue;
    values.push_back(found->value);
    result.unit = found->unit;
  }
  if (values.empty()) return std::nullopt;
  result.value = stats::median(values);
  if (values.size() < 2) return result;
  const stats::Interval interval = stats::median_interval(values, kIntervalLevel);
  result.low = interval.low;
  result.high = interval.high;
  return result;
}

std::vector<CounterValue> counters(const Chosen& processes) {
  std::set<std::string> names;
  for (const Process* process : processes) {
    for (const auto& [name, counter] : process->row->counters) names.insert(name);
    if (counter_of(*process->row, kUsableShare)) names.insert(kUsableShare);
  }
  std::vector<CounterValue> all;
  for (const std::string& name : names) {
    if (std::optional<CounterValue> counter = counter_over(processes, name)) all.push_back(std::move(*counter));
  }
  return all;
}

// Sets what the figure is about, as the catalogue says of its advice.
void set_subject(Figure& figure) {
  for (const std::string& id : figure.advice) {
    const catalogue::CatalogueRow* piece = catalogue::built_in().find(id);
    if (piece == nullptr) continue;
    figure.shown_as_time = figure.shown_as_time || piece->shown_as_time;
    if (figure.judged_by.empty() && figure.counter(piece->judged_by) != nullptr) figure.judged_by = piece->judged_by;
  }
}

void count_processes(Figure& figure, const Processes& processes) {
  Tally tally;
  for (const Process& process : processes) {
    if (figure.note.empty()) figure.note = process.row->note;
    tally.add(process);
  }
  figure.ok = tally.ok();
  figure.failed = tally.of(ProcessState::failed);
  figure.skipped = tally.of(ProcessState::skipped);
  figure.reason = tally.reason();
}

Estimate estimate_of(const Chosen& processes, record::Mode mode) {
  Estimate time;
  for (const Process* process : processes) time.processes_s.push_back(process->in(mode)->location_s);
  time.location_s = stats::median(time.processes_s);
  if (processes.size() > 1) {
    interval_over_processes(time);
  } else {
    interval_inside(time, processes.front()->in(mode)->series->corrected_s());
  }
  return time;
}

void set_time(Figure& figure, const Processes& all) {
  const Chosen processes = counted_in(all, figure.mode);
  if (processes.empty()) return;
  figure.time = estimate_of(processes, figure.mode);
  SeenClock clock;
  for (const Process* process : processes) {
    if (process->row->telemetry) clock.add(*process->row->telemetry);
    figure.samples += std::ssize(process->in(figure.mode)->series->samples_s);
  }
  figure.noise = noise_of(processes, figure.mode, *figure.time, clock);
  figure.below_floor = std::ranges::any_of(
      processes, [&](const Process* process) { return is_below_floor(process->row->below_floor, figure.mode); });
  say_states(figure, processes);
  if (figure.below_floor) return;
  figure.rate = rate_of(figure.workload, figure.limit, figure.time->location_s, clock.share_of(figure.limit));
  if (!figure.rate || !above_limit(*figure.rate)) return;
  add_caveat(figure, Warning::above_limit, to_string(Warning::above_limit));
}

// The rate that another program counts itself.
std::optional<Rate> counted_rate(const Figure& figure) {
  for (const auto& [counter, quantity] : {std::pair("bytes_per_second", "bytes"), {"items_per_second", "items"}}) {
    const CounterValue* const value = figure.counter(counter);
    if (value != nullptr && value->unit == std::string(quantity) + "/s" && value->value > 0)
      return Rate{.quantity = quantity, .per_second = value->value};
  }
  return std::nullopt;
}

Figure figure_of(const Processes& processes, record::Mode mode, bool is_main) {
  const record::Row& first = *processes.front().row;
  Figure figure;
  figure.name = first.name;
  figure.family = first.family;
  figure.operation = operation_of(first.name);
  figure.params = first.params;
  figure.mode = mode;
  figure.is_main = is_main;
  figure.advice = advice_ids(first);
  figure.tags = first.advice;
  warn(figure, processes);
  count_processes(figure, processes);
  const Chosen measured = counted(processes);
  if (measured.empty()) return figure;
  figure.workload = measured.front()->row->workload;
  figure.limit = measured.front()->row->limit;
  figure.unusual = measured.front()->row->unusual;
  if (!figure.unusual.empty()) add_caveat(figure, Warning::unusual, figure.unusual);
  set_time(figure, processes);
  if (is_main) figure.counters = counters(measured);
  if (figure.time && !figure.rate && !figure.below_floor) figure.rate = counted_rate(figure);
  set_subject(figure);
  return figure;
}

}  // namespace

std::optional<Rate> rate_of(const record::Workload& workload, const std::optional<record::Limit>& limit, double time_s,
                            double clock_share) {
  if (!(time_s > 0)) return std::nullopt;
  std::string quantity = limit ? limit->quantity : "";
  for (const char* candidate : {"bytes", "flops", "items"}) {
    if (workload.amount(quantity) <= 0) quantity = candidate;
  }
  const auto work = static_cast<double>(workload.amount(quantity));
  const bool is_a_call = quantity == "items" && work == 1 && !limit;  // one in so long: what the time says already
  if (work <= 0 || is_a_call) return std::nullopt;
  Rate rate{.quantity = quantity, .per_second = work / time_s, .clock_share = clock_share};
  if (limit && limit->quantity == quantity && limit->per_second > 0) rate.limit_per_second = limit->per_second;
  return rate;
}

const CounterValue* Figure::counter(const std::string& wanted) const {
  const auto found = std::ranges::find(counters, wanted, &CounterValue::name);
  return found == counters.end() ? nullptr : &*found;
}

const std::string* Figure::param(const std::string& wanted) const {
  const auto found = std::ranges::find(params, wanted, &std::pair<std::string, std::string>::first);
  return found == params.end() ? nullptr : &found->second;
}

std::vector<Figure> figures_of(const record::ResultSet& results) {
  std::vector<std::string> order;
  std::map<std::string, Rows> by_name;
  for (const record::Row& row : results.rows) {
    Rows& rows = by_name[row.name];
    if (rows.empty()) order.push_back(row.name);
    rows.push_back(&row);
  }
  std::vector<Figure> figures;
  std::deque<record::Row> made;
  for (const std::string& name : order) {
    Rows& rows = by_name[name];
    std::ranges::stable_sort(rows, {}, &record::Row::process);
    const std::size_t all_rows = rows.size(), joined = join_rows_of_a_process(rows, made);
    const std::size_t begin = figures.size();
    const Processes processes = processes_of(rows);
    const std::vector<record::Mode> modes = modes_of(processes);
    figures.push_back(figure_of(processes, modes.empty() ? record::Mode::host : modes.front(), true));
    for (std::size_t i = 1; i < modes.size(); ++i) figures.push_back(figure_of(processes, modes[i], false));
    for (std::size_t i = begin; i < figures.size() && joined > 0; ++i) {
      figures[i].caveats.push_back(
          fmt::format("{} rows of {}", all_rows, units::counted(std::ssize(rows), "process", "processes")));
    }
  }
  return figures;
}

std::optional<Estimate> time_of(std::span<const Process> processes, record::Mode mode) {
  const Chosen measured = counted_in(processes, mode);
  return measured.empty() ? std::nullopt : std::optional(estimate_of(measured, mode));
}

std::optional<record::Counter> counter_of(const record::Row& row, const std::string& name) {
  const auto value = [&](const std::string& counter) {
    const auto found = row.counters.find(counter);
    return found == row.counters.end() ? nullptr : &found->second;
  };
  if (const record::Counter* counter = value(name)) return *counter;
  if (name != kUsableShare) return std::nullopt;
  const record::Counter *largest = value("largest_block"), *free = value("free_bytes");
  if (largest == nullptr || free == nullptr || free->value <= 0) return std::nullopt;
  return record::Counter{largest->value / free->value, "1", record::Better::higher, largest->exact && free->exact};
}

std::optional<CounterValue> counter_of(std::span<const Process> processes, const std::string& name) {
  return counter_over(counted(processes), name);
}

}  // namespace cupel::figures
