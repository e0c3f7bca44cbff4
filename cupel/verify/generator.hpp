// Seeded inputs. Value i depends on the seed and on i only, so that any part of an array can be made anywhere, in any
// order, by host code or by a kernel. bits, uniform, small_integer and sign are the same to the bit on both; normal
// goes through log and cos, whose last bits differ between libraries.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cupel/verify/host_device.hpp"

namespace cupel::verify {

/// Mixes 64 bits so that every input bit moves every output bit; one to one.
/// Source: the finaliser of SplitMix64 (Steele, Lea and Flood, 2014), constants of Stafford's variant 13.
CUPEL_HOST_DEVICE constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The step of SplitMix64: 2^64 divided by the golden ratio, odd. Successive multiples fill the range evenly.
inline constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;

/// Random numbers by index, for host and device alike: value i of a seed does not depend on the others.
class Generator {
 public:
  /// Makes the generator of a seed; neighbouring seeds are unrelated.
  CUPEL_HOST_DEVICE constexpr explicit Generator(std::uint64_t seed) : key_(mix(seed + kStep)) {}

  /// Returns 64 random bits.
  CUPEL_HOST_DEVICE constexpr std::uint64_t bits(std::uint64_t i) const { return mix(key_ + (i + 1) * kStep); }

  /// Returns a number uniform in [0, 1): a multiple of 2^-53.
  CUPEL_HOST_DEVICE constexpr double uniform(std::uint64_t i) const {
    return static_cast<double>(bits(i) >> 11) * 0x1p-53;
  }

  /// Returns a number uniform in [0, 1): a multiple of 2^-24, exact in float.
  CUPEL_HOST_DEVICE constexpr float uniform_float(std::uint64_t i) const {
    return static_cast<float>(bits(i) >> 40) * 0x1p-24f;
  }

  /// Returns a whole number of [low, high], each as likely to within 2^-31. low <= high. Numbers of at most 2048 in
  /// magnitude are exact in half precision, at most 256 in bfloat16: with such inputs, sums have one right answer while
  /// they stay below 2^24 in float.
  CUPEL_HOST_DEVICE constexpr int small_integer(std::uint64_t i, int low, int high) const {
    const std::uint64_t width = static_cast<std::uint64_t>(static_cast<std::int64_t>(high) - low) + 1;
    return static_cast<int>(low + static_cast<std::int64_t>(((bits(i) >> 32) * width) >> 32));
  }

  /// Returns -1, 0 or 1, in the mean `density` of them not 0, as many of either sign. 0 <= density <= 1.
  CUPEL_HOST_DEVICE constexpr int sign(std::uint64_t i, double density) const {
    const double u = uniform(i);
    return u < density / 2 ? -1 : (u < density ? 1 : 0);
  }

  /// Returns a standard normal number. Source: Box and Muller (1958); the two uniforms are the halves of bits(i), the
  /// first in (0, 1], so that no value is beyond 6.7.
  CUPEL_HOST_DEVICE double normal(std::uint64_t i) const {
    const std::uint64_t b = bits(i);
    const double radius = std::sqrt(-2 * std::log((static_cast<double>(b >> 32) + 1) * 0x1p-32));
    return radius * std::cos(6.283185307179586 * (static_cast<double>(b & 0xffffffffu) * 0x1p-32));
  }

 private:
  std::uint64_t key_;
};

/// Sets out[i], in host memory, to 64 random bits.
inline void fill_bits(std::span<std::uint64_t> out, std::uint64_t seed) {
  const Generator random(seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = random.bits(i);
}

/// Sets out[i], in host memory, to a number uniform in [low, high), rounded to T.
template <typename T>
void fill_uniform(std::span<T> out, std::uint64_t seed, double low = 0, double high = 1) {
  const Generator random(seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(low + (high - low) * random.uniform(i));
}

/// Sets out[i], in host memory, to a normal number, rounded to T.
template <typename T>
void fill_normal(std::span<T> out, std::uint64_t seed, double mean = 0, double deviation = 1) {
  const Generator random(seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(mean + deviation * random.normal(i));
}

/// Sets out[i], in host memory, to a whole number of [low, high].
template <typename T>
void fill_small_integers(std::span<T> out, std::uint64_t seed, int low, int high) {
  const Generator random(seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(random.small_integer(i, low, high));
}

// Known answers, checked wherever this is compiled: files of results name seeds, so the values behind a seed must never
// change. The first two are the published sequence of SplitMix64 from state 0.
static_assert(mix(0x9e3779b97f4a7c15u) == 0xe220a8397b1dcdafu);
static_assert(mix(2 * 0x9e3779b97f4a7c15u) == 0x6e789e6aa1b965f4u);
static_assert(Generator(1).bits(0) != Generator(2).bits(0));
static_assert(Generator(1).small_integer(5, 3, 3) == 3);

}  // namespace cupel::verify
