#include "cupel/report/show/waterfall.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/record/counter.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {
namespace {

// One process has neither.
bool has_spread(const stats::Shift& gain) { return gain.interval.level > 0; }

bool has_interval(const stats::Shift& gain) { return gain.interval.level >= figures::kIntervalLevel; }

constexpr const char* kPyTorch = "pytorch";

std::string of_step(const figures::Rung& rung, std::string (*text)(const figures::Figure&)) {
  return rung.with == nullptr ? "" : text(*rung.with);
}

// "loader"
std::string stage_text(const figures::Rung& rung, std::span<const advice::Bottleneck> binding) {
  const auto says = [&](const advice::Bottleneck& one) {
    return rung.with != nullptr && std::ranges::find(one.names, rung.with->name) != one.names.end();
  };
  const auto found = std::ranges::find_if(binding, says);
  return found == binding.end() ? "" : found->stage;
}

}  // namespace

std::string gain_text(const std::optional<stats::Shift>& gain) {
  if (!gain) return "";
  const std::string text = units::format_fixed(gain->ratio(), 2) + "x";
  if (!has_spread(*gain)) return text;
  const stats::Interval interval = gain->ratio_interval();
  const std::string low = units::format_fixed(interval.low, 2), high = units::format_fixed(interval.high, 2);
  return has_interval(*gain) ? fmt::format("{} [{}, {}]", text, low, high)
                             : fmt::format("{}, {} to {} (range)", text, low, high);
}

std::string memory_text(const figures::Rung& rung) {
  const figures::CounterValue* memory = rung.with == nullptr ? nullptr : rung.with->counter("memory");
  return memory == nullptr ? "" : units::format(memory->value, units::Unit::bytes);
}

std::vector<std::string> change_names(const figures::Waterfall& waterfall) {
  std::vector<std::string> names;
  for (const figures::Rung& rung : waterfall.rungs) {
    const std::string piece = catalogue::built_in().made_by(rung.change);
    if (const auto before = std::ranges::find(names, piece); before != names.end())
      *before = waterfall.rungs[static_cast<std::size_t>(before - names.begin())].change;
    names.push_back(piece.empty() ? rung.change : piece);
  }
  for (std::string& name : names) std::ranges::replace(name, '_', ' ');
  return names;
}

std::string cpu_time_text(const figures::Figure& figure) {
  const figures::CounterValue* time = figure.family == kPyTorch ? figure.counter("cpu_time") : nullptr;
  return time == nullptr ? "" : units::format_duration(time->value);
}

std::string cpu_wait_text(const figures::Figure& figure) {
  constexpr double kLeast = 0.01;
  const figures::CounterValue* wait = figure.family == kPyTorch ? figure.counter(record::kCpuWait) : nullptr;
  return wait == nullptr || wait->value < kLeast ? "" : units::format_percent(wait->value);
}

Table waterfall_table(const figures::Waterfall& waterfall, std::span<const advice::Bottleneck> binding) {
  Table table({left("change"), right("time"), left("gain"), left("gain alone", Fold::none, 2), right("memory", 1),
               right("CPU", 3), right("no CPU", 3), left("binds")});
  table.group(waterfall.operation, waterfall.where);
  for (const figures::Rung& rung : waterfall.rungs) {
    const std::string time = rung.with == nullptr ? "" : units::format_duration(rung.with->time->location_s);
    table.row({rung.change, time, gain_text(rung.gain), gain_text(rung.alone), memory_text(rung),
               of_step(rung, cpu_time_text), of_step(rung, cpu_wait_text), stage_text(rung, binding)});
  }
  return table;
}

std::string turned_words(const figures::Waterfall& waterfall, std::span<const std::string> names) {
  std::vector<std::string> changes;
  const figures::Figure* before = nullptr;
  for (std::size_t i = 0; i < waterfall.rungs.size(); ++i) {
    const figures::Rung& rung = waterfall.rungs[i];
    if (rung.with == nullptr) continue;
    const figures::Figure* last = std::exchange(before, rung.with);
    if (last == nullptr || !rung.gain || units::format_fixed(rung.gain->ratio(), 2) == "1.00") continue;
    const double saved_s = last->time->location_s - rung.with->time->location_s;
    if (saved_s * rung.gain->estimate < 0) changes.push_back(names[i]);
  }
  if (changes.empty()) return "";
  return units::joined(changes) + ": the times go the other way than the gain; processes differ by more.";
}

std::string waterfall_words(const figures::Waterfall& waterfall) {
  const auto any = [&](const auto& is) {
    return std::ranges::any_of(waterfall.rungs, [&](const figures::Rung& rung) {
      return (rung.gain && is(*rung.gain)) || (rung.alone && is(*rung.alone));
    });
  };
  const bool any_alone = std::ranges::any_of(waterfall.rungs, [](const auto& rung) { return rung.alone.has_value(); });
  return fmt::format(
      "gain: time before / time with the change, added to those above it, the middle of all pairs of processes{}{}{}.",
      any_alone ? "; alone: time without this one change / time with all" : "",
      any(has_interval) ? "; brackets: interval of 95 % or more over processes" : "",
      any([](const stats::Shift& gain) { return has_spread(gain) && !has_interval(gain); })
          ? "; range: of the ratios of processes, too few for such an interval"
          : "");
}

}  // namespace cupel::report
