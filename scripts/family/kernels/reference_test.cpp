#include "kernels/FAMILY/reference.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cupel::kernels::FAMILY {
namespace {

TEST(Scale, MultipliesEachElement) {
  const std::vector<float> in = {0, 1, -3};
  std::vector<float> out(3);

  reference::scale(in, out, 2);

  EXPECT_EQ(out, (std::vector<float>{0, 2, -6}));
}

}  // namespace
}  // namespace cupel::kernels::FAMILY
