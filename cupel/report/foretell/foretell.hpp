// Prints `cupel advise --step`: the gain that each piece of advice would give to a step.
#pragma once

#include <span>
#include <string>

#include "cupel/foretell/foretell.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

struct ForetellOptions {
  Format format = Format::text;  ///< one of kForetellFormats
  Terminal terminal = {0};       ///< of the text
  bool all = false;              ///< name the pieces that no rule is about; json has them always
};

/// machine: that the micro-benchmarks are of. Ends with a newline.
std::string foretell(std::span<const foretell::ProfiledStep> steps, const std::string& machine,
                     const ForetellOptions& options);

}  // namespace cupel::report
