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

struct ForetellOptions {
  Format format = Format::text;  ///< text, markdown, json or csv
  std::size_t columns = 0;       ///< of the text
  bool all = false;              ///< name the pieces that no rule is about; json has them always
};

/// machine: that the micro-benchmarks are of. Ends with a newline.
std::string foretell(std::span<const ProfiledStep> steps, const std::string& machine, const ForetellOptions& options);

}  // namespace cupel::report
