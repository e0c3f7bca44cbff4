#include "bench/memory/all_elements.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "cupel/cuda/cuda.hpp"
#include "kernels/common/fill.hpp"
#include "kernels/memory/memory.hpp"

namespace cupel::bench::memory {
namespace {

constexpr std::int64_t kElements = 1'500'000;  // more than a round of the check's blocks

class AllElements : public testing::Test {
 protected:
  AllElements() {
    fill(first_, 1);
    fill(second_, 2);
  }
  void fill(cuda::DeviceBuffer<float>& numbers, std::uint64_t seed) {
    kernels::fill_uniform(kernels::DType::fp32, numbers.data(), kElements, seed, -1, 1, stream_);
  }
  // All are right, and one that is wiped is the only wrong one.
  void expect_finds_what_is_wiped(const RightElements& right, std::int64_t count) {
    stream_.synchronize();
    EXPECT_EQ(find_wrong(right, out_.data(), count).count, 0);
    cuda::check(cudaMemset(out_.data() + count - 7, 0xFF, sizeof(float)));
    EXPECT_EQ(find_wrong(right, out_.data(), count).count, 1);
    EXPECT_EQ(find_wrong(right, out_.data(), count).first, count - 7);
  }
  static std::uint32_t* words(cuda::DeviceBuffer<float>& numbers) {
    return reinterpret_cast<std::uint32_t*>(numbers.data());
  }

  cuda::DeviceBuffer<float> first_{kElements}, second_{kElements}, out_{kElements};
  cuda::Stream stream_;
};

TEST_F(AllElements, OfAWrite) {
  kernels::memory::write(words(out_), kElements, std::bit_cast<std::uint32_t>(1.5f), stream_);
  expect_finds_what_is_wiped({.factor = 1.5f}, kElements);
}

TEST_F(AllElements, OfACopy) {
  kernels::memory::copy(first_.data(), out_.data(), kElements, stream_);
  expect_finds_what_is_wiped({.kind = RightElements::Kind::copy, .first = 1}, kElements);
}

TEST_F(AllElements, OfATriad) {
  kernels::memory::triad(first_.data(), second_.data(), 3, out_.data(), kElements, stream_);
  expect_finds_what_is_wiped({.kind = RightElements::Kind::triad, .factor = 3, .first = 1, .second = 2}, kElements);
}

TEST_F(AllElements, OfAGather) {
  constexpr std::int64_t kStride = 8;
  kernels::memory::gather(words(first_), kStride, words(out_), kElements / kStride, stream_);
  expect_finds_what_is_wiped({.kind = RightElements::Kind::copy, .stride = kStride, .first = 1}, kElements / kStride);
}

}  // namespace
}  // namespace cupel::bench::memory
