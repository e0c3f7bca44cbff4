// The references of the kernels of words.hpp, in plain C++. Arrays are host memory.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/transfer/pattern.hpp"

namespace cupel::kernels::transfer::reference {

/// out[i] = word `first + i` of the pattern.
void fill_pattern(std::span<std::uint32_t> out, const Pattern& pattern, std::int64_t first = 0);

/// How many in[i] are not word `first + i` of the pattern.
std::int64_t count_mismatches(std::span<const std::uint32_t> in, const Pattern& pattern, std::int64_t first = 0);

/// out[i] = in[i] after `steps` times kStep. Sizes are equal; in may be out.
void advance_words(std::span<const std::uint32_t> in, std::span<std::uint32_t> out, int steps);

}  // namespace cupel::kernels::transfer::reference
