#include "cupel/figures/figure.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/above_limit.hpp"
#include "cupel/figures/figure_mode.hpp"
#include "cupel/figures/seen_clock.hpp"
#include "cupel/stats/interval.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/precision.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {
namespace {

constexpr double kLevel = 0.95;

using Rows = std::vector<const record::Row*>;

void interval_over_processes(Estimate& estimate) {
  const stats::Interval interval = stats::median_interval(estimate.processes_s, kLevel);
  estimate.low_s = interval.low;
  estimate.high_s = interval.high;
  estimate.level = interval.level;
  estimate.across_processes = true;
}

void interval_inside(Estimate& estimate, const std::vector<double>& samples) {
  const stats::Precision precision = stats::interquartile_mean_precision(samples, kLevel);
  if (!std::isfinite(precision.half_width)) return;
  estimate.low_s = std::max(0.0, precision.location - precision.half_width);
  estimate.high_s = precision.location + precision.half_width;
  estimate.level = kLevel;
}

std::optional<Estimate> estimate(const Rows& rows, record::Mode mode) {
  Estimate result;
  std::vector<double> samples;
  for (const record::Row* row : rows) {
    const record::Series* series = series_of(*row, mode);
    if (row->status != record::Status::ok || series == nullptr) continue;
    samples = series->corrected_s();
    result.processes_s.push_back(stats::interquartile_mean(samples));
  }
  if (result.processes_s.empty()) return std::nullopt;
  result.location_s = stats::median(result.processes_s);
  if (result.processes_s.size() > 1) {
    interval_over_processes(result);
  } else {
    interval_inside(result, samples);
  }
  return result;
}

std::optional<Rate> rate(const record::Row& row, double time_s) {
  if (!(time_s > 0)) return std::nullopt;
  std::string quantity = row.limit ? row.limit->quantity : "";
  for (const char* candidate : {"bytes", "flops", "items"}) {
    if (row.workload.amount(quantity) <= 0) quantity = candidate;
  }
  const auto work = static_cast<double>(row.workload.amount(quantity));
  if (work <= 0) return std::nullopt;
  Rate result{.quantity = quantity, .per_second = work / time_s};
  if (row.limit && row.limit->quantity == quantity && row.limit->per_second > 0) {
    result.limit_per_second = row.limit->per_second;
  }
  return result;
}

double clock_share(const record::Row& measured, const Rows& rows) {
  SeenClock clock;
  for (const record::Row* row : rows) {
    if (row->status == record::Status::ok && row->telemetry) clock.add(*row->telemetry);
  }
  return clock.share_of(measured.limit);
}

bool above_limit(const Rate& rate) {
  return rate.limit_per_second && rate.per_second > kAboveLimit * *rate.limit_per_second;
}

std::string of_all(std::ptrdiff_t some, std::size_t all, const char* what) {
  return static_cast<std::size_t>(some) == all ? what : fmt::format("{} of {} {}", some, all, what);
}

std::vector<std::string> flags(const Rows& rows) {
  const auto count = [&](const auto& test) { return std::count_if(rows.begin(), rows.end(), test); };
  const auto failed = count([](const record::Row* row) { return row->status == record::Status::failed; });
  const auto skipped = count([](const record::Row* row) { return row->status == record::Status::skipped; });
  const auto below = count([](const record::Row* row) { return row->below_floor; });
  const auto disturbed = count([](const record::Row* row) { return row->disturbed; });
  const auto cut_short = count([](const record::Row* row) { return row->cut_short; });
  const auto restless = count([](const record::Row* row) { return row->telemetry && !row->telemetry->settled; });
  std::vector<std::string> result;
  if (failed > 0) result.push_back(of_all(failed, rows.size(), "failed"));
  if (skipped > 0) result.push_back(of_all(skipped, rows.size(), "skipped"));
  if (below > 0) result.push_back(of_all(below, rows.size(), "below floor"));
  if (disturbed > 0) result.push_back(of_all(disturbed, rows.size(), "disturbed"));
  if (cut_short > 0) result.push_back(of_all(cut_short, rows.size(), "cut short"));
  if (restless > 0) result.push_back(of_all(restless, rows.size(), "clock not settled"));
  return result;
}

std::vector<std::string> advice_ids(const record::Row& row) {
  std::vector<std::string> ids;
  for (const record::AdviceTag& tag : row.advice) {
    if (std::find(ids.begin(), ids.end(), tag.id) == ids.end()) ids.push_back(tag.id);
  }
  return ids;
}

std::vector<CounterValue> counters(const Rows& rows) {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::string> unit;
  for (const record::Row* row : rows) {
    for (const auto& [name, counter] : row->counters) {
      if (!std::isfinite(counter.value)) continue;
      values[name].push_back(counter.value);
      unit[name] = counter.unit;
    }
  }
  std::vector<CounterValue> result;
  for (const auto& [name, all] : values) {
    result.push_back({name, stats::median(all), unit[name], std::nullopt, std::nullopt});
    if (all.size() < 2) continue;
    const stats::Interval interval = stats::median_interval(all, kLevel);
    result.back().low = interval.low;
    result.back().high = interval.high;
  }
  return result;
}

// What the figure is about, as the catalogue says of its advice.
void set_subject(Summary& summary) {
  for (const std::string& id : summary.advice) {
    const catalogue::CatalogueRow* piece = catalogue::built_in().find(id);
    if (piece == nullptr) continue;
    summary.shown_as_time = summary.shown_as_time || piece->shown_as_time;
    if (summary.judged_by.empty() && counter(summary, piece->judged_by) != nullptr) {
      summary.judged_by = piece->judged_by;
    }
  }
}

Summary summarise_one(const Rows& rows, record::Mode mode, bool figure) {
  const record::Row& first = *rows.front();
  Summary summary;
  summary.name = first.name;
  summary.family = first.family;
  summary.operation = operation_of(first.name);
  summary.params = first.params;
  summary.mode = mode;
  summary.figure = figure;
  summary.advice = advice_ids(first);
  summary.tags = first.advice;
  summary.flags = flags(rows);
  const record::Row* measured = nullptr;
  for (const record::Row* row : rows) {
    if (row->status == record::Status::ok) {
      ++summary.ok;
      if (measured == nullptr) measured = row;
    } else {
      ++(row->status == record::Status::failed ? summary.failed : summary.skipped);
      if (summary.reason.empty() || (row->status == record::Status::failed && summary.failed == 1)) {
        summary.reason = row->reason;
      }
    }
    if (summary.note.empty()) summary.note = row->note;
  }
  if (measured == nullptr) return summary;
  summary.time = estimate(rows, mode);
  if (summary.time) summary.rate = rate(*measured, summary.time->location_s);
  if (summary.rate) summary.rate->clock_share = clock_share(*measured, rows);
  if (summary.rate && above_limit(*summary.rate)) summary.flags.push_back(kFlagAboveLimit);
  summary.workload = measured->workload;
  if (measured->limit) summary.limit_name = measured->limit->name;
  if (figure) summary.counters = counters(rows);
  set_subject(summary);
  return summary;
}

// "bytes:4096" is "bytes:4 KiB"; other parts of a name stay as they are.
std::string readable(const std::string& part) {
  const std::size_t colon = part.find(':');
  if (colon == std::string::npos) return part;
  return part.substr(0, colon + 1) + readable_value(part.substr(0, colon), part.substr(colon + 1));
}

}  // namespace

std::vector<Summary> summarise(const record::ResultSet& results) {
  std::vector<std::string> order;
  std::map<std::string, Rows> by_name;
  for (const record::Row& row : results.rows) {
    Rows& rows = by_name[row.name];
    if (rows.empty()) order.push_back(row.name);
    rows.push_back(&row);
  }
  std::vector<Summary> summaries;
  for (const std::string& name : order) {
    Rows& rows = by_name[name];
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->process < b->process; });
    const std::vector<record::Mode> found = modes_of(rows);
    summaries.push_back(summarise_one(rows, found.empty() ? record::Mode::host : found.front(), true));
    for (std::size_t i = 1; i < found.size(); ++i) summaries.push_back(summarise_one(rows, found[i], false));
  }
  return summaries;
}

std::string operation_of(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return name;
  const std::size_t slash = name.rfind('/', colon);
  return slash == std::string::npos ? name : name.substr(0, slash);
}

std::string label_of(const std::string& name) {
  const std::string operation = operation_of(name);
  if (operation.size() == name.size()) return name.substr(name.rfind('/') + 1);
  std::string label;
  for (std::size_t begin = operation.size() + 1; begin < name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    label += (label.empty() ? "" : " ") + readable(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return label;
}

std::string amount_text(const CounterValue& counter) {
  const std::optional<units::Unit> unit = units::unit_of(counter.unit);
  return unit ? units::format(counter.value, *unit) : fmt::format("{:.4g} {}", counter.value, counter.unit);
}

std::string counter_text(const CounterValue& counter) { return counter.name + " " + amount_text(counter); }

const CounterValue* counter(const Summary& summary, const std::string& name) {
  for (const CounterValue& candidate : summary.counters) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

units::Unit unit_of_rate(const std::string& quantity) {
  if (quantity == "bytes") return units::Unit::bytes_per_second;
  return quantity == "flops" ? units::Unit::flops_per_second : units::Unit::items_per_second;
}

std::string limit_text(const Summary& summary) { return summary.limit_name.substr(0, summary.limit_name.find(" at ")); }

std::string rate_text(const std::string& quantity, double per_second) {
  return units::format(per_second, unit_of_rate(quantity));
}

std::string readable_value(const std::string& parameter, const std::string& value) {
  if (!parameter.ends_with("bytes")) return value;
  std::int64_t bytes = 0;
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, bytes);
  return error == std::errc{} && end == last ? units::format_size(bytes) : value;
}

bool natural_less(const std::string& a, const std::string& b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      std::size_t i_end = i, j_end = j;
      while (i_end < a.size() && is_digit(a[i_end])) ++i_end;
      while (j_end < b.size() && is_digit(b[j_end])) ++j_end;
      while (i + 1 < i_end && a[i] == '0') ++i;
      while (j + 1 < j_end && b[j] == '0') ++j;
      if (i_end - i != j_end - j) return i_end - i < j_end - j;
      const int order = a.compare(i, i_end - i, b, j, j_end - j);
      if (order != 0) return order < 0;
      i = i_end;
      j = j_end;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b;  // "007" and "7" are one number and two names
}

}  // namespace cupel::figures
