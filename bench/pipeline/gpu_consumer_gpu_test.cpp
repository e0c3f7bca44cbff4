#include "bench/pipeline/gpu_consumer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <vector>

#include "bench/pipeline/bound.hpp"
#include "bench/pipeline/test_folder.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {
namespace {

constexpr std::size_t kBytes = std::size_t{4} << 20;
constexpr StageMemory kMemories[] = {StageMemory::pageable, StageMemory::copied_to_pinned,
                                     StageMemory::copied_by_thread, StageMemory::decoded_into_pinned};
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

// Six batches through two pinned buffers, on a device that is far behind.
TEST(GpuConsumer, OverwritesNoPinnedBatchThatHasNotGone) {
  for (const CopyWay copy : kCopies) {
    constexpr std::size_t kBatches = 6;
    GpuConsumer consumer(StageMemory::copied_by_thread, copy, kBytes, 5'000'000, 3);
    std::vector<std::byte> batches(kBatches * kBytes);
    for (std::size_t i = 0; i < batches.size(); ++i) batches[i] = static_cast<std::byte>(i / kBytes + i % 251);
    const auto batch = [&](std::size_t number) { return std::span(batches).subspan(number * kBytes, kBytes); };

    for (std::size_t number = 0; number < kBatches; ++number) consumer.take(batch(number));
    consumer.finish();

    EXPECT_TRUE(consumer.last_is(batch(kBatches - 1))) << to_string(copy);
    EXPECT_TRUE(consumer.last_but_one_is(batch(kBatches - 2))) << to_string(copy);
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

// ---- One stage made slow on purpose --------------------------------------------------------------------------------

struct Slowed {
  Stage slow;
  StageMemory memory;
  CopyWay copy;
  int workers;
  int copy_times = 1;
  std::int64_t compute_ns = 500'000;
  Throttle throttle = {};
};

// The slow stage takes several times what all the others do: raw images of 150 KB in batches of 8.
Slowed slowed(std::uint64_t number) {
  const verify::Generator random(number);
  constexpr Stage kStagesHere[] = {Stage::read, Stage::copy, Stage::consume};
  Slowed made = {.slow = kStagesHere[random.bits(0) % std::size(kStagesHere)],
                 .memory = kMemories[random.bits(1) % std::size(kMemories)],
                 .copy = kCopies[random.bits(2) % std::size(kCopies)],
                 .workers = random.small_integer(3, 0, 3)};
  switch (made.slow) {
    case Stage::read:
      made.throttle.read_sleep_s = 10e-3;
      break;
    case Stage::copy:
      made.copy_times = 200;
      break;
    default:
      made.compute_ns = 30'000'000;
  }
  return made;
}

TEST(BoundOnGpu, NamesTheStageThatWasMadeSlowInAtLeast38Of40Configurations) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.format = Format::raw, .bytes = 1});
  constexpr int kCpus = 2;
  int right = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Slowed tried = slowed(number);
    const Recipe recipe = {.data = &data, .throttle = tried.throttle};
    const auto batch_bytes = static_cast<std::size_t>(recipe.batch * sample_bytes(recipe));
    const auto batch = static_cast<double>(recipe.batch);

    StageTimes alone = measure_making(recipe, recipe.batch);
    alone[static_cast<std::size_t>(Stage::copy)].wall_s =
        copy_alone_s(tried.memory, tried.copy, {.bytes_each = batch_bytes}, tried.copy_times) / batch;
    alone[static_cast<std::size_t>(Stage::consume)].wall_s = static_cast<double>(tried.compute_ns) * 1e-9 / batch;
    const Copies copies = tried.copy == CopyWay::own_stream ? Copies::beside_work : Copies::between_work;
    const Stage named = bound_of(alone, tried.workers, kCpus, copies).stage;

    right += named == tried.slow;
    if (named != tried.slow) {
      std::printf("configuration %d: %s was slow, %s was named\n", static_cast<int>(number), to_string(tried.slow),
                  to_string(named));
    }
  }

  EXPECT_GE(right, 38);
}

double epoch_s(const Recipe& recipe, std::int64_t compute_ns, int copy_times) {
  const auto batch_bytes = static_cast<std::size_t>(recipe.batch * sample_bytes(recipe));
  Loader loader(recipe, {.workers = 2});
  GpuConsumer consumer(StageMemory::copied_to_pinned, CopyWay::own_stream, batch_bytes, compute_ns, copy_times);
  const auto start = std::chrono::steady_clock::now();
  for (loader.start_epoch(0); loader.has_next();) consumer.take(loader.next().bytes);
  consumer.finish();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Whoever else uses the machine delays some tries.
double least_of_tries(const auto& seconds) {
  constexpr int kTries = 4;
  double least_s = seconds();
  for (int i = 1; i < kTries; ++i) least_s = std::min(least_s, seconds());
  return least_s;
}

// The epoch takes as long as the stage that is named takes alone, by and large.
TEST(BoundOnGpu, OfASlowCopyAndOfASlowConsumerIsWhatAnEpochTakes) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.format = Format::raw, .bytes = 1});
  const Recipe recipe = {.data = &data, .samples = 128};
  const auto batch_bytes = static_cast<std::size_t>(recipe.batch * sample_bytes(recipe));
  for (const bool slow_copy : {true, false}) {
    const int copy_times = slow_copy ? 200 : 1;
    const std::int64_t compute_ns = slow_copy ? 0 : 20'000'000;
    const double batch_s = slow_copy ? least_of_tries([&] {
      return copy_alone_s(StageMemory::copied_to_pinned, CopyWay::own_stream, {.bytes_each = batch_bytes}, copy_times);
    })
                                     : static_cast<double>(compute_ns) * 1e-9;

    const double least_s = least_of_tries([&] { return epoch_s(recipe, compute_ns, copy_times); });

    const double bound_s = batch_s * static_cast<double>(batches_of_epoch(recipe));
    EXPECT_GT(least_s, 0.9 * bound_s) << slow_copy;
    EXPECT_LT(least_s, 1.5 * bound_s) << slow_copy;
  }
}

// From pageable memory a batch comes quicker where the processor's cache still has it, and caches of 300 MiB are about.
// Which of the machine's memories has the pages counts for a fifth, and who else uses it for more: the two take turns,
// each with new memory that it sends several times, until the least of both agree.
TEST(CopyAlone, OfBatchesThatNoCacheHoldsIsWhatTheyTakeBehindOneAnother) {
  constexpr int kRounds = 12;
  const Batches batches = {.count = 48, .bytes_each = std::size_t{16} << 20};
  GpuConsumer consumer(StageMemory::pageable, CopyWay::blocking, batches.bytes_each, 0);
  const auto all_s = [&] {
    const std::vector<std::byte> source(batches.count * batches.bytes_each, std::byte{1});
    return least_of_tries([&] {
      const auto start = std::chrono::steady_clock::now();
      for (std::size_t b = 0; b < batches.count; ++b)
        consumer.take(std::span(source).subspan(b * batches.bytes_each, batches.bytes_each));
      consumer.finish();
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  };

  double least_all_s = std::numeric_limits<double>::infinity(), least_alone_s = least_all_s, ratio = 0;
  for (int round = 0; round < kRounds && std::abs(ratio - 1) > 0.2; ++round) {
    least_all_s = std::min(least_all_s, all_s());
    least_alone_s = std::min(least_alone_s, copy_alone_s(StageMemory::pageable, CopyWay::blocking, batches, 1));
    ratio = least_alone_s * static_cast<double>(batches.count) / least_all_s;
  }

  EXPECT_NEAR(ratio, 1, 0.2);
}

}  // namespace
}  // namespace cupel::bench::pipeline
