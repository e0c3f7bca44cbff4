#include "bench/pipeline/gpu_consumer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace cupel::bench::pipeline {
namespace {

constexpr std::size_t kBytes = std::size_t{4} << 20;
constexpr StageMemory kMemories[] = {StageMemory::pageable, StageMemory::copied_to_pinned,
                                     StageMemory::decoded_into_pinned};
constexpr CopyWay kCopies[] = {CopyWay::blocking, CopyWay::same_stream, CopyWay::own_stream};

TEST(GpuConsumer, HasTheLastBatchWhateverTheWay) {
  for (const StageMemory memory : kMemories) {
    for (const CopyWay copy : kCopies) {
      GpuConsumer consumer(memory, copy, kBytes, 1000);
      cuda::PinnedBuffer<std::byte> batches(3 * kBytes);
      for (std::size_t i = 0; i < batches.size(); ++i) batches[i] = static_cast<std::byte>(i / kBytes + i % 251);
      const auto batch = [&](std::size_t number) {
        return std::span<const std::byte>(batches.data() + number * kBytes, kBytes);
      };

      for (std::size_t number = 0; number < 3; ++number) consumer.take(batch(number));
      consumer.finish();

      EXPECT_TRUE(consumer.last_is(batch(2))) << to_string(memory) << ' ' << to_string(copy);
      EXPECT_FALSE(consumer.last_is(batch(1))) << to_string(memory) << ' ' << to_string(copy);
    }
  }
}

// The caller's memory is free again once take() has returned.
TEST(GpuConsumer, KeepsABatchThatWasCopiedToPinnedMemory) {
  for (const CopyWay copy : kCopies) {
    GpuConsumer consumer(StageMemory::copied_to_pinned, copy, kBytes, 1'000'000);
    std::vector<std::byte> batch(kBytes, std::byte{1});

    for (int times = 0; times < 4; ++times) consumer.take(batch);
    std::ranges::fill(batch, std::byte{2});
    consumer.finish();

    EXPECT_TRUE(consumer.last_is(std::vector<std::byte>(kBytes, std::byte{1}))) << to_string(copy);
  }
}

TEST(GpuConsumer, WorksOnEachBatchForAsLongAsWasAsked) {
  GpuConsumer consumer(StageMemory::copied_to_pinned, CopyWay::own_stream, kBytes, 5'000'000);
  const std::vector<std::byte> batch(kBytes);
  const auto start = std::chrono::steady_clock::now();

  for (int times = 0; times < 4; ++times) consumer.take(batch);
  consumer.finish();

  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(20));
}

TEST(GpuConsumer, CountsThePinnedMemoryThatItTakes) {
  EXPECT_EQ(GpuConsumer(StageMemory::pageable, CopyWay::blocking, kBytes, 0).pinned_bytes(), 0u);
  EXPECT_EQ(GpuConsumer(StageMemory::copied_to_pinned, CopyWay::blocking, kBytes, 0).pinned_bytes(), 2 * kBytes);
}

}  // namespace
}  // namespace cupel::bench::pipeline
