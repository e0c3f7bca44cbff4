#include "kernels/memory/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "kernels/common/test_arrays.hpp"
#include "kernels/memory/reference.hpp"

namespace cupel::kernels::memory {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kGuard = 0xDEADBEEFu;

// Either side of a vector, a warp, a block and a tile (4096 words); 0, 1 and a prime; each at four alignments.
class Memory : public testing::TestWithParam<std::tuple<std::int64_t, std::int64_t>> {
 protected:
  std::int64_t count() const { return std::get<0>(GetParam()); }
  std::size_t size() const { return static_cast<std::size_t>(count()); }
  std::size_t offset() const { return static_cast<std::size_t>(std::get<1>(GetParam())); }

  Words random(std::uint64_t seed, std::size_t count) const {
    Words words(count);
    const verify::Generator generator(seed);
    for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<std::uint32_t>(generator.bits(i) >> 32);
    return words;
  }

  // `words` from offset() on, guards around them.
  cuda::DeviceBuffer<std::uint32_t> on_device(const Words& words) const {
    Words raw(offset() + words.size() + 1, kGuard);
    std::copy(words.begin(), words.end(), raw.begin() + static_cast<std::ptrdiff_t>(offset()));
    return cuda::DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(raw));
  }

  Words unguarded(const cuda::DeviceBuffer<std::uint32_t>& buffer) const {
    const Words raw = buffer.to_host();
    for (std::size_t i = 0; i < offset(); ++i) EXPECT_EQ(raw[i], kGuard) << "wrote before the array";
    EXPECT_EQ(raw.back(), kGuard) << "wrote past the end";
    return Words(raw.begin() + static_cast<std::ptrdiff_t>(offset()), raw.end() - 1);
  }

  cuda::Stream stream_;
};

TEST_P(Memory, CopyEqualsItsInput) {
  test::Array in(DType::fp32, test::random_values(DType::fp32, count(), 1), std::get<1>(GetParam()));
  test::Array out(DType::fp32, count(), 1);

  copy(in.floats(), out.floats(), count(), stream_);

  EXPECT_EQ(out.get(), in.get());
}

TEST_P(Memory, WriteWritesEveryWord) {
  auto out = on_device(Words(size(), 0));

  write(out.data() + offset(), count(), 7, stream_);

  EXPECT_EQ(unguarded(out), Words(size(), 7));
}

TEST_P(Memory, ReadAddsTheSum) {
  const Words words = random(2, size());
  const auto in = on_device(words);
  const Words ten = {10};
  cuda::DeviceBuffer<std::uint32_t> sum{std::span<const std::uint32_t>(ten)};

  read(in.data() + offset(), count(), sum.data(), stream_);

  EXPECT_EQ(sum.to_host()[0], 10 + reference::sum(words));
}

TEST_P(Memory, TriadOfWholeNumbersIsExact) {
  const auto a = test::random_integers(count(), 3, -1000, 1000), b = test::random_integers(count(), 4, -1000, 1000);
  test::Array device_a(DType::fp32, a, std::get<1>(GetParam())), device_b(DType::fp32, b, std::get<1>(GetParam())),
      out(DType::fp32, count(), std::get<1>(GetParam()));
  test::Values expected(size());
  reference::triad(a, b, 3, expected);

  triad(device_a.floats(), device_b.floats(), 3, out.floats(), count(), stream_);

  EXPECT_EQ(out.get(), expected);
}

TEST_P(Memory, GatherTakesEveryStridethWord) {
  for (const std::int64_t stride : {1, 2, 33}) {
    const Words words = random(5, size() * static_cast<std::size_t>(stride));
    const auto in = on_device(words);
    auto out = on_device(Words(size(), 0));
    Words expected(size());
    reference::gather(words, stride, expected);

    gather(in.data() + offset(), stride, out.data() + offset(), count(), stream_);

    EXPECT_EQ(unguarded(out), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(CountsAndOffsets, Memory,
                         testing::Combine(testing::Values(0, 1, 3, 4, 5, 31, 33, 1023, 1025, 4095, 4096, 4097, 104'729,
                                                          1 << 20),
                                          testing::Values(0, 1, 2, 3)));

TEST(MemoryArguments, AreRefusedByName) {
  cuda::DeviceBuffer<std::uint32_t> words(4);
  const cuda::Stream stream;

  EXPECT_EQ(test::refusal([&] { write(nullptr, 1, 0, stream); }), "write: out must be an array, not null");
  EXPECT_EQ(test::refusal([&] { read(words.data(), 4, nullptr, stream); }), "read: sum must be an array, not null");
  EXPECT_EQ(test::refusal([&] { gather(words.data(), 0, words.data(), 4, stream); }),
            "gather: stride must be 1 or more");
}

// The sum of 2^31 + 5 ones, 8 GiB of them.
TEST(MemoryRead, ReachesTheLastOfMoreThanTwoToThe31Words) {
  constexpr std::int64_t kCount = (std::int64_t{1} << 31) + 5;
  auto memory = test::large_array(4 * kCount);
  if (!memory) return;
  auto* words = reinterpret_cast<std::uint32_t*>(memory->data());
  const Words zero = {0};
  cuda::DeviceBuffer<std::uint32_t> sum{std::span<const std::uint32_t>(zero)};
  const cuda::Stream stream;

  write(words, kCount, 1, stream);
  read(words, kCount, sum.data(), stream);

  EXPECT_EQ(sum.to_host()[0], static_cast<std::uint32_t>(kCount));
}

}  // namespace
}  // namespace cupel::kernels::memory
