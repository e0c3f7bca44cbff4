#include "cupel/figures/waterfall.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cupel::figures {
namespace {

constexpr const char* kAdd = "add";
constexpr const char* kDrop = "drop";

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
  const Figure* before = nullptr;
  for (Rung& rung : waterfall.rungs) {
    if (before != nullptr) rung.gain = gain_of(*before, *rung.with);
    before = rung.with;
  }
}

// The main figures with a time that are named by such a change, and which one.
std::vector<std::pair<const Figure*, std::string>> changed_by(std::span<const Figure> figures, const char* how) {
  std::vector<std::pair<const Figure*, std::string>> all;
  for (const Figure& figure : figures) {
    const std::string* change = figure.param(how);
    if (change != nullptr && figure.is_main && figure.time) all.emplace_back(&figure, *change);
  }
  return all;
}

using Place = std::pair<std::string, std::string>;

Place place_of(const Figure& figure) { return {figure.operation, where_of(figure)}; }

}  // namespace

std::vector<Drop> drops_of(std::span<const Figure> figures) {
  std::map<Place, const Figure*> wholes;
  for (const auto& [figure, change] : changed_by(figures, kAdd)) wholes[place_of(*figure)] = figure;
  std::vector<Drop> all;
  for (const auto& [figure, change] : changed_by(figures, kDrop)) {
    const Place place = place_of(*figure);
    const auto whole = wholes.find(place);
    if (whole == wholes.end()) continue;
    all.push_back({place.first, place.second, change, figure, whole->second, gain_of(*figure, *whole->second)});
  }
  return all;
}

std::vector<Waterfall> waterfalls_of(std::span<const Figure> figures) {
  std::vector<Waterfall> all;
  std::map<Place, std::size_t> index;
  for (const auto& [figure, change] : changed_by(figures, kAdd)) {
    const Place place = place_of(*figure);
    const auto [found, is_new] = index.try_emplace(place, all.size());
    if (is_new) all.push_back({place.first, place.second, {}});
    all[found->second].rungs.push_back({.change = change, .with = figure});
  }
  for (const Drop& drop : drops_of(figures)) {
    std::vector<Rung>& rungs = all[index.at({drop.operation, drop.where})].rungs;
    const auto rung = std::ranges::find(rungs, drop.change, &Rung::change);
    if (rung == rungs.end()) continue;
    rung->without = drop.without;
    rung->alone = drop.gain;
  }
  std::erase_if(all, [](const Waterfall& waterfall) { return waterfall.rungs.size() < 2; });
  std::ranges::for_each(all, set_gains);
  return all;
}

}  // namespace cupel::figures
