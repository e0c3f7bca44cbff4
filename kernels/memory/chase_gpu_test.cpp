#include "kernels/memory/chase.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"

namespace cupel::kernels::memory {
namespace {

class Chase : public testing::TestWithParam<std::int64_t> {};

TEST_P(Chase, IsWhereTheReferencesChainLeads) {
  constexpr std::int64_t kStride = 128;
  const std::int64_t nodes = GetParam();
  cuda::DeviceBuffer<std::uint8_t> memory(static_cast<std::size_t>(nodes * kStride));
  cuda::DeviceBuffer<std::uint64_t> position(1);
  const cuda::Stream stream;
  const Permutation order(nodes, 9);
  const auto node = [&] {
    const auto base = reinterpret_cast<std::uint64_t>(memory.data());
    return static_cast<std::int64_t>(position.to_host()[0] - base) / kStride;
  };

  make_chain(memory.data(), nodes, kStride, 9, position.data(), stream);
  EXPECT_EQ(node(), node_after(order, nodes, 0));
  chase(position.data(), 1, stream);
  EXPECT_EQ(node(), node_after(order, nodes, 1));
  chase(position.data(), 1000, stream);
  EXPECT_EQ(node(), node_after(order, nodes, 1001));
}

INSTANTIATE_TEST_SUITE_P(Nodes, Chase, testing::Values(1, 2, 17, 256, 1000, 65'537));

}  // namespace
}  // namespace cupel::kernels::memory
