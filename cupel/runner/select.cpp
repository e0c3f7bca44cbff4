#include "cupel/runner/select.hpp"

#include <algorithm>
#include <array>
#include <cctype>
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

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Least number of edits that turn `text` into some part of `whole`. Sellers (1980), J. Algorithms 1(4): the edit
// distance's table with a first row of zeros, so that a match may begin and end anywhere.
std::size_t distance_to_a_part(const std::string& text, const std::string& whole) {
  std::vector<std::size_t> row(whole.size() + 1, 0);
  for (std::size_t i = 1; i <= text.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= whole.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (lower(text[i - 1]) == lower(whole[j - 1]) ? 0 : 1)});
      diagonal = above;
    }
  }
  return *std::ranges::min_element(row);
}

// Least number of changes of a letter that turn one into the other, two that changed places being one: the "optimal
// string alignment" of Damerau (1964), Commun. ACM 7(3).
std::size_t distance(const std::string& from, const std::string& to) {
  std::vector<std::vector<std::size_t>> table(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  const auto same = [&](std::size_t i, std::size_t j) { return lower(from[i - 1]) == lower(to[j - 1]); };
  for (std::size_t i = 0; i <= from.size(); ++i) {
    for (std::size_t j = 0; j <= to.size(); ++j) {
      std::size_t& least = table[i][j] = std::max(i, j);
      if (i == 0 || j == 0) continue;
      least = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (same(i, j) ? 0 : 1)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j)) least = std::min(least, table[i - 2][j - 2] + 1);
    }
  }
  return table[from.size()][to.size()];
}

}  // namespace

std::string meant_by(const std::string& word, const std::vector<std::string>& words) {
  const auto changes = [&](const std::string& meant) { return distance(word, meant); };
  const auto nearest = std::ranges::min_element(words, {}, changes);
  const bool is_near = nearest != words.end() && 2 * changes(*nearest) <= std::max(word.size(), nearest->size());
  return is_near ? *nearest : "";
}

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

std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& candidates,
                                 std::size_t count) {
  std::vector<std::pair<std::size_t, std::size_t>> order;  // distance, position
  for (std::size_t i = 0; i < candidates.size(); ++i) order.emplace_back(distance_to_a_part(text, candidates[i]), i);
  std::ranges::sort(order);
  std::vector<std::string> best;
  for (std::size_t i = 0; i < order.size() && best.size() < count; ++i) best.push_back(candidates[order[i].second]);
  return best;
}

}  // namespace cupel::runner
