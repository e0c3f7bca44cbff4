#include "kernels/dot/number_buffer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "cupel/cuda/cuda.hpp"

namespace cupel::kernels::dot {
namespace {

std::vector<float> read(const void* data, std::size_t count) {
  std::vector<float> host(count);
  cuda::check(cudaMemcpy(host.data(), data, count * sizeof(float), cudaMemcpyDeviceToHost));
  return host;
}

TEST(NumberBuffer, HoldsOtherNumbersWhenTheSeedTheStepOrTheUseChanges) {
  NumberBuffer buffer;
  const auto first = read(buffer.normal(Element::fp32, 100, 1, 1), 100);
  const auto same = read(buffer.normal(Element::fp32, 100, 1, 1), 100);
  const auto other_seed = read(buffer.normal(Element::fp32, 100, 2, 1), 100);
  const auto other_step = read(buffer.normal(Element::fp32, 100, 2, 2), 100);
  const auto signs = read(buffer.sparse(Element::fp32, 100, 2, {.density = 0.5}), 100);
  const auto dense = read(buffer.sparse(Element::fp32, 100, 2, {.density = 1}), 100);
  const auto zeros = read(buffer.zeros(Element::fp32, 100), 100);
  const auto again = read(buffer.normal(Element::fp32, 100, 1, 1), 100);

  EXPECT_EQ(first, same);
  EXPECT_NE(first, other_seed);
  EXPECT_NE(other_seed, other_step);
  EXPECT_NE(other_step, signs);
  EXPECT_NE(signs, dense);
  EXPECT_EQ(zeros, std::vector<float>(100, 0.0f));
  EXPECT_EQ(first, again);
}

TEST(NumberBuffer, HoldsNoNumberAfterPoison) {
  NumberBuffer buffer;

  for (const float value : read(buffer.poison(400), 100)) EXPECT_TRUE(std::isnan(value));
}

TEST(NumberBuffer, KeepsItsMemoryForLess) {
  NumberBuffer buffer;
  buffer.reserve(1000);

  EXPECT_EQ(buffer.reserve(10), buffer.data());
  EXPECT_EQ(buffer.size_bytes(), 1000);
}

}  // namespace
}  // namespace cupel::kernels::dot
