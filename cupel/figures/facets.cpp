#include "cupel/figures/facets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "cupel/figures/pivot.hpp"
#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::figures {
namespace {

using Group = std::span<const Figure* const>;

std::vector<std::string> keys_of(Group figures) {
  std::vector<std::string> keys;
  for (const Figure* one : figures) {
    for (const auto& [key, value] : one->params) units::add_once(keys, key);
  }
  return keys;
}

// Divides all figures, a facet after another.
class Division {
 public:
  Division(Group all, const std::string& axis, std::size_t most, std::size_t most_of_last)
      : all_(all), axis_(axis), most_(most), most_of_last_(most_of_last) {}

  std::vector<Facet> facets() && {
    Facet whole{"", std::vector<std::size_t>(all_.size())};
    std::iota(whole.members.begin(), whole.members.end(), std::size_t{0});
    divide(whole);
    return std::move(facets_);
  }

 private:
  std::vector<const Figure*> figures_of(const Facet& facet) const {
    std::vector<const Figure*> figures;
    for (const std::size_t i : facet.members) figures.push_back(all_[i]);
    return figures;
  }

  // The members of the facet whose parameter has one of these values.
  Facet part_of(const Facet& facet, const std::string& says, const std::string& key, const auto& values) const {
    Facet part{facet.label, {}};
    units::append(part.label, says, " ");
    std::ranges::copy_if(facet.members, std::back_inserter(part.members),
                         [&](std::size_t i) { return units::contains(values, param_of(*all_[i], key)); });
    return part;
  }

  // By the only parameter that is left: parts of about as many values.
  void divide_values(const Facet& facet, const std::string& key) {
    const std::vector<std::string> values = values_of(figures_of(facet), key);
    const std::size_t parts = (values.size() + most_ - 1) / most_;
    for (std::size_t i = 0; i < parts; ++i) {
      const std::size_t first = i * values.size() / parts, last = (i + 1) * values.size() / parts;
      facets_.push_back(
          part_of(facet, fmt::format("{} of {}", i + 1, parts), key, std::span(values).subspan(first, last - first)));
    }
  }

  void divide(const Facet& facet) {
    const std::vector<const Figure*> figures = figures_of(facet);
    const std::vector<std::string> keys = varying_keys(figures, axis_);
    if (has_room(figures, axis_, keys.size() > 1 ? most_ : most_of_last_)) {
      facets_.push_back(facet);
      return;
    }
    if (keys.size() == 1) return divide_values(facet, keys.front());
    const std::string key =
        *std::ranges::min_element(keys, {}, [&](const std::string& one) { return values_of(figures, one).size(); });
    for (const std::string& value : values_of(figures, key))
      divide(part_of(facet, text_of({{key, value}}), key, std::span(&value, 1)));
  }

  Group all_;
  const std::string& axis_;
  std::size_t most_, most_of_last_;
  std::vector<Facet> facets_;
};

}  // namespace

std::string param_of(const Figure& figure, const std::string& key) {
  const std::string* value = figure.param(key);
  return value == nullptr ? "" : *value;
}

std::vector<std::string> values_of(Group figures, const std::string& key) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const Figure* one : figures) {
    if (std::string value = param_of(*one, key); seen.insert(value).second) values.push_back(std::move(value));
  }
  return values;
}

std::optional<std::string> axis_of(Group figures) {
  std::optional<std::string> best;
  std::pair<bool, std::size_t> most;
  for (const std::string& key : keys_of(figures)) {
    const std::vector<std::string> values = values_of(figures, key);
    if (values.size() < 3 || !units::all_numbers(values)) continue;
    const std::pair weight(key.ends_with("bytes"), values.size());
    if (best && weight <= most) continue;
    best = key;
    most = weight;
  }
  return best;
}

std::optional<std::string> ranked_key(Group figures) {
  for (const char* key : {"engine", "algorithm", "plan"}) {
    if (values_of(figures, key).size() > 1) return key;
  }
  return std::nullopt;
}

std::vector<std::string> varying_keys(Group figures, const std::string& axis) {
  std::vector<std::string> keys = keys_of(figures);
  std::erase_if(keys, [&](const std::string& key) { return key == axis || values_of(figures, key).size() < 2; });
  return keys;
}

std::string line_label(const Figure& figure, const std::vector<std::string>& keys) {
  Parts shown = figure.params;
  std::erase_if(shown, [&](const auto& one) { return !units::contains(keys, one.first); });
  return text_of(shown);
}

bool has_room(Group figures, const std::string& axis, std::size_t most) {
  const std::vector<std::string> keys = varying_keys(figures, axis);
  std::set<std::string> labels;
  for (const Figure* one : figures) labels.insert(line_label(*one, keys));
  return labels.size() <= most;
}

std::vector<Facet> facets_of(Group figures, const std::string& axis, std::size_t most, std::size_t most_of_last) {
  return Division(figures, axis, most, most_of_last).facets();
}

std::vector<Facet> problems_of(Group figures, const std::string& key) {
  std::vector<Facet> problems;
  std::vector<std::string> others = keys_of(figures);
  std::erase(others, key);
  for (std::size_t i = 0; i < figures.size(); ++i)
    units::entry(problems, line_label(*figures[i], others), &Facet::label).members.push_back(i);
  return problems;
}

}  // namespace cupel::figures
