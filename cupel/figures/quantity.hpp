// The quantity that a benchmark is known by: its time, a rate, the time of one access, or the counter that its advice
// is about.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "cupel/figures/figure.hpp"
#include "cupel/units/format.hpp"

namespace cupel::figures {

/// Counter of a figure whose result was held against a reference: the Frobenius norm of the error over that of the
/// result.
inline constexpr const char* kRelativeError = "relative_error";

/// A time of a call or of one of its accesses, a rate, or a counter by its name.
struct Quantity {
  enum Kind { time, per_access, bytes, flops, items, counter };

  /// Makes a quantity that is no counter.
  Quantity(Kind of) : kind(of) {}  // NOLINT(google-explicit-constructor): a kind is a quantity, but for a counter
  /// Makes a counter of this name and unit.
  Quantity(std::string counter_name, std::string counter_unit)
      : kind(counter), name(std::move(counter_name)), unit(std::move(counter_unit)) {}

  Kind kind;
  std::string name;  ///< of the counter
  std::string unit;  ///< of the counter, as the record spells it

  auto operator<=>(const Quantity&) const = default;
};

/// Returns the unit; an unknown unit of a counter is a count.
units::Unit unit_of(const Quantity& quantity);

/// Returns the title of a column: "time of a call", "bandwidth", "arithmetic rate", "largest block", ...
std::string title_of(const Quantity& quantity);

/// A value with its interval over processes, in base units.
struct Value {
  double location = 0;
  std::optional<double> low, high;
  std::optional<double> limit;
  double clock_share = 1;  ///< the SM clock that was seen, of the one that the limit goes with

  /// Returns the limit at the clock that was seen: shares are of it. limit: not empty.
  double reachable() const { return *limit * clock_share; }
};

/// Returns the value of a figure; nothing where it has no time, does not count what that quantity is of, or has a value
/// that no axis can show (beyond 1e-30 to 1e30). Its limit goes with it where it is one of that quantity.
std::optional<Value> value_of(const Figure& figure, const Quantity& quantity);

/// Returns the rate that most of them have, "bytes", "flops" or "items"; of several the first of these. Empty where
/// none has one.
std::string usual_rate(std::span<const Figure* const> figures);

/// Returns the quantity that benchmarks of one operation are known by, the first that applies of:
///
/// - the counter that their advice is judged by;
/// - the time of an access, where all of them count it (a name with "latency" or "chase");
/// - their usual rate, unless as many of them lack it or have advice that calls it incidental;
/// - the time of a call.
///
/// Items count as a rate where there is a limit for them: items that are calls say nothing that the time does not. One
/// of the benchmarks may lack the quantity: value_of() tells.
Quantity quantity_of(std::span<const Figure* const> figures);

/// Returns a value with its unit as text: "55.4 GB/s", "16.4 ns/access".
std::string value_text(double value, const Quantity& quantity);

/// Returns the rate of a figure that has one as text: "55.4 GB/s", or the time of an access, where the benchmark is
/// known by that.
std::string known_rate_text(const Figure& figure);

}  // namespace cupel::figures
