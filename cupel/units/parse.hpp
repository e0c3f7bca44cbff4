// Sizes and durations as people type them on a command line.
#pragma once

#include <cstdint>
#include <string_view>

namespace cupel::units {

/// "4096", "4KiB", "64MiB", "1.5GiB" (powers of 1024); "64MB" (powers of 1000); "64M" means 64MiB, as in most tools
/// that take sizes of buffers. Letter case and a space before the unit do not matter. Throws std::invalid_argument,
/// with the text and what is accepted, for anything else, for a negative size, a fraction of a byte, and beyond 2^63
/// - 1.
std::int64_t parse_size(std::string_view text);

/// Seconds: "90" or "90s", "5m" or "5min", "1h30m", "1.5h", "250ms", "20us", "2d". Throws std::invalid_argument, with
/// the text and what is accepted, for anything else.
double parse_duration(std::string_view text);

}  // namespace cupel::units
