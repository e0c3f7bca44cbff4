// Prints `cupel advise --step`: the gain that each piece of advice would give to a step.
#pragma once

#include <span>
#include <string>

#include "cupel/foretell/foretell.hpp"
#include "cupel/report/page/format.hpp"

namespace cupel::report {

/// A step that is to be foretold, and the file of its profile.
struct ProfiledStep {
  std::string path;
  foretell::Step step;
};

/// machine: that the micro-benchmarks are of. format: text, markdown, json or csv. columns: of the text. Ends with a
/// newline.
std::string foretell(std::span<const ProfiledStep> steps, const std::string& machine, Format format,
                     std::size_t columns);

}  // namespace cupel::report
