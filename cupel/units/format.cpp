#include "cupel/units/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

namespace cupel::units {
namespace {

constexpr std::string_view kNotAvailable = "n/a";

constexpr std::array kSeconds{Scale{1e-12, "ps"}, Scale{1e-9, "ns"}, Scale{1e-6, "us"}, Scale{1e-3, "ms"},
                              Scale{1, "s"}};
constexpr std::array kBytes{Scale{1, "B"}, Scale{0x1p10, "KiB"}, Scale{0x1p20, "MiB"}, Scale{0x1p30, "GiB"},
                            Scale{0x1p40, "TiB"}};
constexpr std::array kBytesPerSecond{Scale{1, "B/s"}, Scale{1e3, "kB/s"}, Scale{1e6, "MB/s"}, Scale{1e9, "GB/s"},
                                     Scale{1e12, "TB/s"}};
constexpr std::array kFlops{Scale{1, "FLOP/s"},    Scale{1e3, "kFLOP/s"},  Scale{1e6, "MFLOP/s"},
                            Scale{1e9, "GFLOP/s"}, Scale{1e12, "TFLOP/s"}, Scale{1e15, "PFLOP/s"}};
constexpr std::array kItems{Scale{1, "/s"}, Scale{1e3, "k/s"}, Scale{1e6, "M/s"}, Scale{1e9, "G/s"},
                            Scale{1e12, "T/s"}};
constexpr std::array kNone{Scale{1, ""}};
constexpr std::array kWatts{Scale{1e-3, "mW"}, Scale{1, "W"}};
constexpr std::array kJoules{Scale{1e-9, "nJ"}, Scale{1e-6, "uJ"}, Scale{1e-3, "mJ"}, Scale{1, "J"}, Scale{1e3, "kJ"}};
// Clocks are spoken of in MHz with all their digits ("1755 MHz"), so there is no GHz.
constexpr std::array kHertz{Scale{1, "Hz"}, Scale{1e3, "kHz"}, Scale{1e6, "MHz"}};
constexpr std::array kCelsius{Scale{1, "\u00b0C"}};

// The scales of all units, in their order.
constexpr std::array<std::span<const Scale>, 11> kScales{kSeconds, kBytes, kBytesPerSecond, kFlops, kItems,  kNone,
                                                         kNone,    kWatts, kJoules,         kHertz, kCelsius};

// How a record spells all units, in their order.
constexpr std::array<std::string_view, 11> kSymbols{"s", "bytes", "bytes/s", "flop/s", "items/s", "count",
                                                    "1", "W",     "J",       "Hz",     "degC"};

bool is_whole(double value) { return std::abs(value) < 0x1p53 && value == std::trunc(value); }

std::string with_suffix(std::string digits, std::string_view suffix) {
  if (suffix.empty()) return digits;
  return std::move(digits.append(" ").append(suffix));
}

// Two neighbouring units of a duration, the smaller rounded: "1 min 20 s"; "2 h" where there is nothing left over.
std::string two_units(double seconds, double large, std::string_view large_name, double small,
                      std::string_view small_name) {
  const auto per_large = static_cast<std::int64_t>(large / small);
  const auto in_small = static_cast<std::int64_t>(std::llround(seconds / small));
  std::string text = with_suffix(std::to_string(in_small / per_large), large_name);
  if (in_small % per_large != 0) {
    text += ' ';
    text += with_suffix(std::to_string(in_small % per_large), small_name);
  }
  return text;
}

// Beyond these no one counts zeros; no unit has a prefix for them.
constexpr double kLargestPlain = 1e15, kSmallestPlain = 1e-9;

std::string format_scientific(double value, int digits) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific,
                                 std::clamp(digits - 1, 0, 40));
  return {buffer.data(), end.ptr};
}

}  // namespace

std::optional<Unit> unit_of(std::string_view symbol) {
  const auto found = std::ranges::find(kSymbols, symbol);
  return found == kSymbols.end() ? std::nullopt : std::optional(static_cast<Unit>(found - kSymbols.begin()));
}

std::string format_fixed(double value, int decimals) {
  if (!std::isfinite(value)) return std::string(kNotAvailable);
  // The longest double has 309 digits before the point.
  std::array<char, 400> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                                 std::clamp(decimals, 0, 40));
  std::string text(buffer.data(), end.ptr);
  const bool negative_zero = text.front() == '-' && text.find_first_of("123456789") == std::string::npos;
  return negative_zero ? text.substr(1) : text;
}

std::string format_significant(double value, int digits) {
  if (!std::isfinite(value)) return std::string(kNotAvailable);
  if (value == 0) return "0";
  if (std::abs(value) >= kLargestPlain || std::abs(value) < kSmallestPlain) return format_scientific(value, digits);
  const auto decimals_of = [digits](double x) {
    return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(x)))));
  };
  const int decimals = decimals_of(value);
  const std::string text = format_fixed(value, decimals);
  // 9.999 rounds to 10.00: one digit too many once it is rounded.
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  const bool carried = rounded != 0 && decimals_of(rounded) < decimals;
  return carried ? format_fixed(value, decimals - 1) : text;
}

Scale scale_for(double value, Unit unit) {
  const std::span<const Scale> candidates = kScales[static_cast<std::size_t>(unit)];
  const double magnitude = std::abs(value);
  if (!std::isfinite(value) || value == 0) {
    return *std::ranges::find_if(candidates, [](const Scale& s) { return s.factor == 1; });
  }
  // Binary prefixes change at 1024, decimal ones where three digits round up to 1000.
  const double limit = unit == Unit::bytes ? 1024 : 999.5;
  for (const Scale& candidate : candidates) {
    if (magnitude < limit * candidate.factor) return candidate;
  }
  return candidates.back();
}

std::string format_in(double value, const Scale& scale) {
  if (!std::isfinite(value)) return std::string(kNotAvailable);
  return with_suffix(format_significant(value / scale.factor), scale.suffix);
}

std::string format(double value, Unit unit) {
  if (!std::isfinite(value)) return std::string(kNotAvailable);
  const Scale scale = scale_for(value, unit);
  const bool counted = unit == Unit::count || unit == Unit::bytes;
  if (counted && is_whole(value / scale.factor)) {
    return with_suffix(format_fixed(value / scale.factor, 0), scale.suffix);
  }
  return format_in(value, scale);
}

std::string format_size(std::int64_t bytes) { return format(static_cast<double>(bytes), Unit::bytes); }

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return std::string(kNotAvailable);
  if (seconds < 0.9995) return seconds == 0 ? "0 s" : format(seconds, Unit::seconds);
  if (seconds < 9.95) return with_suffix(format_fixed(seconds, 1), "s");
  if (seconds < 59.5) return with_suffix(format_fixed(seconds, 0), "s");
  if (seconds < 3599.5) return two_units(seconds, 60, "min", 1, "s");
  if (seconds < 86370) return two_units(seconds, 3600, "h", 60, "min");
  return two_units(seconds, 86400, "d", 3600, "h");
}

std::string format_percent(double share) {
  if (!std::isfinite(share)) return std::string(kNotAvailable);
  return with_suffix(format_significant(share * 100), "%");
}

std::string format_change(double ratio) {
  if (!std::isfinite(ratio) || ratio < 0) return std::string(kNotAvailable);
  if (ratio >= 2) return format_significant(ratio) + "x";
  const std::string change = format_fixed((ratio - 1) * 100, 1);
  return (change.front() == '-' ? change : "+" + change) + " %";
}

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
  return with_suffix(std::to_string(count), count == 1 ? one : many);
}

std::string counted(std::int64_t count, std::string_view noun) { return counted(count, noun, std::string(noun) + "s"); }

double rounded(double value, int digits) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific, digits - 1);
  std::from_chars(text.begin(), written.ptr, value);
  return value;
}

std::string cuda_version(int version) {
  if (version == 0) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string slug(std::string_view text) {
  std::string slug;
  for (const char c : text) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  if (slug.ends_with('-')) slug.pop_back();
  return slug;
}

}  // namespace cupel::units
