#include "kernels/memory/read_again.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/verify/generator.hpp"
#include "kernels/common/test_refusal.hpp"
#include "kernels/memory/reference.hpp"

namespace cupel::kernels::memory {
namespace {

using Words = std::vector<std::uint32_t>;

Words random(std::int64_t count) {
  Words words(static_cast<std::size_t>(count));
  const verify::Generator generator(3);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(generator.bits(i) >> 32);
  return words;
}

cuda::DeviceBuffer<std::uint32_t> on_device(const Words& words) {
  return cuda::DeviceBuffer<std::uint32_t>(std::span<const std::uint32_t>(words));
}

template <class T>
cuda::DeviceBuffer<T> zeros(int count) {
  const std::vector<T> host(static_cast<std::size_t>(count));
  return cuda::DeviceBuffer<T>(std::span<const T>(host));
}

// One run, a few, and more than a multiprocessor has blocks; once and an odd number of times.
TEST(ReadAgain, AddsTheSumOfAllWordsAsOftenAsAsked) {
  const cuda::Stream stream;
  for (const std::int64_t runs : {1, 3, 64, 257}) {
    const Words words = random(runs * kRunWords);
    const auto in = on_device(words);
    for (const std::uint32_t times : {1u, 5u}) {
      auto sum = on_device({10});

      read_again(in.data(), runs * kRunWords, times, sum.data(), stream);

      EXPECT_EQ(sum.to_host()[0], 10 + times * reference::sum(words)) << runs << " runs, " << times << " times";
    }
  }
}

// As many tiles as parts, and so many that parts differ in length; from call to call parts go on where they were.
TEST(ReadParts, ReadsAsManyTilesAsAskedAndEachPartItsOwn) {
  const cuda::Stream stream;
  const std::int64_t parts = parts_of_device(), runs_of_one_each = (parts + kTilesOfRun - 1) / kTilesOfRun;
  for (const std::int64_t runs : {runs_of_one_each, 2 * runs_of_one_each + 1}) {
    const Words words = random(runs * kRunWords);
    const auto in = on_device(words);
    auto turns = zeros<std::uint64_t>(parts_of_device());
    auto ticket = zeros<std::uint32_t>(1), sum = zeros<std::uint32_t>(1);
    for (const std::uint64_t calls : {1u, 2u, 3u}) {
      read_parts(in.data(), runs * kRunWords, 7, turns.data(), ticket.data(), sum.data(), stream);

      const std::vector<std::uint64_t> seen = turns.to_host();
      EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), std::uint64_t{0}),
                calls * 7 * static_cast<std::uint64_t>(runs * kTilesOfRun));
      EXPECT_EQ(sum.to_host()[0], reference::sum_of_turns(words, seen));
      EXPECT_EQ(ticket.to_host()[0], 0u);
    }
  }
}

// In a long launch no part is left out: each block comes to the device and takes its share.
TEST(ReadParts, LeavesNoPartUnread) {
  const cuda::Stream stream;
  const std::int64_t runs = (parts_of_device() + kTilesOfRun - 1) / kTilesOfRun;
  const auto in = on_device(random(runs * kRunWords));
  auto turns = zeros<std::uint64_t>(parts_of_device());
  auto ticket = zeros<std::uint32_t>(1), sum = zeros<std::uint32_t>(1);

  read_parts(in.data(), runs * kRunWords, 500, turns.data(), ticket.data(), sum.data(), stream);

  const std::vector<std::uint64_t> seen = turns.to_host();
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 0u);
}

TEST(ReadAgainArguments, AreRefusedByName) {
  const cuda::Stream stream;
  auto words = zeros<std::uint32_t>(static_cast<int>(kRunWords));
  auto sum = zeros<std::uint32_t>(1);

  EXPECT_EQ(test::refusal([&] { read_again(words.data(), kRunWords - 1, 1, sum.data(), stream); }),
            "read_again: count must be a multiple of kRunWords");
  EXPECT_EQ(test::refusal([&] { read_again(words.data() + 1, kRunWords, 1, sum.data(), stream); }),
            "read_again: in must be at a multiple of its element's size");
  EXPECT_EQ(test::refusal([&] { read_again(words.data(), kRunWords, 0, sum.data(), stream); }),
            "read_again: times must be 1 or more, and no more runs in all than 2^31");
  EXPECT_EQ(test::refusal([&] { read_parts(words.data(), kRunWords, 1, nullptr, nullptr, sum.data(), stream); }),
            "read_parts: count must be a tile for each part at least");
}

}  // namespace
}  // namespace cupel::kernels::memory
