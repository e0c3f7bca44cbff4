// From values to places on an axis, and where its ticks are.
#pragma once

#include <vector>

namespace cupel::report::html {

/// Maps [low, high] to [start, end], which may run backwards (y grows downwards in SVG). Values outside are taken to
/// the nearest end.
class Scale {
 public:
  enum class Kind { linear, logarithmic };

  /// Throws std::invalid_argument unless low < high, and 0 < low where it is logarithmic.
  Scale(Kind kind, double low, double high, double start, double end);

  double at(double value) const;

  Kind kind() const { return kind_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  Kind kind_;
  double low_, high_, start_, end_;
};

/// The base that makes a value round: sizes in memory are said in powers of two.
enum class Round { decimal, binary };

/// Values that people like: 1, 2 or 5 times a power of ten; about `wanted` of them within the scale. Logarithmic:
/// powers of ten, with 2 and 5 between them where there are few. Binary: multiples of a power of two, and powers of
/// two.
std::vector<double> round_values(const Scale& scale, int wanted, Round round = Round::decimal);

/// From zero to just above the largest of the values.
Scale scale_from_zero(const std::vector<double>& values, double start, double end);

/// Linear, around the values, and at least a fifth of the largest wide, so that noise stays small.
Scale scale_near(const std::vector<double>& values, double start, double end);

/// Whether values from zero would leave the least of them without a length to see: more than a factor of 30.
bool span_far(const std::vector<double>& values);

/// Around the values, by which all must be positive, and at least a factor of four wide.
Scale scale_around(const std::vector<double>& values, double start, double end);

}  // namespace cupel::report::html
