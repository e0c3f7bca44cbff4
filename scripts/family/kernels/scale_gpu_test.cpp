#include "kernels/FAMILY/scale.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/FAMILY/reference.hpp"

namespace cupel::kernels::FAMILY {
namespace {

class Scale : public testing::TestWithParam<std::int64_t> {};

// A product by 0.3 is rounded: both sides round it once, so they agree to the bit.
TEST_P(Scale, EqualsTheReference) {
  std::vector<float> in(static_cast<std::size_t>(GetParam())), expected(in.size());
  verify::fill_uniform<float>(in, 7, -1, 1);
  reference::scale(in, expected, 0.3f);
  const cuda::DeviceBuffer<float> device_in{std::span<const float>(in)};
  cuda::DeviceBuffer<float> device_out(in.size());
  const cuda::Stream stream;

  scale(device_in.data(), device_out.data(), GetParam(), 0.3f, stream);

  EXPECT_EQ(device_out.to_host(), expected);
}

// Either side of a warp and of a block, a prime, and many blocks.
INSTANTIATE_TEST_SUITE_P(Counts, Scale, testing::Values(0, 1, 31, 32, 33, 255, 256, 257, 104'729, 1 << 20));

}  // namespace
}  // namespace cupel::kernels::FAMILY
