// The same for programs: base units, nothing rounded, absent what has no value.
#pragma once

#include <span>
#include <string>

#include "cupel/report/foretell/foretell.hpp"

namespace cupel::report {

std::string foretell_json(std::span<const ProfiledStep> steps, const std::string& machine);
std::string held_json(std::span<const foretell::Held> held);

/// A line a piece; a line a change.
std::string foretell_csv(std::span<const ProfiledStep> steps);
std::string held_csv(std::span<const foretell::Held> held);

}  // namespace cupel::report
