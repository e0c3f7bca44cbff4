#include "bench/step/product_check.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::step {
namespace {

double at(std::span<const float> matrix, std::int64_t row, std::int64_t columns, std::int64_t column) {
  return static_cast<double>(matrix[static_cast<std::size_t>(row * columns + column)]);
}

std::string message(const std::string& what, double seen, double expected) {
  return what + " is " + std::to_string(seen) + ", not " + std::to_string(expected);
}

// 1 or -1 for each column.
std::vector<double> signs(std::int64_t count, std::uint64_t seed) {
  std::vector<double> all;
  const verify::Generator random(seed);
  for (std::int64_t i = 0; i < count; ++i) all.push_back(random.bits(static_cast<std::uint64_t>(i)) % 2 == 0 ? 1 : -1);
  return all;
}

std::string wrong_element(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                          const ProductSize& size, double allowed, std::uint64_t seed) {
  const verify::Generator random(seed);
  for (std::uint64_t look = 0; look < 64; ++look) {
    const auto pick = [&](std::int64_t end, std::uint64_t which) {
      return random.small_integer(2 * look + which, 0, static_cast<int>(end - 1));
    };
    const std::int64_t row = pick(size.m, 0), column = pick(size.n, 1);
    double expected = 0;
    for (std::int64_t i = 0; i < size.k; ++i) expected += at(a, row, size.k, i) * at(b, column, size.k, i);
    const double seen = at(c, row, size.n, column);
    if (std::fabs(seen - expected) <= allowed) continue;  // false for NaN
    return message("element " + std::to_string(row) + ", " + std::to_string(column), seen, expected);
  }
  return "";
}

// A row times signs is a row of a times the same sum of b's rows. Errors of a row's elements are independent of each
// other and of the signs.
std::string wrong_row(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                      const ProductSize& size, double allowed, std::uint64_t seed) {
  const std::vector<double> sign = signs(size.n, seed);
  std::vector<double> summed(static_cast<std::size_t>(size.k));
  for (std::int64_t j = 0; j < size.n; ++j) {
    const double factor = sign[static_cast<std::size_t>(j)];
    for (std::int64_t i = 0; i < size.k; ++i) summed[static_cast<std::size_t>(i)] += factor * at(b, j, size.k, i);
  }
  const double of_row = std::sqrt(static_cast<double>(size.n)) * allowed;
  for (std::int64_t row = 0; row < size.m; ++row) {
    double expected = 0, seen = 0;
    for (std::int64_t i = 0; i < size.k; ++i) expected += at(a, row, size.k, i) * summed[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < size.n; ++j) seen += at(c, row, size.n, j) * sign[static_cast<std::size_t>(j)];
    if (!(std::fabs(seen - expected) <= of_row)) {  // true for NaN
      return message("the checksum of row " + std::to_string(row), seen, expected);
    }
  }
  return "";
}

}  // namespace

// Partial sums of k products of numbers up to 1 are about sqrt(i) / 3: their roundings to fp32 come to k 2^-24 / 4 or
// so, those of operands to TF32 to sqrt(k) 2^-11 / 3. Eight times that is allowed, or more.
double allowed_in_product(std::int64_t k, bool tf32) {
  const auto length = static_cast<double>(k);
  return 0x1p-23 * length + (tf32 ? 0x1p-9 * std::sqrt(length) : 0);
}

std::string wrong_in_product(std::span<const float> a, std::span<const float> b, std::span<const float> c,
                             const ProductSize& size, bool tf32, std::uint64_t seed) {
  const double allowed = allowed_in_product(size.k, tf32);
  const std::string element = wrong_element(a, b, c, size, allowed, seed);
  return element.empty() ? wrong_row(a, b, c, size, allowed, seed) : element;
}

}  // namespace cupel::bench::step
