#include "kernels/training/models.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace cupel::kernels::training {
namespace {

std::int64_t parameters(const Sizes& sizes) { return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0}); }

// The numbers that torchvision and the authors state.
TEST(Models, HaveTheirPublishedNumbersOfTensorsAndParameters) {
  EXPECT_EQ(resnet18().size(), 62u);
  EXPECT_EQ(parameters(resnet18()), 11'689'512);
  EXPECT_EQ(resnet50().size(), 161u);
  EXPECT_EQ(parameters(resnet50()), 25'557'032);
  EXPECT_EQ(gpt2_small().size(), 148u);
  EXPECT_EQ(parameters(gpt2_small()), 124'439'808);
}

TEST(Models, AreFoundByName) {
  EXPECT_EQ(parameters(sizes_of("one_large")), 100'000'000);
  EXPECT_EQ(sizes_of("many_equal").size(), 160u);
  EXPECT_THROW(sizes_of("resnet51"), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::kernels::training
