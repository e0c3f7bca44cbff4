// A waterfall as a picture of its own: a bar for the step's time after each change.
#pragma once

#include <string>

#include "cupel/figures/waterfall.hpp"

namespace cupel::report {

/// SVG, 720 wide, legible on light and dark pages; asks for nothing. The same bytes for the same waterfall in any
/// locale. Changes that were left out alone have no bar. title: above the bars.
std::string waterfall_picture(figures::Waterfall waterfall, const std::string& title);

}  // namespace cupel::report
