// The list of boards that `cupel bands` prints.
#pragma once

#include <span>
#include <string>

#include "cupel/bands/bands.hpp"
#include "cupel/report/page/render.hpp"

namespace cupel::report {

/// A table of models: boards, benchmarks, and how many of these have boards enough. format: text, Markdown or HTML.
std::string bands_list(std::span<const bands::Bands> all, Format format, const Terminal& terminal = {});

}  // namespace cupel::report
