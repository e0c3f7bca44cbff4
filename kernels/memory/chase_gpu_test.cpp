#include "kernels/memory/chase.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"

namespace cupel::kernels::memory {
namespace {

template <class T>
cuda::DeviceBuffer<T> zero() {
  const std::vector<T> host(1);
  return cuda::DeviceBuffer<T>(std::span<const T>(host));
}

class Chase : public testing::TestWithParam<std::int64_t> {};

// On the first multiprocessor and on the last, in turn.
TEST_P(Chase, IsWhereTheReferencesChainLeads) {
  constexpr std::int64_t kStride = 128;
  const std::int64_t nodes = GetParam();
  cuda::DeviceBuffer<std::uint8_t> memory(static_cast<std::size_t>(nodes * kStride));
  cuda::DeviceBuffer<std::uint64_t> position(1);
  auto state = zero<OneBlock>();
  const cuda::Stream stream;
  const Permutation order(nodes, 9);
  const auto node = [&] {
    const auto base = reinterpret_cast<std::uint64_t>(memory.data());
    return static_cast<std::int64_t>(position.to_host()[0] - base) / kStride;
  };

  make_chain(memory.data(), nullptr, nodes, kStride, 9, position.data(), stream);
  EXPECT_EQ(node(), node_after(order, nodes, 0));
  chase(position.data(), 1, 0, state.data(), stream);
  EXPECT_EQ(node(), node_after(order, nodes, 1));
  chase(position.data(), 1000, multiprocessors() - 1, state.data(), stream);
  EXPECT_EQ(node(), node_after(order, nodes, 1001));
  EXPECT_EQ(state.to_host()[0].found, 2u);
}

INSTANTIATE_TEST_SUITE_P(Nodes, Chase, testing::Values(1, 2, 17, 256, 1000, 65'537));

TEST(ChaseOverLines, ComesByThoseAndByNoOthers) {
  constexpr std::int64_t kStride = 64;
  const std::vector<std::int32_t> lines = {1, 2, 5, 11, 12, 30};
  const auto nodes = static_cast<std::int64_t>(lines.size());
  const cuda::DeviceBuffer<std::int32_t> places{std::span<const std::int32_t>(lines)};
  cuda::DeviceBuffer<std::uint8_t> memory(32 * kStride);
  cuda::DeviceBuffer<std::uint64_t> position(1);
  auto state = zero<OneBlock>();
  const cuda::Stream stream;
  const Permutation order(nodes, 4);

  make_chain(memory.data(), places.data(), nodes, kStride, 4, position.data(), stream);

  for (std::int64_t step = 0; step <= 2 * nodes; ++step) {
    const auto at = static_cast<std::int64_t>(position.to_host()[0] - reinterpret_cast<std::uint64_t>(memory.data()));
    EXPECT_EQ(at, lines[static_cast<std::size_t>(node_after(order, nodes, step))] * kStride) << step;
    chase(position.data(), 1, 0, state.data(), stream);
  }
}

TEST(ChaseOnOneMultiprocessor, FindsEachOneTimeAfterTime) {
  cuda::DeviceBuffer<std::uint64_t> chain(1), position(1);
  auto state = zero<OneBlock>();
  const cuda::Stream stream;
  make_chain(chain.data(), nullptr, 1, 8, 1, position.data(), stream);

  for (int i = 0; i < 3 * multiprocessors(); ++i) chase(position.data(), 1, i / 3, state.data(), stream);

  const OneBlock seen = state.to_host()[0];
  EXPECT_EQ(seen.found, static_cast<std::uint32_t>(3 * multiprocessors()));
  EXPECT_EQ(seen.taken, 0u);
  EXPECT_EQ(seen.arrived, 0u);
}

TEST(ChaseOnOneMultiprocessor, DoesNothingWhereThereIsNoSuchOne) {
  cuda::DeviceBuffer<std::uint64_t> chain(4), position(1);
  auto state = zero<OneBlock>();
  const cuda::Stream stream;
  make_chain(chain.data(), nullptr, 4, 8, 1, position.data(), stream);
  const std::uint64_t start = position.to_host()[0];

  chase(position.data(), 1, 1 << 20, state.data(), stream);

  EXPECT_EQ(position.to_host()[0], start);
  EXPECT_EQ(state.to_host()[0].found, 0u);
}

TEST(FindMultiprocessor, GivesOneOfTheDevices) {
  cuda::DeviceBuffer<int> number(1);
  const cuda::Stream stream;

  find_multiprocessor(number.data(), stream);

  EXPECT_GE(number.to_host()[0], 0);
  EXPECT_LT(number.to_host()[0], multiprocessors());
}

}  // namespace
}  // namespace cupel::kernels::memory
