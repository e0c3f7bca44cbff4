// Durations as people type them on a command line.
#pragma once

#include <string_view>

namespace cupel::units {

/// Seconds: "90" or "90s", "5m" or "5min", "1h30m", "1.5h", "250ms", "20us", "2d". Throws std::invalid_argument, with
/// the text and what is accepted, for anything else.
double parse_duration(std::string_view text);

}  // namespace cupel::units
