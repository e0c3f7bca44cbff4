#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "kernels/sync/reference.hpp"

namespace cupel::kernels::sync {
namespace {

TEST(AddOneReference, AddsOneToEveryElementAndWrapsAround) {
  std::vector<std::uint32_t> data = {0, 7, std::numeric_limits<std::uint32_t>::max()};

  reference::add_one(data);

  EXPECT_EQ(data, (std::vector<std::uint32_t>{1, 8, 0}));
}

TEST(AccumulateReference, AddsTheValueAndWrapsAround) {
  std::uint32_t total = std::numeric_limits<std::uint32_t>::max();

  reference::accumulate(3, total);

  EXPECT_EQ(total, 2u);
}

}  // namespace
}  // namespace cupel::kernels::sync
