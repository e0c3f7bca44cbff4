// A number that is known to lie between two others.
#pragma once

#include <algorithm>

namespace cupel::foretell {

struct Range {
  double value = 0, low = 0, high = 0;

  static Range exactly(double value) { return {value, value, value}; }
};

inline Range operator+(const Range& a, const Range& b) { return {a.value + b.value, a.low + b.low, a.high + b.high}; }
inline Range operator-(const Range& a) { return {-a.value, -a.high, -a.low}; }
inline Range operator-(const Range& a, const Range& b) { return a + -b; }
inline Range operator*(double factor, const Range& a) {
  return factor < 0 ? -(-factor * a) : Range{factor * a.value, factor * a.low, factor * a.high};
}
inline Range& operator+=(Range& a, const Range& b) { return a = a + b; }

inline Range at_least_zero(const Range& a) {
  return {std::max(a.value, 0.0), std::max(a.low, 0.0), std::max(a.high, 0.0)};
}

}  // namespace cupel::foretell
