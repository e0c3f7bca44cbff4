// Host times that are not of one kind: of two states of the machine, or of a process that found its files on the disk.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cupel/record/series.hpp"

namespace cupel::figures {

/// The middle of each of two groups of rounds.
struct TwoStates {
  double low_s = 0, high_s = 0;
};

/// Returns the middles of the rounds of all processes, a location each, where they lie in two groups: beyond the widest
/// gap between two neighbours, which is 1.25 times or more, lie a fifth of them or more, two at least, on either side,
/// and the groups are narrow beside their distance (Ashman's D above 8; above 25 of fewer than nine rounds, where a
/// wide spread looks so by chance). Nothing of fewer than four processes that count. Source of D: Ashman, Bird and
/// Zepf, Astronomical Journal 108 (1994), 2348.
///
/// Measured on H200 and H100, 885 figures of host times: 8 are in two states by this rule, among them blocking waits
/// (31 and 66 us) and host functions (23 and 56 us). Simulated, 15 normal or Student-3 rounds: below 0.1 %.
std::optional<TwoStates> two_states(std::span<const record::Series> of_processes);

/// Returns how many times as long the first process took as the slowest other one; nothing up to twice, and with fewer
/// than three processes. locations_s: one each, the first process's first.
std::optional<double> first_apart(std::span<const double> locations_s);

}  // namespace cupel::figures
