// The correction for many tests at once: p values adjusted so that they can be held against one level.
#pragma once

#include <span>
#include <vector>

namespace cupel::stats {

/// Adjusts p values, in the order given: rejecting all those at or below alpha keeps the chance of even one false
/// rejection at or below alpha, whatever the dependence. Throws std::invalid_argument if a p is outside [0, 1].
/// Source: Holm (1979), "A simple sequentially rejective multiple test procedure".
std::vector<double> holm(std::span<const double> p);

}  // namespace cupel::stats
