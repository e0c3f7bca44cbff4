// Whether measured values are of two kinds, and which is of which.
#pragma once

#include <optional>
#include <vector>

namespace cupel::bench::memory {

/// A value with the lower kind below it and the upper kind above; nullopt where the values are of one kind.
///
/// The values are parted where the variance between both sides is greatest (Otsu (1979), "A threshold selection method
/// from gray-level histograms", equation 14). They are of two kinds if each side has a quarter of them and the sides
/// lie apart: from the 95th percentile of the lower one to the 5th of the upper one it is a third of the way from
/// median to median. An even spread has a tenth of it, a single hump less.
std::optional<double> border_of_two_kinds(std::vector<double> values);

}  // namespace cupel::bench::memory
