#include "kernels/transfer/reference.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace cupel::kernels::transfer {
namespace {

TEST(Pattern, IsTheUpperHalfOfTheGeneratorsBitsMapped) {
  const Pattern pattern{.seed = 1234567, .map = {3, 5}};

  const auto upper_half = static_cast<std::uint32_t>(verify::Generator(1234567).bits(9) >> 32);
  EXPECT_EQ(word(pattern, 9), 3 * upper_half + 5);
}

TEST(Pattern, WithMultiplierZeroIsConstant) {
  const Pattern constant{.seed = 9, .map = {0, 42}};

  EXPECT_EQ(word(constant, 0), 42u);
  EXPECT_EQ(word(constant, 1'000'000'007), 42u);
}

TEST(FillPattern, InTwoHalvesIsTheSameAsInOne) {
  const Pattern pattern{.seed = 3};
  std::vector<std::uint32_t> whole(100), halves(100);

  reference::fill_pattern(whole, pattern);
  reference::fill_pattern(std::span(halves).first(37), pattern, 0);
  reference::fill_pattern(std::span(halves).subspan(37), pattern, 37);

  EXPECT_EQ(whole, halves);
}

TEST(CountMismatches, SeesASingleWrongBitInTheLastWord) {
  const Pattern pattern{.seed = 5};
  std::vector<std::uint32_t> data(257);
  reference::fill_pattern(data, pattern);

  EXPECT_EQ(reference::count_mismatches(data, pattern), 0);
  data.back() ^= 1u;
  EXPECT_EQ(reference::count_mismatches(data, pattern), 1);
}

TEST(CountMismatches, OfAnotherSeedIsNearlyEveryWord) {
  std::vector<std::uint32_t> data(10'000);
  reference::fill_pattern(data, {.seed = 5});

  EXPECT_GT(reference::count_mismatches(data, {.seed = 6}), 9'990);
}

TEST(AdvanceWords, TakesTheStepsOfTheGeneratorOneByOne) {
  const std::vector<std::uint32_t> in = {0, 1};
  std::vector<std::uint32_t> out(2);

  reference::advance_words(in, out, 2);

  // From 0: 1013904223, then 1664525 * 1013904223 + 1013904223 = 1196435762 modulo 2^32, the sequence that Numerical
  // Recipes prints as 3C6EF35F, 47502932.
  EXPECT_EQ(out[0], 0x47502932u);
  EXPECT_EQ(out[1], kStep(kStep(1u)));
}

class Advanced : public testing::TestWithParam<int> {};

TEST_P(Advanced, IsWhatTheLoopGives) {
  const int steps = GetParam();
  const Pattern pattern{.seed = 11, .map = {5, 7}};
  std::vector<std::uint32_t> data(50);
  reference::fill_pattern(data, pattern);

  reference::advance_words(data, data, steps);

  EXPECT_EQ(reference::count_mismatches(data, advanced(pattern, steps)), 0);
}

INSTANTIATE_TEST_SUITE_P(Steps, Advanced, testing::Values(0, 1, 2, 3, 64, 1023));

}  // namespace
}  // namespace cupel::kernels::transfer
