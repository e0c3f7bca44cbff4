#include "cupel/report/show/waterfall.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cupel/units/format.hpp"

namespace cupel::report {
namespace {

// One process has none.
bool has_interval(const stats::Shift& gain) { return gain.interval.level > 0; }

}  // namespace

std::string gain_text(const std::optional<stats::Shift>& gain) {
  if (!gain) return "";
  if (!has_interval(*gain)) return units::format_fixed(gain->ratio(), 2) + "x";
  const stats::Interval interval = gain->ratio_interval();
  return fmt::format("{}x [{}, {}]", units::format_fixed(gain->ratio(), 2), units::format_fixed(interval.low, 2),
                     units::format_fixed(interval.high, 2));
}

std::string memory_text(const figures::Rung& rung) {
  const figures::CounterValue* memory = rung.with->counter("memory");
  return memory == nullptr ? "" : units::format(memory->value, units::Unit::bytes);
}

Table waterfall_table(const figures::Waterfall& waterfall) {
  Table table({{"change"},
               {"time", Align::right},
               {"gain"},
               {"gain alone", Align::left, Fold::none, 2},
               {"memory", Align::right, Fold::none, 1}});
  table.group(waterfall.operation, waterfall.where);
  for (const figures::Rung& rung : waterfall.rungs) {
    table.row({rung.change, units::format_duration(rung.with->time->location_s), gain_text(rung.gain),
               gain_text(rung.alone), memory_text(rung)});
  }
  return table;
}

std::string waterfall_words(const figures::Waterfall& waterfall) {
  const bool any_alone = std::ranges::any_of(waterfall.rungs, [](const auto& rung) { return rung.alone.has_value(); });
  const stats::Shift& last = *waterfall.rungs.back().gain;
  return fmt::format("gain: time before by time with the change, added to those above it{}{}.",
                     any_alone ? "; alone: time of all changes but this one by that of all" : "",
                     has_interval(last) ? fmt::format("; brackets: interval over processes (level {})",
                                                      units::format_percent(last.interval.level))
                                        : "");
}

}  // namespace cupel::report
