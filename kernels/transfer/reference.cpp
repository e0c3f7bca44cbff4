#include "kernels/transfer/reference.hpp"

#include <cstddef>

namespace cupel::kernels::transfer {

Pattern advanced(const Pattern& pattern, int steps) {
  // Squaring: after the loop's k-th turn `power` is kStep applied 2^k times.
  Affine total = pattern.map;
  Affine power = kStep;
  for (auto rest = static_cast<std::uint32_t>(steps); rest != 0; rest >>= 1) {
    if (rest & 1u) total = {power.multiplier * total.multiplier, power(total.increment)};
    power = {power.multiplier * power.multiplier, power(power.increment)};
  }
  return {pattern.seed, total};
}

namespace reference {

void fill_pattern(std::span<std::uint32_t> out, const Pattern& pattern, std::int64_t first) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = word(pattern, first + static_cast<std::int64_t>(i));
}

std::int64_t count_mismatches(std::span<const std::uint32_t> in, const Pattern& pattern, std::int64_t first) {
  std::int64_t mismatches = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != word(pattern, first + static_cast<std::int64_t>(i))) ++mismatches;
  }
  return mismatches;
}

void advance_words(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int steps) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::uint32_t x = in[i];
    for (int k = 0; k < steps; ++k) x = kStep(x);
    out[i] = x;
  }
}

}  // namespace reference
}  // namespace cupel::kernels::transfer
