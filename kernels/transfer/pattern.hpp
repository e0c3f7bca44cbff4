// Words that follow from their index: what was copied can be checked where it lies, without a second copy to hold it
// against.
#pragma once

#include <cstdint>

#include "cupel/verify/generator.hpp"

namespace cupel::kernels::transfer {

/// x -> multiplier * x + increment, modulo 2^32.
struct Affine {
  std::uint32_t multiplier = 1;
  std::uint32_t increment = 0;

  CUPEL_HOST_DEVICE constexpr std::uint32_t operator()(std::uint32_t x) const { return multiplier * x + increment; }
};

/// One step of computing: a linear congruential generator. Exact, and any number of steps has a closed form.
/// Source: Press et al., Numerical Recipes in C, 2nd edition (1992), section 7.1, "quick and dirty" generator.
inline constexpr Affine kStep{1664525u, 1013904223u};

/// Word i is map(the upper half of the seed's random bits for i): random, so that data with structure cannot flatter a
/// link that compresses or a bus whose power depends on its bits.
struct Pattern {
  std::uint64_t seed = 0;
  Affine map = {};
};

CUPEL_HOST_DEVICE constexpr std::uint32_t word(const Pattern& pattern, std::int64_t index) {
  const std::uint64_t bits = verify::Generator(pattern.seed).bits(static_cast<std::uint64_t>(index));
  return pattern.map(static_cast<std::uint32_t>(bits >> 32));
}

/// The pattern after advance_words() with `steps`.
Pattern advanced(const Pattern& pattern, int steps);

}  // namespace cupel::kernels::transfer
