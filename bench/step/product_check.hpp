// The right products of use_the_gpu, and how far off they may be. Host code only.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace cupel::bench::step {

/// c = a b^T, row-major: a is m x k, b is n x k.
struct ProductSize {
  std::int64_t m, n, k;
};

/// How far an element of a product of numbers uniform in [-1, 1) may be off. tf32: what operands are rounded to.
double allowed_in_product(std::int64_t k, bool tf32);

/// Some elements, other ones with each seed, and a checksum of every row, against the sum in double. Empty, or which is
/// wrong.
std::string wrong_in_product(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                             const ProductSize& size, bool tf32, std::uint64_t seed);

}  // namespace cupel::bench::step
