#include "kernels/common/fill.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "kernels/common/test_arrays.hpp"

namespace cupel::kernels {
namespace {

class Fill : public testing::TestWithParam<std::int64_t> {};

TEST_P(Fill, IsTheSameOnTheHostToTheBit) {
  const cuda::Stream stream;
  for (const DType type : {DType::fp32, DType::fp16, DType::bf16}) {
    test::Array out(type, GetParam(), 1);
    test::Values expected;
    for (std::int64_t i = 0; i < GetParam(); ++i) {
      expected.push_back(test::rounded(type, uniform_at(i, 3, -1, 2)));
    }

    fill_uniform(type, out.data(), GetParam(), 3, -1, 2, stream);

    EXPECT_EQ(out.get(), expected) << to_string(type);
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, Fill, testing::Values(0, 1, 255, 257, 2047, 2049, 104'729));

TEST(Conversion, RoundsAlikeOnHostAndDevice) {
  // Half-way cases to even, beyond the range, the smallest numbers.
  EXPECT_EQ(test::rounded(DType::fp16, 2049), 2048);
  EXPECT_EQ(test::rounded(DType::fp16, 2051), 2052);
  EXPECT_EQ(test::rounded(DType::bf16, 257), 256);
  EXPECT_EQ(test::rounded(DType::fp16, 65'520), std::numeric_limits<double>::infinity());
  EXPECT_EQ(test::rounded(DType::fp16, 0x1p-24), 0x1p-24);
}

}  // namespace
}  // namespace cupel::kernels
