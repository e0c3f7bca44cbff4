// The check of a step's products takes what fp32 and TF32 round, and refuses an element, a tile and a row that are
// wrong.
#include "bench/step/product_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::step {
namespace {

constexpr ProductSize kProduct{.m = 300, .n = 96, .k = 160};

std::vector<float> numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<float> all(static_cast<std::size_t>(count));
  verify::fill_uniform<float>(all, seed, -1, 1);
  return all;
}

float to_tf32(float x) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(x) + 0x1000u;
  return std::bit_cast<float>(bits & ~0x1fffu);
}

class ProductCheck : public testing::TestWithParam<bool> {
 protected:
  ProductCheck() {
    for (std::int64_t row = 0; row < kProduct.m; ++row) {
      for (std::int64_t column = 0; column < kProduct.n; ++column) {
        float sum = 0;
        for (std::int64_t i = 0; i < kProduct.k; ++i) {
          const float x = a_[static_cast<std::size_t>(row * kProduct.k + i)];
          const float y = b_[static_cast<std::size_t>(column * kProduct.k + i)];
          sum += is_tf32_ ? to_tf32(x) * to_tf32(y) : x * y;
        }
        at(row, column) = sum;
      }
    }
  }
  float& at(std::int64_t row, std::int64_t column) { return c_[static_cast<std::size_t>(row * kProduct.n + column)]; }
  std::string wrong(std::uint64_t seed = 1) const { return wrong_in_product(a_, b_, c_, kProduct, is_tf32_, seed); }

  const bool is_tf32_ = GetParam();
  std::vector<float> a_ = numbers(kProduct.m * kProduct.k, 1), b_ = numbers(kProduct.n * kProduct.k, 2),
                     c_ = std::vector<float>(static_cast<std::size_t>(kProduct.m * kProduct.n));
};

TEST_P(ProductCheck, TakesWhatIsRounded) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(wrong(seed), "") << seed;
}

TEST_P(ProductCheck, RefusesOneElement) {
  at(201, 33) += 4;  // a product is 4.2 or so
  EXPECT_THAT(wrong(), testing::StartsWith("the checksum of row 201 is "));
  at(201, 33) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(wrong(), testing::StartsWith("the checksum of row 201 is nan"));
}

TEST_P(ProductCheck, RefusesATileThatIsNotWritten) {
  for (std::int64_t row = 64; row < 80; ++row) {
    for (std::int64_t column = 16; column < 32; ++column) at(row, column) = 0;
  }
  EXPECT_NE(wrong(), "");
}

TEST_P(ProductCheck, RefusesATermLessInEachSum) {
  for (std::int64_t row = 0; row < kProduct.m; ++row) {
    for (std::int64_t column = 0; column < kProduct.n; ++column) {
      at(row, column) -=
          a_[static_cast<std::size_t>(row * kProduct.k)] * b_[static_cast<std::size_t>(column * kProduct.k)];
    }
  }
  EXPECT_NE(wrong(), "");
}

INSTANTIATE_TEST_SUITE_P(Precisions, ProductCheck, testing::Bool(),
                         [](const auto& tf32) { return tf32.param ? "tf32" : "fp32"; });

}  // namespace
}  // namespace cupel::bench::step
