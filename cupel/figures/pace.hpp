// The pace of measured work: in bursts, or as it goes on, where arithmetic is slower.
#pragma once

#include <algorithm>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::figures {

/// Tells whether the figure was measured in bursts, at a recovered clock; heat and the power limit lower the clock
/// where work goes on.
inline bool is_burst(const Figure& figure) {
  return figure.mode == record::Mode::cold || figure.mode == record::Mode::hot;
}

/// Returns "in bursts" or "sustained"; empty where the figures are neither, as those of the host's clock.
inline const char* pace_of(const std::vector<const Figure*>& figures) {
  const auto is_sustained = [](const Figure* figure) { return figure->mode == record::Mode::sustained; };
  if (std::ranges::any_of(figures, [](const Figure* figure) { return is_burst(*figure); })) return "in bursts";
  return std::ranges::any_of(figures, is_sustained) ? "sustained" : "";
}

}  // namespace cupel::figures
