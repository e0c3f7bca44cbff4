#include "cupel/report/html/measured.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/figures/words.hpp"
#include "cupel/report/bands/bands.hpp"
#include "cupel/report/html/text.hpp"
#include "cupel/report/text/lists.hpp"
#include "cupel/units/format.hpp"

namespace cupel::report::html {
Members members_of(const Family& family) {
  Members members;
  for (const Operation& operation : family.operations) {
    for (const Measured& one : operation.measured) members.push_back(&one);
  }
  return members;
}

std::vector<std::string> labels_of(const std::vector<Device>& devices) {
  std::vector<std::string> labels;
  for (const Device& device : devices) labels.push_back(device.label);
  return labels;
}

std::vector<Family> families_of(const std::vector<Device>& devices) {
  std::vector<Family> families;
  for (const Device& device : devices) {
    std::vector<figures::Figure> figures = figures::figures_of(*device.results);
    add_unusual_marks(figures, device.board);
    for (figures::Figure& figure : figures) {
      Family& family = entry(families, figure.family, &Family::name);
      Operation& operation = entry(family.operations, figure.operation, &Operation::name);
      operation.measured.push_back({std::move(figure), &device});
    }
  }
  return families;
}

bool have_intervals(const Members& members) {
  return std::ranges::any_of(members,
                             [](const Measured* one) { return one->figure.time && !one->figure.time->is_range(); });
}

const char* spread_word(const Members& members) { return have_intervals(members) ? "interval" : "range"; }

Value drawn(const Measured& measured, const Quantity& quantity, bool intervals) {
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

std::string spread_text(const Measured& measured, const Quantity& quantity) {
  const Value value = *measured.value(quantity);
  const figures::Estimate& time = *measured.figure.time;
  if (!value.low || !value.high) return "interval none";
  const std::string ends =
      fmt::format("{} {}", ends_text(value, quantity), units::scale_for(value.location, unit_of(quantity)).suffix);
  if (time.is_range()) return "range " + ends;
  return fmt::format("interval {} ({})", ends, units::format_percent(time.level));
}

std::string limit_name(const Measured& measured, const Value& value) {
  const record::Limit& limit = *measured.figure.limit;
  if (!limit.clock_hz || value.clock_share == 1) return limit.name;
  return fmt::format("{} at {:.0f} MHz", limit_text(measured.figure), *limit.clock_hz * value.clock_share * 1e-6);
}

std::vector<std::string> tip_lines(const Measured& measured, const Quantity& quantity) {
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

}  // namespace cupel::report::html
