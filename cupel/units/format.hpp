// Numbers with their units, as people read them. The only place where a value is scaled; nothing here asks the locale.
//
// The rule of digits: three significant digits, trailing zeros kept so that columns align ("1.00", "12.3", "123"), and
// no digit before the point is ever dropped ("1234 s" where there is no larger prefix). A value that rounds up to 1000
// takes the next prefix ("1.00 ms", not "1000 us"). Exact integers (sizes that are whole multiples, counts) print
// whole. From 1e15 on, and below 1e-9, in whatever prefix: "1.00e+15".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cupel::units {

/// Units of stored values. Stored values are never scaled: seconds, not microseconds; bytes, not KiB.
enum class Unit {
  seconds,
  bytes,
  bytes_per_second,
  flops_per_second,
  items_per_second,
  count,
  ratio,
  watts,
  joules,
  hertz,
  celsius,
};

/// The unit that a record spells so: "s", "bytes", "bytes/s", "flop/s", "items/s", "count", "1", "W", "J", "Hz",
/// "degC". Nothing for another spelling.
std::optional<Unit> unit_of(std::string_view symbol);

/// A prefixed unit: printed = stored / factor, followed by `suffix`.
struct Scale {
  double factor = 1;
  std::string_view suffix;
};

/// The prefix in which `value` prints with one to three digits before the point. For a column in one unit, take the
/// scale of its largest value. Rates are decimal (GB/s = 1e9 bytes/s), sizes binary (KiB).
Scale scale_for(double value, Unit unit);

/// "12.3 us", "55.4 GB/s", "790 TFLOP/s", "64 MiB", "1980 MHz". Not finite: "n/a".
std::string format(double value, Unit unit);

/// As format(), in a given scale: "0.0123 ms".
std::string format_in(double value, const Scale& scale);

/// The digits alone: `digits` significant ones, at least those before the point, trailing zeros kept.
std::string format_significant(double value, int digits = 3);

/// A fixed number of decimals: format_fixed(1.0304, 3) is "1.030". Negative zero prints as zero.
std::string format_fixed(double value, int decimals);

/// "4 KiB", "64 MiB", "1.50 GiB", "1000 B".
std::string format_size(std::int64_t bytes);

/// For people who wait: "0.25 s", "3.4 s", "45 s", "1 min 20 s", "2 h 5 min", "3 d 4 h". Negative or not finite: "n/a".
std::string format_duration(double seconds);

/// A share of one: 0.9312 is "93.1 %", 0.0123 "1.23 %".
std::string format_percent(double share);

/// A ratio as a change: 1.031 is "+3.1 %", 0.5 "-50.0 %", from two times on "2.10x".
std::string format_change(double ratio);

/// "1 process", "3 processes".
std::string counted(std::int64_t count, std::string_view one, std::string_view many);

/// "1 row", "3 rows".
std::string counted(std::int64_t count, std::string_view noun);

/// The number of so many significant digits that is nearest, for files that people read.
double rounded(double value, int digits);

/// "13.0" of 13000, as CUDA gives its versions; empty of 0.
std::string cuda_version(int version);

/// For names of files and ids: its letters, small, and digits, with a hyphen where anything else stands between them.
std::string slug(std::string_view text);

}  // namespace cupel::units
