#include "cupel/verify/tolerance.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace cupel::verify {
namespace {

// Floating-point numbers by their place among all: neighbours differ by one, both zeros are 0.
template <typename Float>
std::int64_t place(Float x) {
  using Bits = std::conditional_t<sizeof(Float) == 4, std::int32_t, std::int64_t>;
  const auto bits = std::bit_cast<Bits>(x);
  return bits >= 0 ? bits : std::int64_t{std::numeric_limits<Bits>::min()} - bits;
}

template <typename Float>
std::uint64_t distance(Float a, Float b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<std::uint64_t>::max();
  const auto from = static_cast<std::uint64_t>(place(a));
  const auto to = static_cast<std::uint64_t>(place(b));
  return a < b ? to - from : from - to;
}

}  // namespace

double unit_roundoff(Precision precision) {
  switch (precision) {
    case Precision::fp64:
      return 0x1p-53;
    case Precision::fp32:
      return 0x1p-24;
    case Precision::tf32:
    case Precision::fp16:
      return 0x1p-11;
    case Precision::bf16:
      return 0x1p-8;
    case Precision::fp8_e4m3:
      return 0x1p-4;
    case Precision::fp8_e5m2:
      return 0x1p-3;
  }
  throw std::invalid_argument("verify: unknown precision");
}

double accumulated_roundoff(double n, double unit) {
  const double total = n * unit;
  if (!(total < 1)) {
    throw std::invalid_argument("verify: " + std::to_string(n) + " roundings are too many for an error bound");
  }
  return total / (1 - total);
}

double sum_bound(std::int64_t n, Precision accumulate, Precision output) {
  const double added = n > 1 ? accumulated_roundoff(static_cast<double>(n - 1), unit_roundoff(accumulate)) : 0;
  const double rounded = output == accumulate ? 0 : unit_roundoff(output);
  return added + rounded * (1 + added);
}

double gemm_bound(std::int64_t k, const GemmPrecision& precision) {
  const double unit = unit_roundoff(precision.accumulate) * (precision.tensor_cores ? 2 : 1);
  const double added = accumulated_roundoff(static_cast<double>(k), unit);
  const double rounded = precision.output == precision.accumulate ? 0 : unit_roundoff(precision.output);
  return added + rounded * (1 + added);
}

std::uint64_t ulp_distance(float a, float b) { return distance(a, b); }

std::uint64_t ulp_distance(double a, double b) { return distance(a, b); }

}  // namespace cupel::verify
