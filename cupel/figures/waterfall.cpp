#include "cupel/figures/waterfall.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cupel::figures {
namespace {

constexpr const char* kAdd = "add";
constexpr const char* kDrop = "drop";

// Null where it has none of that name.
const std::string* param(const Figure& figure, const std::string& name) {
  const auto found = std::ranges::find(figure.params, name, &std::pair<std::string, std::string>::first);
  return found == figure.params.end() ? nullptr : &found->second;
}

std::string where_of(const Figure& figure) {
  std::string where;
  for (const auto& [name, value] : figure.params) {
    if (name != kAdd && name != kDrop) where += (where.empty() ? "" : " ") + name + ":" + value;
  }
  return where;
}

std::vector<double> logarithms(const Figure& figure) {
  std::vector<double> all;
  for (const double time_s : figure.time->processes_s) all.push_back(std::log(time_s));
  return all;
}

stats::Shift gain_of(const Figure& before, const Figure& after) {
  return stats::hodges_lehmann(logarithms(after), logarithms(before));
}

void set_gains(Waterfall& waterfall) {
  const Figure& all = *waterfall.rungs.back().with;
  const Figure* before = nullptr;
  for (Rung& rung : waterfall.rungs) {
    if (before != nullptr) rung.gain = gain_of(*before, *rung.with);
    if (rung.without != nullptr) rung.alone = gain_of(*rung.without, all);
    before = rung.with;
  }
}

}  // namespace

bool is_of_waterfall(const Figure& figure) { return param(figure, kAdd) != nullptr || param(figure, kDrop) != nullptr; }

std::vector<Waterfall> waterfalls_of(std::span<const Figure> figures) {
  std::vector<Waterfall> all;
  std::map<std::pair<std::string, std::string>, std::size_t> place;
  for (const Figure& figure : figures) {
    const std::string* change = param(figure, kAdd);
    if (change == nullptr || !figure.is_main || !figure.time) continue;
    const std::pair key{figure.operation, where_of(figure)};
    const auto [found, is_new] = place.try_emplace(key, all.size());
    if (is_new) all.push_back({key.first, key.second, {}});
    all[found->second].rungs.push_back({.change = *change, .with = &figure});
  }
  for (const Figure& figure : figures) {
    const std::string* change = param(figure, kDrop);
    if (change == nullptr || !figure.is_main || !figure.time) continue;
    const auto found = place.find({figure.operation, where_of(figure)});
    if (found == place.end()) continue;
    const auto rung = std::ranges::find(all[found->second].rungs, *change, &Rung::change);
    if (rung != all[found->second].rungs.end()) rung->without = &figure;
  }
  std::erase_if(all, [](const Waterfall& waterfall) { return waterfall.rungs.size() < 2; });
  std::ranges::for_each(all, set_gains);
  return all;
}

}  // namespace cupel::figures
