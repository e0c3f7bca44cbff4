// Parses numbers as people type them on a command line, and as names of benchmarks hold them.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cupel::units {

/// Seconds: "90" or "90s", "5m" or "5min", "1h30m", "1.5h", "250ms", "20us", "2d". Throws std::invalid_argument, with
/// the text and what is accepted, for anything else.
double parse_duration(std::string_view text);

/// The number that all of the text is; nothing if it is none, or one that Number does not hold.
template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && read == end ? std::optional(value) : std::nullopt;
}

/// The whole of a text as a finite number; nothing for any other text.
std::optional<double> finite_number(std::string_view text);

/// Whether each is one.
bool all_numbers(const std::vector<std::string>& texts);

/// "2026-11-20". A day that its month does not have is none.
bool is_date(std::string_view text);

/// The parts between these characters; none of an empty text. What ends with one has no empty part behind it.
std::vector<std::string> split(std::string_view text, char between);

/// Where name and value of a parameter are parted, as in "bytes:4096"; npos of a part that is none, as "std::less<int>"
/// of a type's name.
std::size_t parameter_colon(std::string_view part);

/// Name and value of each parameter: of "transfer/h2d/memory:pinned/bytes:4096" memory, pinned and bytes, 4096.
std::vector<std::pair<std::string, std::string>> parameters_of(std::string_view name);

}  // namespace cupel::units
