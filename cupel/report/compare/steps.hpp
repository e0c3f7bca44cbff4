// Whole training steps in a comparison. For the sources of this folder.
#pragma once

#include <string>

#include "cupel/compare/side_by_side.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// Times of the whole training steps that both have, without any change and with all of them.
Table steps_table(const compare::ComparedContender& contender, const std::string& reference_title,
                  const std::string& contender_title);

}  // namespace cupel::report
