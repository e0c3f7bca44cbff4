#include "cupel/runner/select.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cupel/units/parse.hpp"

namespace cupel::runner {
namespace {

record::Pattern compile(const std::string& filter) {
  try {
    return record::Pattern(filter);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("filter ") + error.what());
  }
}

bool matches(const std::vector<std::string>& spellings, const std::vector<record::Pattern>& any) {
  return std::ranges::any_of(spellings, [&](const std::string& name) {
    return !name.empty() &&
           std::ranges::any_of(any, [&](const record::Pattern& pattern) { return pattern.matches(name); });
  });
}

bool has_advice(const record::ListedBenchmark& benchmark, const std::vector<std::string>& ids) {
  return std::ranges::any_of(benchmark.advice,
                             [&](const record::AdviceTag& tag) { return std::ranges::find(ids, tag.id) != ids.end(); });
}

}  // namespace

// "bytes:64 MiB", as tables and messages have it, as names have it: "bytes:67108864\\b".
static std::string with_plain_sizes(std::string filter) {
  constexpr std::array<std::pair<std::string_view, int>, 3> kUnits{{{" KiB", 10}, {" MiB", 20}, {" GiB", 30}}};
  for (const auto& [unit, shift] : kUnits) {
    for (std::size_t at = 0; (at = filter.find(unit, at)) != std::string::npos; ++at) {
      std::size_t first = at;
      while (first > 0 && std::string_view("0123456789.").find(filter[first - 1]) != std::string_view::npos) --first;
      const std::optional<double> size = units::number<double>(std::string_view(filter).substr(first, at - first));
      if (!size) continue;
      const auto bytes = std::llround(std::ldexp(*size, shift));
      filter.replace(first, at + unit.size() - first, std::to_string(bytes) + "\\b");
      at = first;
    }
  }
  return filter;
}

Filters::Filters(const std::vector<std::string>& filters) {
  for (const std::string& filter : filters) {
    if (filter.starts_with('-')) {
      exclude_.push_back(compile(with_plain_sizes(filter.substr(1))));
    } else {
      include_.push_back(compile(with_plain_sizes(filter)));
    }
  }
}

bool Filters::choose(const std::vector<std::string>& spellings) const {
  return (include_.empty() || matches(spellings, include_)) && !matches(spellings, exclude_);
}

std::vector<record::ListedBenchmark> select(const record::Listing& listing, const Selection& selection) {
  const Filters filters(selection.filters);
  std::vector<record::ListedBenchmark> selected;
  for (const record::ListedBenchmark& benchmark : listing.benchmarks) {
    const bool advised = selection.advice.empty() || has_advice(benchmark, selection.advice);
    if (advised && filters.choose({benchmark.name})) selected.push_back(benchmark);
  }
  return selected;
}

}  // namespace cupel::runner
