// One family on the page: its figures, the gains of its advice, all its numbers, and what was not measured.
#pragma once

#include <string>
#include <vector>

#include "cupel/report/html/advice_section.hpp"
#include "cupel/report/html/measured.hpp"

namespace cupel::report::html {

/// The advice's anchors stand at the first of its figures. id: the section's, from which its figures' are made.
std::string family_section(const Family& family, const std::vector<AdvicePiece>& pieces,
                           const std::vector<Device>& devices, const std::string& id);

}  // namespace cupel::report::html
