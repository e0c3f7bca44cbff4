// Findings as text for people and as JSON for scripts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cupel/doctor/judge.hpp"

namespace cupel::doctor {

/// A line a finding, its meaning and what to do below it where there is something to say, and a closing count.
/// In lines of at most `columns`. colour: of the severities.
std::string as_text(const std::vector<Finding>& findings, std::size_t columns, bool colour = false);

/// {"usable_gpu": bool, "device": name or null, "findings": [{"severity", "id", "title", "meaning", "action"}]}; strict
/// JSON, ends with a newline.
std::string as_json(const Facts& facts, const std::vector<Finding>& findings);

}  // namespace cupel::doctor
