// A stream of random numbers that is the same everywhere: the standard library fixes its engines but not its
// distributions, nor its shuffle, and results must not depend on whose library it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace cupel::stats {

/// A generator: xoshiro256++, its state filled by SplitMix64 from the seed. A UniformRandomBitGenerator.
/// Source: Blackman and Vigna (2021), "Scrambled linear pseudorandom number generators"; Steele, Lea and Flood (2014).
class Random {
 public:
  using result_type = std::uint64_t;

  /// Begins the stream of a seed.
  explicit Random(std::uint64_t seed);

  /// The least number that operator() returns: with max(), what the standard library asks of a generator.
  static constexpr result_type min() { return 0; }
  /// The greatest number that operator() returns.
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// Returns 64 random bits.
  result_type operator()();

  /// Draws uniformly from [0, 1): a multiple of 2^-53.
  double uniform();

  /// Draws a whole number below n, each as likely to within n / 2^32. 0 < n < 2^32.
  std::size_t below(std::size_t n);

  /// Draws a standard normal number, by Box and Muller's (1958) transform of two uniforms; its second value is not
  /// kept.
  double normal();

  /// Draws an exponential number of mean 1.
  double exponential();

  /// Shuffles in place, every order as likely. Source: Fisher and Yates, in Durstenfeld's form (1964), from the last
  /// element down.
  template <typename T, std::size_t extent>
  void shuffle(std::span<T, extent> values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      using std::swap;
      swap(values[i - 1], values[below(i)]);
    }
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace cupel::stats
