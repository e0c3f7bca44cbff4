#include "cupel/figures/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cupel/units/format.hpp"

namespace cupel::figures {

std::string modes_text(const std::vector<record::Mode>& modes) {
  std::string text;
  std::vector<record::Mode> said;
  for (const record::Mode mode : modes) {
    if (std::ranges::find(said, mode) != said.end()) continue;
    said.push_back(mode);
    text += (text.empty() ? "" : " and ") + std::string(record::to_string(mode));
  }
  return text;
}

std::string mode_meaning(record::Mode mode) {
  using enum record::Mode;
  switch (mode) {
    case cold:
      return "device time of one launch after a flush of the L2";
    case hot:
      return "device time of calls back to back";
    case host:
      return "on the host's clock";
    case sustained:
      return "device time of calls back to back once power and clock are steady";
  }
  return "";
}

std::string modes_mean(const std::set<record::Mode>& modes) {
  std::vector<std::string> parts;
  for (const record::Mode mode : modes)
    parts.push_back(fmt::format("{}: {}", record::to_string(mode), mode_meaning(mode)));
  return parts.empty() ? "" : fmt::format("{}.", fmt::join(parts, "; "));
}

std::string amount_text(const CounterValue& counter) {
  const std::optional<units::Unit> unit = units::unit_of(counter.unit);
  return unit ? units::format(counter.value, *unit) : fmt::format("{:.4g} {}", counter.value, counter.unit);
}

std::string counter_text(const CounterValue& counter) { return counter.name + " " + amount_text(counter); }

units::Unit unit_of_rate(const std::string& quantity) {
  if (quantity == "bytes") return units::Unit::bytes_per_second;
  return quantity == "flops" ? units::Unit::flops_per_second : units::Unit::items_per_second;
}

std::string limit_text(const Figure& figure) {
  return figure.limit ? figure.limit->name.substr(0, figure.limit->name.find(" at ")) : "";
}

std::string rate_text(const std::string& quantity, double per_second) {
  return units::format(per_second, unit_of_rate(quantity));
}

}  // namespace cupel::figures
