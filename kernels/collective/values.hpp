// The values that ranks hand to a collective: value i of rank r, computed anywhere, on host and device alike.
#pragma once

#include <cstdint>

#include "cupel/verify/generator.hpp"
#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::collective {

/// whole: small whole numbers, whose sums over up to 2^17 ranks are exact in fp32 whatever their order. fraction:
/// uniform in [0, 1), multiples of 2^-24, whose sums are exact in double and rounded in fp32.
enum class Kind { whole, fraction };

struct Values {
  std::uint64_t seed = 0;
  Kind kind = Kind::fraction;
};

inline constexpr int kLargestWhole = 64;

CUPEL_HOST_DEVICE constexpr float value(const Values& values, int rank, std::int64_t i) {
  const verify::Generator of_rank(values.seed + 1000003u * static_cast<std::uint64_t>(rank));
  const auto place = static_cast<std::uint64_t>(i);
  if (values.kind == Kind::fraction) return of_rank.uniform_float(place);
  return static_cast<float>(of_rank.small_integer(place, -kLargestWhole, kLargestWhole));
}

/// Over all ranks: the sum, and by how much fp32 additions in any order may miss it.
struct Sum {
  double value = 0;
  double bound = 0;
};

/// The bound: n - 1 additions of numbers of one sign, each rounded by at most 2^-24 of what it gives, which is no more
/// than the sum, with 1 % for the products of roundings. Source: Higham (2002), Accuracy and Stability of Numerical
/// Algorithms, 2nd edition, section 4.2, (4.4). Of whole numbers 0.
CUPEL_HOST_DEVICE constexpr Sum sum_over_ranks(const Values& values, int ranks, std::int64_t i) {
  Sum sum;
  for (int rank = 0; rank < ranks; ++rank) sum.value += static_cast<double>(value(values, rank, i));
  if (values.kind == Kind::fraction) sum.bound = 1.01 * (ranks - 1) * 0x1p-24 * sum.value;
  return sum;
}

/// The same of fractions that are rounded to bf16, and so is each of the n - 1 sums: each of the n roundings is by at
/// most 2^-8 of what it gives, as bf16 has eight bits.
CUPEL_HOST_DEVICE constexpr Sum bf16_sum_over_ranks(const Values& values, int ranks, std::int64_t i) {
  const double sum = sum_over_ranks(values, ranks, i).value;
  return {sum, 1.01 * ranks * 0x1p-8 * sum};
}

}  // namespace cupel::kernels::collective
