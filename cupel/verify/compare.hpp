// The comparison of an array with what it should be: where it is not that, and by how much.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace cupel::verify {

/// The error that is allowed. A value passes if it equals the expected one or is within absolute + relative *
/// |expected|. The default asks for equality; +0 equals -0. NaN never passes, not even where NaN is expected; an
/// infinity only where the same one is expected.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

/// The result of comparing two arrays. A NaN counts as an infinite error.
struct Agreement {
  std::size_t count = 0;
  std::size_t mismatches = 0;
  std::optional<std::size_t> first_mismatch;
  double max_absolute_error = 0;
  std::size_t max_at = 0;         ///< where the greatest error is; 0 if there is no error
  double relative_frobenius = 0;  ///< ||actual - expected|| / ||expected||; 0 / 0 is 0
  std::string detail;             ///< the first mismatch: both values, their difference, the tolerance

  /// Tells whether no value is wrong.
  bool passed() const { return mismatches == 0; }

  /// Returns the result as one line: "all 1024 values agree ..." or "3 of 1024 values are wrong; first at [12]:
  /// expected ..., got ...".
  std::string message() const;
};

/// Compares two arrays in host memory, value by value. Throws std::invalid_argument if they differ in length.
Agreement compare(std::span<const double> expected, std::span<const double> actual, const Tolerance& tolerance = {});

}  // namespace cupel::verify
