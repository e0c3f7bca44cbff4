#include "cupel/fleet/outliers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace cupel::fleet {
namespace {

std::vector<Outlier> outlying_families(const Fleet& fleet) {
  std::vector<Outlier> families;
  for (const FleetFigure& figure : fleet.families) {
    if (figure.outlier) families.push_back({Part::family, &figure});
  }
  std::ranges::stable_sort(families, std::greater(),
                           [](const Outlier& one) { return std::abs(std::log(one.figure->ratio)); });
  return families;
}

}  // namespace

Outliers outliers_of(const Fleet& fleet, bool all) {
  Outliers outliers;
  for (const FleetFigure& figure : fleet.everything) outliers.rows.push_back({Part::machine, &figure});
  std::ranges::copy(outlying_families(fleet), std::back_inserter(outliers.rows));
  const std::vector<Outlier> wholes = outliers.rows;
  for (const FleetFigure& figure : fleet.benchmarks) {
    const auto has_it = [&](const Outlier& whole) { return is_within(figure, *whole.figure); };
    const bool is_folded = !all && std::ranges::any_of(wholes, has_it);
    if (is_folded) ++outliers.folded;
    if (!is_folded) outliers.rows.push_back({Part::benchmark, &figure});
  }
  return outliers;
}

int benchmarks_within(const Fleet& fleet, const FleetFigure& whole) {
  return static_cast<int>(std::ranges::count_if(
      fleet.benchmarks, [&](const FleetFigure& benchmark) { return is_within(benchmark, whole); }));
}

}  // namespace cupel::fleet
