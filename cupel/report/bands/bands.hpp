// The list of boards that `cupel bands` prints.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "cupel/bands/bands.hpp"

namespace cupel::report {

/// A table of models: boards, benchmarks, and how many of these have boards enough.
std::string bands_list(std::span<const bands::Bands> all, std::size_t columns);

}  // namespace cupel::report
