// The second step of advise(): points of one scenario over the sizes of a parameter become a curve, and a curve says
// from which size on a piece of advice holds.
#pragma once

#include <span>
#include <vector>

#include "cupel/advice/pair.hpp"

namespace cupel::advice {

/// Groups points by variant and by scenario less one parameter: the last whole-number one that takes more than one
/// value among them. Recommended curves first, else in the order of the points.
std::vector<AdviceCurve> curves_of(const std::vector<PairedPoint>& points);

/// The verdict that each point's stretch has, in order of size: the division into stretches that minimises 5 for each
/// decided point that says otherwise and 3 for each border. So one odd point between others is noise (5 against two
/// borders, 6), two neighbours that agree are not, and a change at either end is believed. Undecided points go with
/// any. All are undecided where no point is decided.
std::vector<AdviceVerdict> smoothed(std::span<const AdviceVerdict> verdicts);

}  // namespace cupel::advice
