#include "cupel/figures/waterfall.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "cupel/units/lists.hpp"

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

void set_gains(Waterfall& waterfall) {
  const Figure* before = nullptr;
  for (Rung& rung : waterfall.rungs) {
    if (before != nullptr && rung.with != nullptr) rung.gain = gain_between(*before, *rung.with);
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

// Returns the last figure that adds a change, for each place. It is not the whole where a later change is left out that
// no figure adds, as where the tuned step failed.
std::map<Place, const Figure*> wholes_of(std::span<const Figure> figures) {
  std::map<Place, const Figure*> wholes;
  std::map<Place, std::vector<std::string>> added;
  for (const auto& [figure, change] : changed_by(figures, kAdd)) {
    wholes[place_of(*figure)] = figure;
    added[place_of(*figure)].push_back(change);
  }
  std::set<Place> last_left_out;
  for (const auto& [figure, change] : changed_by(figures, kDrop)) {
    const Place place = place_of(*figure);
    const std::vector<std::string>& changes = added[place];
    if (!changes.empty() && change == changes.back()) last_left_out.insert(place);
    if (last_left_out.contains(place) && std::ranges::find(changes, change) == changes.end()) wholes.erase(place);
  }
  return wholes;
}

bool is_added(const Rung& rung) { return rung.with != nullptr; }

// Returns the place of the change among the rungs; one that nothing adds follows those left out before it.
Rung& rung_of(std::vector<Rung>& rungs, const std::string& change, std::size_t& next) {
  auto rung = std::ranges::find(rungs, change, &Rung::change);
  if (rung == rungs.end()) rung = rungs.insert(rungs.begin() + static_cast<std::ptrdiff_t>(next), {.change = change});
  next = static_cast<std::size_t>(rung - rungs.begin()) + 1;
  return *rung;
}

}  // namespace

stats::Shift gain_between(const Figure& before, const Figure& after) {
  return stats::hodges_lehmann(logarithms(after), logarithms(before));
}

std::vector<Drop> drops_of(std::span<const Figure> figures) {
  const std::map<Place, const Figure*> wholes = wholes_of(figures);
  std::vector<Drop> all;
  for (const auto& [figure, change] : changed_by(figures, kDrop)) {
    const Place place = place_of(*figure);
    const auto whole = wholes.find(place);
    if (whole == wholes.end()) continue;
    all.push_back({place.first, place.second, change, figure, whole->second, gain_between(*figure, *whole->second)});
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
  std::vector<std::size_t> next(all.size(), 1);
  for (const Drop& drop : drops_of(figures)) {
    const std::size_t at = index.at({drop.operation, drop.where});
    Rung& rung = rung_of(all[at].rungs, drop.change, next[at]);
    rung.without = drop.without;
    rung.alone = drop.gain;
  }
  std::erase_if(all, [](const Waterfall& waterfall) { return std::ranges::count_if(waterfall.rungs, is_added) < 2; });
  std::ranges::for_each(all, set_gains);
  return all;
}

std::vector<Figure> without(std::span<const Waterfall> waterfalls, std::vector<Figure> all) {
  std::set<std::string> names;
  for (const Waterfall& waterfall : waterfalls) {
    for (const Rung& rung : waterfall.rungs) {
      for (const Figure* figure : {rung.with, rung.without}) {
        if (figure != nullptr) names.insert(figure->name);
      }
    }
  }
  std::erase_if(all, [&](const Figure& figure) { return names.contains(figure.name); });
  return all;
}

std::vector<const Rung*> changes_of(const Waterfall& step) {
  auto changes = units::filtered(step.rungs, [](const Rung& rung) { return rung.gain || rung.alone; });
  std::ranges::stable_sort(changes, std::greater(),
                           [](const Rung* rung) { return (rung->alone ? rung->alone : rung->gain)->ratio(); });
  return changes;
}

}  // namespace cupel::figures
