// The order in which a gate starts the processes of both sides.
#pragma once

#include <vector>

#include "cupel/stats/random.hpp"

namespace cupel::runner {

/// Draws the side of each start, true for the contender's. counts: process numbers a side, in any order. All orders of
/// as many starts of either side as the least of them are equally likely, and so are those of the further starts up to
/// the next: what is measured in the first of them alone is in an order of its own.
///
/// So the test that compares the sides is exact whatever a machine does in the course of time: the order alone decides
/// whose a start is. In pairs of one start a side it is not: where neighbours are unlike, as on a machine with a period
/// of two or four, each pair splits them, and the sides differ by more than chance allows (docs/statistics.md).
std::vector<bool> drawn_order(std::vector<int> counts, stats::Random& random);

}  // namespace cupel::runner
