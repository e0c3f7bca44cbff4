#include "cupel/report/html/series.hpp"

#include <algorithm>
#include <set>

#include "cupel/report/show/pivot.hpp"
#include "cupel/report/text/wrap.hpp"

namespace cupel::report::html {
namespace {

bool all_numbers(const std::vector<std::string>& values) {
  return std::ranges::all_of(values, [](const auto& value) { return number_of(value).has_value(); });
}

std::size_t series_count(const Members& members, const std::vector<std::string>& keys) {
  std::set<std::string> labels;
  for (const Measured* one : members) labels.insert(series_label(*one, keys));
  return labels.size();
}

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + " " + b; }

void divide(const Facet& facet, const std::string& axis, std::size_t most, std::vector<Facet>& out) {
  const std::vector<std::string> keys = varying_keys(facet.members, axis);
  if (keys.empty() || series_count(facet.members, keys) <= most) {
    out.push_back(facet);
    return;
  }
  const auto fewer = [&](const std::string& a, const std::string& b) {
    return values_of(facet.members, a).size() < values_of(facet.members, b).size();
  };
  const std::string key = *std::ranges::min_element(keys, fewer);
  for (const std::string& value : values_of(facet.members, key)) {
    Facet part{joined(facet.label, text_of({{key, value}})), {}};
    for (const Measured* one : facet.members) {
      if (param(*one, key) == value) part.members.push_back(one);
    }
    divide(part, axis, most, out);
  }
}

}  // namespace

std::string param(const Measured& measured, const std::string& key) {
  for (const auto& [name, value] : measured.figure.params) {
    if (name == key) return value;
  }
  return "";
}

std::vector<std::string> values_of(const Members& members, const std::string& key) {
  std::vector<std::string> values;
  std::set<std::string> seen;
  for (const Measured* one : members) {
    if (std::string value = param(*one, key); seen.insert(value).second) values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> keys_of(const Members& members) {
  std::vector<std::string> keys;
  for (const Measured* one : members) {
    for (const auto& [key, value] : one->figure.params) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

std::optional<std::string> axis_of(const Members& members) {
  std::optional<std::string> best;
  std::size_t best_count = 2;
  bool best_is_bytes = false;
  for (const std::string& key : keys_of(members)) {
    const std::vector<std::string> values = values_of(members, key);
    if (values.size() < 3 || !all_numbers(values)) continue;
    const bool is_bytes = key.ends_with("bytes");
    if (best && (best_is_bytes > is_bytes || (best_is_bytes == is_bytes && best_count >= values.size()))) continue;
    best = key;
    best_count = values.size();
    best_is_bytes = is_bytes;
  }
  return best;
}

std::vector<std::string> varying_keys(const Members& members, const std::string& axis) {
  std::vector<std::string> keys;
  for (const std::string& key : keys_of(members)) {
    if (key != axis && values_of(members, key).size() > 1) keys.push_back(key);
  }
  return keys;
}

std::string series_label(const Measured& measured, const std::vector<std::string>& keys) {
  std::vector<std::pair<std::string, std::string>> shown;
  for (const auto& [key, value] : measured.figure.params) {
    if (std::ranges::find(keys, key) != keys.end()) shown.emplace_back(key, value);
  }
  return text_of(shown);
}

std::vector<Facet> facets_of(const Members& members, const std::string& axis, std::size_t most) {
  std::vector<Facet> facets;
  divide({"", members}, axis, most, facets);
  return facets;
}

}  // namespace cupel::report::html
