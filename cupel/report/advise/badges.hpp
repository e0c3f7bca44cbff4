// How verdicts on advice are marked, on every page.
#pragma once

#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// The words of verdicts on advice, and of groups of pieces that are told by them.
const Badges& advice_badges();

}  // namespace cupel::report
