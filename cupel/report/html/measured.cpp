#include "cupel/report/html/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "cupel/bands/words.hpp"
#include "cupel/figures/pivot.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/report/page/html_text.hpp"
#include "cupel/report/page/palette.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::report::html {
namespace {

std::string whole_range(const std::set<std::int64_t>& values) {
  return units::range_text(fmt::format("{}", *values.begin()), fmt::format("{}", *values.rbegin()));
}

// "93.8 to 98.4 %".
std::string percent_range(const std::set<double>& values) {
  const std::string low = units::format_percent(*values.begin()), high = units::format_percent(*values.rbegin());
  return low == high ? low : low.substr(0, low.find(' ')) + " to " + high;
}

// "Cold.": the method says what that is. Empty for a counter, and where members differ in it, which marks or a column
// then tell.
std::string mode_sentence(const Members& members, const Quantity& quantity) {
  if (quantity.kind == Quantity::counter) return "";
  std::set<record::Mode> modes;
  for (const DeviceFigure* one : members) {
    if (one->figure.time) modes.insert(one->figure.mode);
  }
  if (modes.size() != 1) return "";
  std::string text = to_string(*modes.begin());
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

// The limits that a benchmark is held against, "PCIe 5.0 x16, 63.0 GB/s".
std::vector<std::string> limits_of(const DeviceFigure& measured) {
  std::vector<std::string> limits;
  for (const Quantity quantity : {Quantity::bytes, Quantity::flops, Quantity::items}) {
    const std::optional<Value> value = measured.value(quantity);
    if (value && value->limit)
      limits.push_back(measured.figure.limit->name + ", " + value_text(*value->limit, quantity));
  }
  return limits;
}

}  // namespace

Members members_of(const Family& family) {
  Members members;
  for (const Operation& operation : family.operations) {
    for (const DeviceFigure& one : operation.measured) members.push_back(&one);
  }
  return members;
}

std::vector<const figures::Figure*> figures_of(const Members& members) {
  std::vector<const figures::Figure*> figures;
  for (const DeviceFigure* one : members) figures.push_back(&one->figure);
  return figures;
}

std::vector<std::string> labels_of(const std::vector<Device>& devices) {
  std::vector<std::string> labels;
  for (const Device& device : devices) labels.push_back(device.name.empty() ? device.label : device.name);
  return labels;
}

std::vector<Family> families_of(const std::vector<Device>& devices) {
  std::vector<Family> families;
  for (const Device& device : devices) {
    std::vector<figures::Figure> figures = figures::figures_of(*device.results);
    bands::add_unusual_marks(figures, device.board);
    for (figures::Figure& figure : figures) {
      Family& family = units::entry(families, figure.family, &Family::name);
      Operation& operation = units::entry(family.operations, figure.operation, &Operation::name);
      operation.measured.push_back({std::move(figure), &device});
    }
  }
  return families;
}

bool tells_of_the_machine(const figures::Figure& figure) {
  return !figure.warnings.contains(figures::Warning::above_limit) && figure.unusual.empty();
}

bool have_intervals(const Members& members) {
  return std::ranges::any_of(members,
                             [](const DeviceFigure* one) { return one->figure.time && !one->figure.time->is_range(); });
}

const char* spread_word(const Members& members) { return have_intervals(members) ? "interval" : "range"; }

Value drawn(const DeviceFigure& measured, const Quantity& quantity, bool intervals) {
  Value value = *measured.value(quantity);
  if (intervals && measured.figure.time->is_range()) value.low = value.high = std::nullopt;
  return value;
}

std::string ends_text(const Value& value, const Quantity& quantity) {
  if (!value.low || !value.high) return "none";
  const units::Scale scale = units::scale_for(value.location, unit_of(quantity));
  return units::format_significant(*value.low / scale.factor, 4) + " to " +
         units::format_significant(*value.high / scale.factor, 4);
}

std::string spread_text(const DeviceFigure& measured, const Quantity& quantity) {
  const Value value = *measured.value(quantity);
  const figures::Estimate& time = *measured.figure.time;
  if (!value.low || !value.high) return "interval none";
  const std::string ends =
      fmt::format("{} {}", ends_text(value, quantity), units::scale_for(value.location, unit_of(quantity)).suffix);
  if (time.is_range()) return "range " + ends;
  return fmt::format("interval {} ({})", ends, units::format_percent(time.level));
}

std::string limit_name(const DeviceFigure& measured, const Value& value) {
  const record::Limit& limit = *measured.figure.limit;
  if (!limit.clock_hz || value.clock_share == 1) return limit.name;
  return fmt::format("{} at {:.0f} MHz", limit_text(measured.figure), *limit.clock_hz * value.clock_share * 1e-6);
}

std::vector<std::string> tip_lines(const DeviceFigure& measured, const Quantity& quantity) {
  const figures::Figure& figure = measured.figure;
  std::vector<std::string> lines{figure.name};
  if (!measured.device->name.empty()) lines.push_back(measured.device->name);
  const std::optional<Value> value = measured.value(quantity);
  if (!value) return lines;
  std::string text = value_text(value->location, quantity);
  if (value->limit) {
    text += ", " + units::format_percent(value->location / value->reachable()) + " of " + limit_name(measured, *value);
  }
  lines.push_back(text);
  lines.push_back(spread_text(measured, quantity));
  if (quantity != Quantity::time) {
    lines.push_back("time " + units::format(figure.time->location_s, units::Unit::seconds));
  }
  lines.push_back("n = " + counted(std::ssize(figure.time->processes_s), "process", "processes") + ", " +
                  counted(figure.samples, "sample") + ", " + record::to_string(figure.mode));
  lines.insert(lines.end(), figure.caveats.begin(), figure.caveats.end());
  return lines;
}

std::string n_text(const DeviceFigure& measured, const Quantity& quantity) {
  const std::size_t processes = measured.figure.time->processes_s.size();
  if (quantity.kind == Quantity::counter) return fmt::format("{}", processes);
  return fmt::format("{} / {}", processes, measured.figure.samples);
}

std::string n_sentence(const Members& members, const Quantity& quantity) {
  std::set<std::int64_t> processes, samples;
  std::set<double> levels;
  bool across = false, inside = false;
  const bool intervals = have_intervals(members);
  for (const DeviceFigure* one : members) {
    if (!one->figure.time) continue;
    processes.insert(std::ssize(one->figure.time->processes_s));
    samples.insert(one->figure.samples);
    if (!one->value(quantity) || !drawn(*one, quantity, intervals).low) continue;
    levels.insert(one->figure.time->level);
    (one->figure.time->across_processes ? across : inside) = true;
  }
  if (processes.empty()) processes = samples = {0};
  std::string text = "n: " + whole_range(processes);
  if (quantity.kind != Quantity::counter) text += " / " + whole_range(samples);
  if (levels.empty()) return text + ", too few for an interval.";
  if (!intervals) return text + ", ranges.";
  text += ", intervals " + percent_range(levels);
  return text + (across && inside ? " over processes, or inside a single one."
                 : across         ? " over processes."
                                  : " inside one process.");
}

std::string limits_sentence(const Members& members) {
  struct Limit {
    std::string words;
    std::vector<std::string> devices;
  };
  std::vector<Limit> limits;
  std::set<std::string> all_devices;
  for (const DeviceFigure* one : members) {
    all_devices.insert(one->device->name);
    for (const std::string& words : limits_of(*one))
      units::add_once(units::entry(limits, words, &Limit::words).devices, one->device->name);
  }
  std::vector<std::string> said;
  for (const Limit& limit : limits) {
    const bool is_of_all = limit.devices.size() == all_devices.size();
    said.push_back(limit.words + (is_of_all ? "" : " (" + units::joined(limit.devices) + ")"));
  }
  if (said.empty()) return "";
  return fmt::format("Limit{}: {}.", said.size() > 1 ? "s" : "", units::shorten(units::joined(said, "; "), 1000));
}

std::string caption(const Members& members, const Quantity& quantity, bool has_n_column) {
  std::string text;
  if (!has_n_column || have_intervals(members)) text = n_sentence(members, quantity);
  units::append(text, mode_sentence(members, quantity), " ");
  return text;
}

}  // namespace cupel::report::html
