#include "cupel/units/nearest.hpp"

#include <algorithm>
#include <tuple>

#include "cupel/units/letters.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::units {
namespace {

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

// "host" of "step/host" and of "step/host/batch:8": a name says behind its family what it is of.
std::string operation_in(const std::string& name) {
  std::string last = name;
  for (const std::string& part : split(name, '/')) {
    if (!part.empty() && part.find(':') == part.npos) last = part;
  }
  return last;
}

}  // namespace

std::string meant_by(const std::string& word, const std::vector<std::string>& words) {
  const auto changes = [&](const std::string& meant) { return distance(word, meant); };
  const auto nearest = std::ranges::min_element(words, {}, changes);
  const bool is_near = nearest != words.end() && 2 * changes(*nearest) <= std::max(word.size(), nearest->size());
  return is_near ? *nearest : "";
}

std::vector<std::string> nearest(const std::string& text, const std::vector<std::string>& candidates,
                                 std::size_t count) {
  const std::string operation = operation_in(text);
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> order;  // the last is the position
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string& name = candidates[i];
    order.emplace_back(distance_to_a_part(operation, name), distance_to_a_part(text, name), distance(text, name), i);
  }
  std::ranges::sort(order);
  std::vector<std::string> best;
  for (std::size_t i = 0; i < order.size() && best.size() < count; ++i)
    best.push_back(candidates[std::get<3>(order[i])]);
  return best;
}

}  // namespace cupel::units
