#include "cupel/report/html/measured.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cupel/report/html/text.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
namespace {

// What summarise() leaves out, of all processes of one benchmark.
struct Extra {
  std::map<record::Mode, std::int64_t> samples;
  record::Limit limit;
};

std::map<std::string, Extra> extras_of(const record::ResultSet& results) {
  std::map<std::string, Extra> extras;
  for (const record::Row& row : results.rows) {
    if (row.status != record::Status::ok) continue;
    Extra& extra = extras[row.name];
    for (const record::Series& series : row.series) {
      extra.samples[series.mode] += static_cast<std::int64_t>(series.samples_s.size());
    }
    if (row.limit && extra.limit.name.empty()) extra.limit = *row.limit;
  }
  return extras;
}

Measured measured_of(figures::Summary summary, std::size_t device, const std::map<std::string, Extra>& extras) {
  Measured measured;
  measured.device = device;
  if (const auto found = extras.find(summary.name); found != extras.end()) {
    const Extra& extra = found->second;
    if (const auto samples = extra.samples.find(summary.mode); samples != extra.samples.end()) {
      measured.samples = samples->second;
    }
    measured.limit = extra.limit;
  }
  measured.summary = std::move(summary);
  return measured;
}

// Finds an element by name, or adds it at the end.
template <typename Named>
Named& entry(std::vector<Named>& list, std::map<std::string, std::size_t>& index, const std::string& key,
             const std::string& name) {
  const auto [found, is_new] = index.emplace(key, list.size());
  if (is_new) {
    list.emplace_back();
    list.back().name = name;
  }
  return list[found->second];
}

bool is_latency(const std::string& operation) {
  return operation.find("latency") != std::string::npos || operation.find("chase") != std::string::npos;
}

std::optional<std::string> rate_quantity(const Measured& measured) {
  if (!measured.summary.rate) return std::nullopt;
  return measured.summary.rate->quantity;
}

bool is_drawable(double value) { return value > 1e-30 && value < 1e30; }

std::optional<Value> drawable(Value value) {
  if (!is_drawable(value.location)) return std::nullopt;
  if (value.high && !is_drawable(*value.high)) value.high.reset();
  if (value.low && !is_drawable(*value.low)) value.low.reset();
  if (value.limit && !is_drawable(*value.limit)) value.limit.reset();
  return value;
}

const char* rate_name(const Quantity& quantity) {
  switch (quantity.kind) {
    case Quantity::bytes:
      return "bytes";
    case Quantity::flops:
      return "flops";
    case Quantity::items:
    case Quantity::time_per_item:
      return "items";
    case Quantity::time:
    case Quantity::counter:
      return "";
  }
  return "";
}

// The counter that all of them are judged by.
const figures::CounterValue* common_counter(const std::vector<const Measured*>& measured) {
  const std::string& name = measured.front()->summary.judged_by;
  const auto same = [&](const Measured* one) { return one->summary.judged_by == name; };
  return std::ranges::all_of(measured, same) ? counter(measured.front()->summary, name) : nullptr;
}

}  // namespace

units::Unit unit_of(const Quantity& quantity) {
  switch (quantity.kind) {
    case Quantity::bytes:
      return units::Unit::bytes_per_second;
    case Quantity::flops:
      return units::Unit::flops_per_second;
    case Quantity::items:
      return units::Unit::items_per_second;
    case Quantity::time:
    case Quantity::time_per_item:
      return units::Unit::seconds;
    case Quantity::counter:
      return units::unit_of(quantity.unit).value_or(units::Unit::count);
  }
  return units::Unit::seconds;
}

std::string title_of(const Quantity& quantity) {
  switch (quantity.kind) {
    case Quantity::bytes:
      return "bandwidth";
    case Quantity::flops:
      return "arithmetic rate";
    case Quantity::items:
      return "items per second";
    case Quantity::time_per_item:
      return "latency of one access";
    case Quantity::time:
      return "time of a call";
    case Quantity::counter:
      break;
  }
  std::string title = quantity.name;
  std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

std::optional<Value> Measured::value(const Quantity& quantity) const {
  if (!summary.time || !(summary.time->location_s > 0)) return std::nullopt;
  if (quantity.kind == Quantity::counter) {
    const figures::CounterValue* found = counter(summary, quantity.name);
    if (found == nullptr) return std::nullopt;
    return drawable({found->value, found->low, found->high, std::nullopt});
  }
  const figures::Estimate& time = *summary.time;
  if (quantity == Quantity::time) return drawable({time.location_s, time.low_s, time.high_s, std::nullopt});
  if (!summary.rate || summary.rate->quantity != rate_name(quantity)) return std::nullopt;
  const double work = summary.rate->per_second * time.location_s;
  Value value;
  if (quantity == Quantity::time_per_item) {
    value.location = time.location_s / work;
    if (time.low_s) value.low = *time.low_s / work;
    if (time.high_s) value.high = *time.high_s / work;
    return drawable(value);
  }
  value.location = summary.rate->per_second;
  if (time.high_s) value.low = work / *time.high_s;
  if (time.low_s) value.high = work / *time.low_s;
  value.limit = summary.rate->limit_per_second;
  value.clock_share = summary.rate->clock_share;
  return drawable(value);
}

std::string Measured::n_text() const {
  return counted(static_cast<std::int64_t>(summary.time ? summary.time->processes_s.size() : 0), "process",
                 "processes") +
         ", " + counted(samples, "sample", "samples");
}

std::vector<Family> families_of(const std::vector<Device>& devices) {
  std::vector<Family> families;
  std::map<std::string, std::size_t> family_index, operation_index;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    const std::map<std::string, Extra> extras = extras_of(*devices[device].results);
    for (figures::Summary& summary : figures::summarise(*devices[device].results)) {
      Family& family = entry(families, family_index, summary.family, summary.family);
      // The separator cannot stand in a name.
      const std::string key = summary.family + '\n' + summary.operation;
      Operation& operation = entry(family.operations, operation_index, key, summary.operation);
      operation.measured.push_back(measured_of(std::move(summary), device, extras));
    }
  }
  return families;
}

Quantity quantity_of(const std::vector<const Measured*>& measured) {
  if (measured.empty()) return Quantity::time;
  if (const figures::CounterValue* judged = common_counter(measured)) return {judged->name, judged->unit};
  if (std::ranges::all_of(measured, [](const Measured* one) { return one->summary.shown_as_time; })) {
    return Quantity::time;
  }
  const std::optional<std::string> first = rate_quantity(*measured.front());
  for (const Measured* one : measured) {
    if (one->summary.time && rate_quantity(*one) != first) return Quantity::time;
  }
  if (!first) return Quantity::time;
  if (is_latency(measured.front()->summary.operation)) {
    return *first == "items" ? Quantity::time_per_item : Quantity::time;
  }
  if (*first == "bytes") return Quantity::bytes;
  if (*first == "flops") return Quantity::flops;
  const auto limited = [](const Measured* one) { return one->summary.rate && one->summary.rate->limit_per_second; };
  return std::ranges::any_of(measured, limited) ? Quantity::items : Quantity::time;
}

std::string value_text(double value, const Quantity& quantity) {
  if (quantity.kind == Quantity::counter) {
    return figures::amount_text({quantity.name, value, quantity.unit, std::nullopt, std::nullopt});
  }
  return units::format(value, unit_of(quantity));
}

std::string ends_text(const Value& value, const Quantity& quantity) {
  if (!value.low || !value.high) return "none";
  const units::Scale scale = units::scale_for(value.location, unit_of(quantity));
  return units::format_significant(*value.low / scale.factor, 4) + " to " +
         units::format_significant(*value.high / scale.factor, 4);
}

std::string interval_text(const Value& value, const Quantity& quantity, double level) {
  if (!value.low || !value.high) return "none";
  return fmt::format("{} {} ({})", ends_text(value, quantity),
                     units::scale_for(value.location, unit_of(quantity)).suffix, units::format_percent(level));
}

std::string limit_name(const Measured& measured, const Value& value) {
  if (!measured.limit.clock_hz || value.clock_share == 1) return measured.limit.name;
  return fmt::format("{} at {:.0f} MHz", limit_text(measured.summary),
                     *measured.limit.clock_hz * value.clock_share * 1e-6);
}

std::vector<std::string> tip_lines(const Measured& measured, const Quantity& quantity,
                                   const std::vector<Device>& devices) {
  std::vector<std::string> lines{measured.summary.name};
  if (devices.size() > 1) lines.push_back(devices[measured.device].label);
  const std::optional<Value> value = measured.value(quantity);
  if (!value) return lines;
  std::string text = value_text(value->location, quantity);
  if (value->limit) {
    text += ", " + units::format_percent(value->location / value->reachable()) + " of " + limit_name(measured, *value);
  }
  lines.push_back(text);
  lines.push_back("interval " + interval_text(*value, quantity, measured.summary.time->level));
  if (quantity != Quantity::time) {
    lines.push_back("time " + units::format(measured.summary.time->location_s, units::Unit::seconds));
  }
  lines.push_back("n = " + measured.n_text() + ", " + record::to_string(measured.summary.mode));
  lines.insert(lines.end(), measured.summary.flags.begin(), measured.summary.flags.end());
  return lines;
}

}  // namespace cupel::report::html
