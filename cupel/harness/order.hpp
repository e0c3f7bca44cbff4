// The order in which a round visits the benchmarks.
#pragma once

#include <cstdint>
#include <vector>

#include "cupel/harness/registry.hpp"

namespace cupel::harness {

/// Returns the indices of `points` for one round: shuffled by seed and round, those ahead that are first_of_process();
/// benchmarks of one advice and scenario stay next to each other, in the order of registration in even rounds and
/// reversed in odd ones, so that drift falls on before and after alike.
std::vector<std::size_t> round_order(const std::vector<const Definition::Point*>& points, std::uint64_t seed,
                                     int round);

/// Returns the indices of `points` as they stand, those ahead that are first_of_process(): where nothing is timed,
/// nothing drifts.
std::vector<std::size_t> given_order(const std::vector<const Definition::Point*>& points);

}  // namespace cupel::harness
