#include "bench/fusion/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cupel/cuda/cuda.hpp"

namespace cupel::bench::fusion {
namespace {

TEST(FillWithOnes, SaysHowManyThereAreOneOfEightWherever) {
  constexpr std::int64_t kCount = 3'000'001, kPiece = 256;
  cuda::DeviceBuffer<float> numbers(kCount);

  const std::int64_t ones = fill_with_ones(numbers.data(), kCount, 1);

  const std::vector<float> host = numbers.to_host();
  EXPECT_EQ(std::ranges::count(host, 1.0f), ones);
  EXPECT_EQ(std::ranges::count(host, 0.0f), kCount - ones);
  EXPECT_NEAR(static_cast<double>(ones) / kCount, 0.125, 0.001);
  for (std::int64_t first = 0; first + kPiece <= kCount; first += kPiece) {  // none may be left out unseen
    ASSERT_GT(std::count(host.begin() + first, host.begin() + first + kPiece, 1.0f), 0) << first;
  }
}

}  // namespace
}  // namespace cupel::bench::fusion
