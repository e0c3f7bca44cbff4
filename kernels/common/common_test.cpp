#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "cupel/verify/generator.hpp"
#include "kernels/common/argument.hpp"
#include "kernels/common/divider.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/common/test_refusal.hpp"

namespace cupel::kernels {
namespace {

using test::refusal;

TEST(DType, KnowsItsNameSizeAndRoundoff) {
  EXPECT_STREQ(to_string(DType::bf16), "bf16");
  EXPECT_EQ(size_of(DType::fp32), 4);
  EXPECT_EQ(size_of(DType::fp16), 2);
  EXPECT_EQ(unit_roundoff(DType::fp16), 0x1p-11);
  EXPECT_EQ(unit_roundoff(DType::bf16), 0x1p-8);
}

TEST(RequireArgument, NamesFunctionArgumentAndRule) {
  EXPECT_EQ(refusal([] { require_argument(false, "softmax", "columns", "1 to 65536"); }),
            "softmax: columns must be 1 to 65536");
  EXPECT_EQ(refusal([] { require_argument(true, "softmax", "columns", "1 to 65536"); }), "");
}

TEST(RequireArray, TakesNoArrayForNoElementsOnly) {
  EXPECT_NO_THROW(require_array(nullptr, 0, 4, "f", "in"));
  EXPECT_THROW(require_array(nullptr, 1, 4, "f", "in"), std::invalid_argument);
}

TEST(RequireArray, RefusesANegativeCountAndAnAddressInsideAnElement) {
  const float data[2] = {};
  const auto* inside = reinterpret_cast<const char*>(data) + 2;

  EXPECT_THROW(require_array(data, -1, 4, "f", "in"), std::invalid_argument);
  EXPECT_THROW(require_array(inside, 1, 4, "f", "in"), std::invalid_argument);
  EXPECT_NO_THROW(require_array(inside, 1, 2, "f", "in"));
}

TEST(RequireArrays, NamesTheFirstThatIsRefused) {
  const float data[2] = {};
  const auto* inside = reinterpret_cast<const char*>(data) + 2;

  EXPECT_EQ(refusal([&] {
              require_arrays({{data, "in"}, {inside, "gamma"}, {nullptr, "out"}}, 1, 4, "f");
            }),
            "f: gamma must be at a multiple of its element's size");
  EXPECT_EQ(refusal([&] {
              require_arrays({{data, "in"}, {nullptr, "out"}}, 1, 4, "f");
            }),
            "f: out must be an array, not null");
  EXPECT_EQ(refusal([&] { require_arrays({{data, "in"}, {nullptr, "out"}}, 0, 4, "f"); }), "");
}

class Division : public testing::TestWithParam<std::int64_t> {};

TEST_P(Division, IsExactBesideEveryMultipleAndAtTheEnds) {
  const std::int64_t d = GetParam();
  const Divider divider(d);
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const verify::Generator random(7);

  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{1}, d - 1, d, largest, largest - 1, largest / d * d, largest / d * d - 1}) {
    EXPECT_EQ(divider.quotient(n), n / d) << n;
    EXPECT_EQ(divider.remainder(n), n % d) << n;
  }
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    const auto n = static_cast<std::int64_t>(random.bits(i) >> (1 + i % 60));
    ASSERT_EQ(divider.quotient(n), n / d) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(Divisors, Division,
                         testing::Values(1, 2, 3, 5, 7, 32, 641, 4096, 65'535, 65'536, 104'729, 2'147'483'647,
                                         4'294'967'297, std::int64_t{1} << 62));

}  // namespace
}  // namespace cupel::kernels
