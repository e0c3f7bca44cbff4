#include "cupel/report/html/caption.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

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

// "Cold, host." of all modes among them: the method says what they are. Empty for a counter.
std::string mode_sentence(const Members& members, const Quantity& quantity) {
  if (quantity.kind == Quantity::counter) return "";
  std::set<record::Mode> modes;
  for (const DeviceFigure* one : members) {
    if (one->figure.time) modes.insert(one->figure.mode);
  }
  std::string text;
  for (const record::Mode mode : modes) units::append(text, to_string(mode));
  if (text.empty()) return "";
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

// Empty where there is no limit. The method says where they come from.
std::string limit_sentence(const Members& members, const Quantity& quantity) {
  std::vector<std::string> limits;
  for (const DeviceFigure* one : members) {
    const std::optional<Value> value = one->value(quantity);
    if (!value || !value->limit) continue;
    units::add_once(limits, limit_of(*one) + ", " + value_text(*value->limit, quantity));
  }
  if (limits.empty()) return "";
  return fmt::format("Limit{}: {}.", limits.size() > 1 ? "s" : "",
                     units::shorten(fmt::format("{}", fmt::join(limits, "; ")), 1000));
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
  std::string text = "n: " + whole_range(processes);
  if (quantity.kind != Quantity::counter) text += " / " + whole_range(samples);
  if (levels.empty()) return text + ", too few for an interval.";
  if (!intervals) return text + ", ranges.";
  text += ", intervals " + percent_range(levels);
  return text + (across && inside ? " over processes, or inside a single one."
                 : across         ? " over processes."
                                  : " inside one process.");
}

std::string caption(const Members& members, const Quantity& quantity, bool has_n_column) {
  std::string text;
  if (!has_n_column || have_intervals(members)) text = n_sentence(members, quantity);
  units::append(text, mode_sentence(members, quantity), " ");
  units::append(text, limit_sentence(members, quantity), " ");
  return text;
}

}  // namespace cupel::report::html
