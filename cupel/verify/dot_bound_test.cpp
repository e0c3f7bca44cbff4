#include "cupel/verify/dot_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "cupel/verify/generator.hpp"

namespace cupel::verify {
namespace {

// x with `bits` of fraction less than the next power of two, the rest cut off or rounded.
double shortened(double x, int bits, bool truncates) {
  int exponent = 0;
  const double fraction = std::ldexp(std::frexp(x, &exponent), bits);
  return std::ldexp(truncates ? std::trunc(fraction) : std::nearbyint(fraction), exponent - bits);
}

struct Errors {
  double frobenius = 0;
  double worst = 0;  ///< of an element, as a share of what is allowed
};

// `count` dot products of k normal numbers, their sums kept with `bits` bits; the last `lost` products are left out.
Errors simulated(std::int64_t k, int bits, const DotRounding& rounding, std::int64_t lost = 0, int count = 200) {
  const Generator random(99);
  const DotBound bound = dot_bound(k, rounding);
  double squares = 0, square_errors = 0;
  Errors errors;
  std::uint64_t next = 0;
  for (int i = 0; i < count; ++i) {
    double exact = 0, magnitude = 0, computed = 0;
    for (std::int64_t j = 0; j < k; ++j) {
      const double product = random.normal(next) * random.normal(next + 1);
      next += 2;
      exact += product;
      magnitude += std::abs(product);
      if (j < k - lost) computed = shortened(computed + product, bits, rounding.truncates);
    }
    const double error = std::abs(computed - exact);
    squares += exact * exact;
    square_errors += error * error;
    errors.worst = std::max(errors.worst, error / bound.allowed(magnitude, exact));
  }
  errors.frobenius = std::sqrt(square_errors / squares);
  return errors;
}

TEST(AccumulatedRoundoff, RefusesABoundThatSaysNothing) {
  EXPECT_EQ(accumulated_roundoff(1, 0.5), 1);
  EXPECT_THROW(accumulated_roundoff(2, 0.5), std::invalid_argument);
}

TEST(DotBound, OfOneProductIsOneRounding) {
  const DotBound bound = dot_bound(1, {.accumulate_unit = 0x1p-10});

  EXPECT_DOUBLE_EQ(bound.of_magnitude, 0x1p-10 / (1 - 0x1p-10));
  EXPECT_DOUBLE_EQ(bound.frobenius, 0x1p-10);
}

TEST(DotBound, OfTruncationGrowsWithTheLengthAndOfRoundingWithItsSquareRoot) {
  const DotRounding cut{.accumulate_unit = 0x1p-23, .truncates = true};
  const DotRounding rounded{.accumulate_unit = 0x1p-24};

  EXPECT_DOUBLE_EQ(dot_bound(4096, cut).frobenius, 4096 * 0x1p-23);
  EXPECT_DOUBLE_EQ(dot_bound(4096, rounded).frobenius, 64 * 0x1p-24);
}

TEST(DotBound, OfAChainIsThatOfItsLength) {
  const DotRounding chained{.accumulate_unit = 0x1p-13, .truncates = true, .chain = 128};

  EXPECT_DOUBLE_EQ(dot_bound(1024, chained).frobenius, 128 * 0x1p-13 + 8 * 0x1p-23);
  EXPECT_DOUBLE_EQ(dot_bound(128, chained).frobenius, 128 * 0x1p-13);
}

TEST(DotBound, OfManyAdditionsIsNoMoreThanTheMostThatIsAllowed) {
  const DotRounding cut{.accumulate_unit = 0x1p-23, .truncates = true, .most = 1e-4, .output_unit = 0x1p-11};

  EXPECT_DOUBLE_EQ(dot_bound(200'000, cut).frobenius, 1e-4 + 0x1p-11);
  EXPECT_DOUBLE_EQ(dot_bound(100, cut).frobenius, 100 * 0x1p-23 + 0x1p-11);
  EXPECT_LT(dot_bound(200'000, cut).of_magnitude, 16e-4 / std::sqrt(200'000));
}

TEST(DotBound, CountsTheRoundingOfInputsAndOfTheOutput) {
  const DotBound bound =
      dot_bound(1, {.input_unit = 0x1p-11, .accumulate_unit = 0, .output_unit = 0x1p-8, .output_absolute = 3});

  EXPECT_DOUBLE_EQ(bound.of_magnitude, 2 * 0x1p-11 * (1 + 0x1p-11));
  EXPECT_DOUBLE_EQ(bound.frobenius, 2 * 0x1p-11 + 0x1p-8);
  EXPECT_DOUBLE_EQ(bound.allowed(0, -256), 1 + 3);
}

TEST(DotBound, HoldsForSumsThatRoundAndThatCutOff) {
  for (const std::int64_t k : {1, 3, 17, 256, 2048}) {
    for (const int bits : {11, 14, 24}) {
      SCOPED_TRACE(testing::Message() << "k " << k << ", bits " << bits);
      const DotRounding rounded{.accumulate_unit = std::ldexp(1.0, -bits)};
      const DotRounding cut{.accumulate_unit = std::ldexp(1.0, 1 - bits), .truncates = true};
      const Errors of_rounded = simulated(k, bits, rounded);
      const Errors of_cut = simulated(k, bits, cut);

      EXPECT_LE(of_rounded.worst, 1);
      EXPECT_LE(of_cut.worst, 1);
      EXPECT_LE(of_rounded.frobenius, dot_bound(k, rounded).frobenius);
      EXPECT_LE(of_cut.frobenius, dot_bound(k, cut).frobenius);
    }
  }
}

TEST(DotBound, SeesThatAProductInAThousandIsMissing) {
  const DotRounding rounding{.accumulate_unit = 0x1p-23, .truncates = true};

  EXPECT_GT(simulated(2048, 24, rounding, 2).frobenius, dot_bound(2048, rounding).frobenius);
  EXPECT_GT(simulated(2048, 24, rounding, 2).worst, 1);
}

TEST(DotBound, SeesInHalfPrecisionThatASixteenthIsMissing) {
  const DotRounding rounding{.accumulate_unit = 0x1p-11};

  EXPECT_GT(simulated(2048, 11, rounding, 128).frobenius, dot_bound(2048, rounding).frobenius);
}

TEST(DotBound, RefusesWhatIsNoDotProduct) {
  EXPECT_THROW(dot_bound(0, {}), std::invalid_argument);
  EXPECT_THROW(dot_bound(8, {.terms_per_addition = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::verify
