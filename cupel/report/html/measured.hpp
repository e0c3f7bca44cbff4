// What the files say, arranged for figures: every benchmark of every device, grouped by family and operation.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cupel/figures/figure.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/unit.hpp"

namespace cupel::report::html {

/// A result file and how the page calls the machine it is from.
struct Device {
  std::string label;  ///< unique within the page
  std::string file;
  const record::ResultSet* results = nullptr;
  bool foreign = false;  ///< see ReportedFile
};

/// What an axis shows: a time, a rate, or a counter by its name.
struct Quantity {
  enum Kind { time, time_per_item, bytes, flops, items, counter };

  Quantity(Kind of) : kind(of) {}  // NOLINT(google-explicit-constructor): a kind is a quantity, but for a counter
  Quantity(std::string counter_name, std::string counter_unit)
      : kind(counter), name(std::move(counter_name)), unit(std::move(counter_unit)) {}

  Kind kind;
  std::string name;  ///< of the counter
  std::string unit;  ///< of the counter, as the record spells it

  auto operator<=>(const Quantity&) const = default;
};

/// A counter of a unit that nobody knows counts.
units::Unit unit_of(const Quantity& quantity);

/// "time of a call", "bandwidth", "arithmetic rate", "largest block", ...
std::string title_of(const Quantity& quantity);

/// A value with its interval over processes, in base units.
struct Value {
  double location = 0;
  std::optional<double> low, high;
  std::optional<double> limit;
  double clock_share = 1;  ///< the SM clock that was seen, of the one that the limit goes with

  /// The limit at the clock that was seen, of which shares are. limit: not empty.
  double reachable() const { return *limit * clock_share; }
};

/// One benchmark on one device in one mode.
struct Measured {
  figures::Summary summary;
  std::size_t device = 0;
  std::int64_t samples = 0;  ///< behind all processes
  record::Limit limit;       ///< of the first process that has one

  /// Nothing where it has no time, not that quantity, or a value that no axis can show (beyond 1e-30 to 1e30).
  std::optional<Value> value(const Quantity& quantity) const;

  /// "7 processes, 210 samples".
  std::string n_text() const;
};

/// Benchmarks of one operation, all devices, figures before second modes as in their files.
struct Operation {
  std::string name;
  std::vector<Measured> measured;
};

struct Family {
  std::string name;
  std::vector<Operation> operations;
};

/// In the order in which they first appear, the first device's before those that only others have.
std::vector<Family> families_of(const std::vector<Device>& devices);

/// What figures of an operation show: the counter that its advice is judged by, latencies per item where it is one (a
/// name with "latency" or "chase"), else the rate that all of it has and its advice does not call incidental, else the
/// time. A rate of items is one where there is a limit for it: items that are calls say nothing that the time does not.
Quantity quantity_of(const std::vector<const Measured*>& measured);

/// "55.4 GB/s".
std::string value_text(double value, const Quantity& quantity);

/// "54.90 to 55.80", in the unit of value_text() of the location; "none" where one process has too few samples.
std::string ends_text(const Value& value, const Quantity& quantity);

/// "54.90 to 55.80 GB/s (95.0 %)", or "none".
std::string interval_text(const Value& value, const Quantity& quantity, double level);

/// "bf16 at 1601 MHz" of a limit of 1980 MHz where that clock was seen.
std::string limit_name(const Measured& measured, const Value& value);

/// All that is known of a point, for a tooltip. Not escaped.
std::vector<std::string> tip_lines(const Measured& measured, const Quantity& quantity,
                                   const std::vector<Device>& devices);

}  // namespace cupel::report::html
