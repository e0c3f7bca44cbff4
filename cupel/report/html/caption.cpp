#include "cupel/report/html/caption.hpp"

#include <fmt/core.h>

#include <set>

#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"
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

const char* mode_words(record::Mode mode) {
  switch (mode) {
    case record::Mode::cold:
      return "device time with caches cold";
    case record::Mode::hot:
      return "device time of batches back to back";
    case record::Mode::host:
      return "time on the host's clock";
    case record::Mode::sustained:
      return "device time back to back, power and clock steady";
  }
  return "";
}

// "Device time, caches cold." of all modes among them. Empty for a counter.
std::string mode_sentence(const Members& members, const Quantity& quantity) {
  if (quantity.kind == Quantity::counter) return "";
  std::set<record::Mode> modes;
  for (const DeviceFigure* one : members) {
    if (one->figure.time) modes.insert(one->figure.mode);
  }
  std::string text;
  for (const record::Mode mode : modes) units::append(text, mode_words(mode), "; ");
  if (text.empty()) return "";
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return " " + text + ".";
}

// Each source once. Empty where there is no limit.
std::string limit_sentence(const Members& members, const Quantity& quantity) {
  std::set<std::string> seen;
  struct Limits {
    std::string source, names;
  };
  std::vector<Limits> by_source;
  for (const DeviceFigure* one : members) {
    const std::optional<Value> value = one->value(quantity);
    if (!value || !value->limit) continue;
    const std::string limit = fmt::format("{}, {}", one->figure.limit->name, value_text(*value->limit, quantity));
    if (!seen.insert(limit).second) continue;
    units::append(units::entry(by_source, one->figure.limit->source, &Limits::source).names, limit, "; ");
  }
  std::string text;
  for (const auto& [source, limits] : by_source) {
    units::append(text, units::shorten(limits, 1000) + (source.empty() ? "" : " (" + units::shorten(source) + ")"),
                  "; ");
  }
  if (text.empty()) return "";
  return fmt::format(" Limit{}: {}.", seen.size() > 1 ? "s" : "", text);
}

}  // namespace

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
  const std::int64_t most = *processes.rbegin();
  const bool single = most <= 1 && *samples.rbegin() <= 1;
  std::string text = fmt::format("n: {} process{}", whole_range(processes), most > 1 ? "es" : "");
  if (quantity.kind != Quantity::counter) {
    text += fmt::format(" and {} sample{}", whole_range(samples), single ? "" : "s");
  }
  text += " a point";
  if (levels.empty()) return text + ", too few for an interval.";
  if (!intervals) return text + ", ranges of processes.";
  text += ", intervals " + percent_range(levels);
  return text + (across && inside ? " over processes, or inside a single one."
                 : across         ? " over processes."
                                  : " inside one process.");
}

std::string caption(const Members& members, const Quantity& quantity) {
  return n_sentence(members, quantity) + mode_sentence(members, quantity) + limit_sentence(members, quantity);
}

}  // namespace cupel::report::html
