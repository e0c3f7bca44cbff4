#include "kernels/transfer/words.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "kernels/transfer/reference.hpp"

namespace cupel::kernels::transfer {
namespace {

using cuda::check;
using cuda::DeviceBuffer;

constexpr std::uint32_t kGuard = 0xDEADBEEFu;

// Either side of a warp, a block, a tile (1024) and a grid of many tiles; 0, 1 and a prime.
class Words : public testing::TestWithParam<std::int64_t> {
 protected:
  std::int64_t count() const { return GetParam(); }
  std::size_t size() const { return static_cast<std::size_t>(count()); }

  std::vector<std::uint32_t> random(std::uint64_t seed) const {
    std::vector<std::uint32_t> data(size());
    reference::fill_pattern(data, {.seed = seed});
    return data;
  }

  // One word more than the kernel may write, to see that it does not.
  DeviceBuffer<std::uint32_t> guarded() const {
    return DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(std::vector<std::uint32_t>(size() + 1, kGuard)));
  }

  std::vector<std::uint32_t> unguarded(const DeviceBuffer<std::uint32_t>& buffer) const {
    auto data = buffer.to_host();
    EXPECT_EQ(data.back(), kGuard) << "wrote past the end";
    data.pop_back();
    return data;
  }

  // A copy of `data` in device memory that has room even when there is none.
  DeviceBuffer<std::uint32_t> on_device(std::vector<std::uint32_t> data) const {
    data.push_back(kGuard);
    return DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(data));
  }

  std::int64_t mismatches(const std::vector<std::uint32_t>& data, const Pattern& pattern, std::int64_t first) const {
    const auto in = on_device(data);
    const std::vector<unsigned long long> zero = {0};
    DeviceBuffer<unsigned long long> counted{std::span<const unsigned long long>(zero)};
    count_mismatches(in.data(), count(), pattern, first, counted.data(), stream_);
    return static_cast<std::int64_t>(counted.to_host()[0]);
  }

  cuda::Stream stream_;
};

TEST_P(Words, FillPatternEqualsTheReference) {
  const Pattern pattern{.seed = 17, .map = {3, 5}};
  std::vector<std::uint32_t> expected(size());
  reference::fill_pattern(expected, pattern, 1000);
  auto out = guarded();

  fill_pattern(out.data(), count(), pattern, 1000, stream_);

  EXPECT_EQ(unguarded(out), expected);
}

TEST_P(Words, FillConstantWritesEveryWord) {
  auto out = guarded();

  fill_constant(out.data(), count(), 7, stream_);

  EXPECT_EQ(unguarded(out), std::vector<std::uint32_t>(size(), 7));
}

TEST_P(Words, CopyEqualsItsInput) {
  const auto expected = random(23);
  const auto in = on_device(expected);
  auto out = guarded();

  copy_words(in.data(), out.data(), count(), stream_);

  EXPECT_EQ(unguarded(out), expected);
}

TEST_P(Words, AdvanceEqualsTheReference) {
  const auto data = random(29);
  std::vector<std::uint32_t> expected(size());
  reference::advance_words(data, expected, 37);
  const auto in = on_device(data);
  auto out = guarded();

  advance_words(in.data(), out.data(), count(), 37, stream_);

  EXPECT_EQ(unguarded(out), expected);
}

TEST_P(Words, AdvanceInPlaceEqualsTheReference) {
  const auto data = random(31);
  std::vector<std::uint32_t> expected(size());
  reference::advance_words(data, expected, 8);
  auto buffer = on_device(data);

  advance_words(buffer.data(), buffer.data(), count(), 8, stream_);

  EXPECT_EQ(unguarded(buffer), expected);
}

TEST_P(Words, CountMismatchesCountsWhatTheReferenceCounts) {
  const Pattern pattern{.seed = 41};
  auto data = random(41);
  for (std::size_t i = 0; i < data.size(); i += 7) data[i] ^= 0x80000000u;
  if (!data.empty()) data.back() ^= 1u;

  EXPECT_EQ(mismatches(data, pattern, 0), reference::count_mismatches(data, pattern, 0));
  EXPECT_EQ(mismatches(data, pattern, 1), reference::count_mismatches(data, pattern, 1));
}

TEST_P(Words, CountMismatchesOfARightArrayIsZero) { EXPECT_EQ(mismatches(random(43), {.seed = 43}, 0), 0); }

INSTANTIATE_TEST_SUITE_P(Counts, Words,
                         testing::Values(0, 1, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025, 104'729, 1 << 20));

TEST(CopyWords, ReadsAndWritesMappedHostMemory) {
  constexpr std::int64_t kCount = 5000;
  cuda::PinnedBuffer<std::uint32_t> in(kCount, cudaHostAllocMapped), out(kCount, cudaHostAllocMapped);
  reference::fill_pattern(in.span(), {.seed = 47});
  std::uint32_t *mapped_in = nullptr, *mapped_out = nullptr;
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&mapped_in), in.data(), 0));
  check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&mapped_out), out.data(), 0));
  const cuda::Stream stream;

  copy_words(mapped_in, mapped_out, kCount, stream);
  stream.synchronize();

  EXPECT_EQ(reference::count_mismatches(out.span(), {.seed = 47}), 0);
}

}  // namespace
}  // namespace cupel::kernels::transfer
