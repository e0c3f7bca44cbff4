#include "kernels/memory/homes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/device.hpp"

namespace cupel::kernels::memory {
namespace {

// More than the kernel keeps times of at once, and no multiple of it.
constexpr std::int64_t kLines = 10'007;
constexpr std::int64_t kStride = 64;

class Homes : public testing::Test {
 protected:
  Homes() : content_(static_cast<std::size_t>(kLines * kStride / 8)) {
    std::iota(content_.begin(), content_.end(), std::uint64_t{1} << 60);
    memory_.from_host(std::span<const std::uint64_t>(content_));
    const std::vector<OneBlock> none(1);
    state_.from_host(std::span<const OneBlock>(none));
  }

  std::vector<std::uint64_t> content_;
  cuda::DeviceBuffer<std::uint64_t> memory_{static_cast<std::size_t>(kLines * kStride / 8)};
  cuda::DeviceBuffer<OneBlock> state_{1};
  cuda::Stream stream_;
};

TEST_F(Homes, EachAtomicIsTimedAndChangesNothing) {
  const std::vector<std::uint32_t> guards(kLines + 1, 0);
  cuda::DeviceBuffer<std::uint32_t> cycles{std::span<const std::uint32_t>(guards)};

  time_atomics(memory_.data(), kLines, kStride, 2, multiprocessors() - 1, state_.data(), cycles.data(), stream_);

  const std::vector<std::uint32_t> seen = cycles.to_host();
  EXPECT_GT(*std::min_element(seen.begin(), seen.end() - 1), 0u);
  EXPECT_EQ(seen.back(), 0u) << "wrote past the end";
  EXPECT_EQ(memory_.to_host(), content_);
  EXPECT_EQ(state_.to_host()[0].found, 1u);
}

TEST_F(Homes, BringingLinesHomeChangesNothing) {
  std::vector<std::int32_t> lines(kLines);
  std::iota(lines.begin(), lines.end(), 0);
  const cuda::DeviceBuffer<std::int32_t> device_lines{std::span<const std::int32_t>(lines)};

  bring_home(memory_.data(), device_lines.data(), kLines, kStride, 1, state_.data(), stream_);

  EXPECT_EQ(memory_.to_host(), content_);
  EXPECT_EQ(state_.to_host()[0].found, multiprocessors() > 1 ? 1u : 0u);
}

}  // namespace
}  // namespace cupel::kernels::memory
