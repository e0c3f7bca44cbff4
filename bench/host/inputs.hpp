// Inputs that are the same for the same seed.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace cupel::bench::host {

/// Whole numbers from 0 to 15: their squares add up exactly in double, in any order, to 2^53 / 225 elements.
inline void fill_with_small_integers(std::span<float> values, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (float& value : values) value = static_cast<float>(random() >> 60);
}

inline void fill_with_bytes(std::span<std::uint64_t> words, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::uint64_t& word : words) word = random();
}

}  // namespace cupel::bench::host
