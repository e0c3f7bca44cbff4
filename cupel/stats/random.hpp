// A stream of random numbers that is the same everywhere: the standard library fixes its engines but not its
// distributions, nor its shuffle, and results must not depend on whose library it is.
#pragma once

#include <array>
#include <bit>
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

  /// Returns 64 random bits. In the header, so that loops that draw millions call nothing.
  result_type operator()() {
    auto& [a, b, c, d] = state_;
    const std::uint64_t result = std::rotl(a + d, 23) + a;
    const std::uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    return result;
  }

  /// Draws uniformly from [0, 1): a multiple of 2^-53.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// Draws a whole number below n, each as likely to within n / 2^32. 0 < n < 2^32.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((((*this)() >> 32) * n) >> 32); }

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
