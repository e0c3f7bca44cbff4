// Costs of sizes that no micro-benchmark of a machine measured: from the nearest rows, with an interval that holds the
// rows' own and, away from a row, the spread over its neighbours.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/figures/figure.hpp"

namespace cupel::foretell {

/// An estimate, with the interval that it is known to lie in.
struct Estimate {
  double value = 0, low = 0, high = 0;

  static Estimate exactly(double value) { return {value, value, value}; }
};

inline Estimate operator+(const Estimate& a, const Estimate& b) {
  return {a.value + b.value, a.low + b.low, a.high + b.high};
}
inline Estimate operator-(const Estimate& a) { return {-a.value, -a.high, -a.low}; }
inline Estimate operator-(const Estimate& a, const Estimate& b) { return a + -b; }
inline Estimate operator*(double factor, const Estimate& a) {
  return factor < 0 ? -(-factor * a) : Estimate{factor * a.value, factor * a.low, factor * a.high};
}
inline Estimate operator*(const Estimate& positive, const Estimate& also) {
  return {positive.value * also.value, positive.low * also.low, positive.high * also.high};
}
inline Estimate& operator+=(Estimate& a, const Estimate& b) { return a = a + b; }

inline Estimate at_least_zero(const Estimate& a) {
  return {std::max(a.value, 0.0), std::max(a.low, 0.0), std::max(a.high, 0.0)};
}

/// Why nothing is foretold of a piece: what() is a clause.
class Silence : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The results lack rows that a rule needs, which can be measured.
class NoRows : public Silence {
 public:
  explicit NoRows(const std::string& rows) : Silence("the results lack " + rows) {}
};

/// Where a figure stands among others: sizes as logarithms, so that distance is a ratio.
struct Place {
  double x = 0, y = 0;
};

/// Where a product lies: by operations for each byte, and half as much by operations.
Place place_of_work(double flops, double bytes);
Place place_of_time(double time_s);

struct Known {
  Place place;
  Estimate value;
  double far = 0;  ///< added to its distance
};

/// The mean of the three nearest, by the inverse of their distance; low and high from the nearest's, and from the
/// others' values as far as the nearest is away. Throws NoRows(what) where there are none.
Estimate nearest(std::vector<Known> known, const Place& place, const std::string& what);

/// The texts that the stars of a pattern stand for in a name, each any text without a slash; nothing where it does not
/// match.
std::optional<std::vector<std::string>> stars(std::string_view pattern, std::string_view name);

class Micro {
 public:
  explicit Micro(std::vector<figures::Figure> figures);
  virtual ~Micro() = default;

  /// Patterns are names of benchmarks in which a * stands for any text without a slash.

  /// Time of rows that are named by one number, "transfer/h2d/memory:pinned/bytes:*", at another number. In this mode,
  /// else in the one that they are known by. Between two rows it lies on the line through both in logarithms; beyond
  /// the last it grows in proportion, or as the last two do. Throws NoRows.
  virtual Estimate time_at(const std::string& pattern, double number,
                           std::optional<record::Mode> mode = std::nullopt) const;

  /// Time of work that is bound by memory, by the bytes that the rows count. Throws NoRows.
  virtual Estimate time_of_bytes(const std::vector<std::string>& patterns, double bytes) const;

  /// How many times as long as a row its twin takes, which is named `after` in place of `before`; placed by the row's
  /// work. Empty where there are none.
  virtual std::vector<Known> ratios(const std::string& pattern, const std::string& before, const std::string& after,
                                    double far = 0) const;

  /// The time that rows take longer than their twins, divided by `parts`; placed by the twins' time, divided alike.
  virtual std::vector<Known> differences(const std::string& pattern, const std::string& before,
                                         const std::string& after, double parts) const;

 private:
  std::vector<const figures::Figure*> matching(const std::string& pattern, std::optional<record::Mode> mode) const;
  const figures::Figure* twin(const figures::Figure& figure, const std::string& from, const std::string& to) const;

  std::vector<figures::Figure> figures_;
  std::map<std::string, std::vector<std::size_t>, std::less<>> of_operation_;  // main figures and others
};

}  // namespace cupel::foretell
