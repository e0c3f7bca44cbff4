#include "kernels/reduce/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cupel::kernels::reduce {
namespace {

using Values = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double of(Reduction reduction, const Values& in) { return reference::reduce(reduction, in); }

TEST(Reduce, OfThreeMinusFourAndTwelveIsWhatOneWorksOutByHand) {
  const Values in = {3, -4, 12};

  EXPECT_EQ(of(Reduction::sum, in), 11);
  EXPECT_EQ(of(Reduction::sum_of_squares, in), 169);
  EXPECT_EQ(of(Reduction::norm, in), 13);
  EXPECT_EQ(of(Reduction::abs_max, in), 12);
  EXPECT_EQ(of(Reduction::found_inf, in), 0);
}

TEST(Reduce, OfNothingIsZero) {
  for (const Reduction reduction :
       {Reduction::sum, Reduction::sum_of_squares, Reduction::norm, Reduction::abs_max, Reduction::found_inf}) {
    EXPECT_EQ(of(reduction, {}), 0) << to_string(reduction);
  }
}

TEST(FoundInf, SeesInfinityOfEitherSignAndNotANumberAnywhere) {
  EXPECT_EQ(of(Reduction::found_inf, {kInfinity, 1, 2}), 1);
  EXPECT_EQ(of(Reduction::found_inf, {1, -kInfinity, 2}), 1);
  EXPECT_EQ(of(Reduction::found_inf, {1, 2, kNaN}), 1);
}

TEST(AbsMax, IsNotANumberWhereverOneStands) {
  EXPECT_TRUE(std::isnan(of(Reduction::abs_max, {kNaN, 1, 2})));
  EXPECT_TRUE(std::isnan(of(Reduction::abs_max, {1, kNaN, 2})));
  EXPECT_TRUE(std::isnan(of(Reduction::abs_max, {1, 2, kNaN})));
  EXPECT_EQ(of(Reduction::abs_max, {1, -kInfinity}), kInfinity);
}

TEST(ErrorBound, IsZeroForWhatDoesNotRoundAndGrowsWithTheCount) {
  const Values few(10, 1), many(100'000, 1);

  EXPECT_EQ(error_bound(Reduction::abs_max, many), 0);
  EXPECT_EQ(error_bound(Reduction::found_inf, many), 0);
  // Ten terms, eleven roundings of relative size 2^-24, of a sum of ten.
  EXPECT_NEAR(error_bound(Reduction::sum, few), 11 * 0x1p-24 * 10, 1e-10);
  EXPECT_GT(error_bound(Reduction::sum, many), 1000 * error_bound(Reduction::sum, few));
}

}  // namespace
}  // namespace cupel::kernels::reduce
