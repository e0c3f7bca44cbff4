// Which elements of a result are checked, when checking all would take longer than computing them.
#pragma once

#include <cstdint>

#include "cupel/verify/generator.hpp"

namespace cupel::kernels::dot {

/// Element number `sample` of `samples` out of `total`: one at random from each of `samples` equal parts, so that no
/// region is left out. With samples == total it is `sample` itself. 1 <= samples <= total.
CUPEL_HOST_DEVICE constexpr std::int64_t sampled(std::int64_t sample, std::int64_t samples, std::int64_t total,
                                                 std::uint64_t seed) {
  if (samples == total) return sample;
  // floor(sample total / samples) without the product, which may not fit.
  const std::int64_t whole = total / samples, rest = total % samples;
  const auto begin_of = [=](std::int64_t part) { return part * whole + part * rest / samples; };
  const std::int64_t begin = begin_of(sample), end = begin_of(sample + 1);
  const std::uint64_t random = verify::Generator(seed).bits(static_cast<std::uint64_t>(sample));
  return begin + static_cast<std::int64_t>(random % static_cast<std::uint64_t>(end - begin));
}

/// How many of `total` dot products of length k are checked, with at most `products` multiplications: all, or fewer, at
/// least one.
constexpr std::int64_t samples_within(std::int64_t products, std::int64_t k, std::int64_t total) {
  const std::int64_t affordable = products / (k < 1 ? 1 : k);
  return affordable < 1 ? 1 : (affordable < total ? affordable : total);
}

}  // namespace cupel::kernels::dot
