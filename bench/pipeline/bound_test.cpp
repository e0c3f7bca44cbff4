#include "bench/pipeline/bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <thread>

#include "bench/pipeline/test_folder.hpp"
#include "cupel/harness/cpus.hpp"
#include "cupel/verify/generator.hpp"

namespace cupel::bench::pipeline {
namespace {

StageTimes times(double read_s, double decode_s, double consume_s) {
  // Reading waits, decoding computes.
  return {StageTime{read_s, 0}, StageTime{decode_s, decode_s}, {}, {}, {}, StageTime{consume_s, 0}};
}

TEST(Bound, IsTheSlowestStageOfAWorker) {
  EXPECT_EQ(bound_of(times(3, 1, 0), 1, 1).stage, Stage::read);
  EXPECT_EQ(bound_of(times(1, 3, 0), 1, 1).stage, Stage::decode);
}

TEST(Bound, IsTheConsumerWhereItTakesLongerThanAllOfAWorker) {
  EXPECT_EQ(bound_of(times(1, 3, 3.9), 1, 1).stage, Stage::decode);
  EXPECT_EQ(bound_of(times(1, 3, 4.1), 1, 1).stage, Stage::consume);
  EXPECT_EQ(bound_of(times(1, 3, 2.1), 2, 2).stage, Stage::consume);
}

// In line nothing is made ahead: the longest of all binds.
TEST(Bound, InLineIsTheLongest) { EXPECT_EQ(bound_of(times(2, 3, 3.5), 0, 8).stage, Stage::consume); }

TEST(Bound, IsTheCopyWhereItTakesLongerThanTheWorkAndThanAllOfAWorker) {
  StageTimes all = times(1, 3, 2.5);
  all[static_cast<std::size_t>(Stage::copy)].wall_s = 2.6;

  EXPECT_EQ(bound_of(all, 1, 1).stage, Stage::decode);
  EXPECT_EQ(bound_of(all, 1, 1, Copies::between_work).stage, Stage::copy);
  EXPECT_EQ(bound_of(all, 2, 2).stage, Stage::copy);
  EXPECT_EQ(bound_of(all, 0, 1).stage, Stage::decode);
}

// Eight workers wait side by side and compute in turn.
TEST(Bound, OfManyWorkersOnFewProcessorsIsWhatComputes) {
  EXPECT_EQ(bound_of(times(3, 1, 0), 2, 2).stage, Stage::read);
  EXPECT_EQ(bound_of(times(3, 1, 0), 8, 2).stage, Stage::decode);
}

TEST(Bound, SaysWhatToChange) {
  const auto change = [](const StageTimes& times, int workers) {
    return what_to_change(bound_of(times, workers, 4), {.workers = workers, .cpus = 4});
  };

  EXPECT_EQ(change(times(1, 3, 5), 1), "nothing: the loader keeps up");
  EXPECT_EQ(change(times(1, 3, 5), 0), "a worker, to load beside the consumer");
  EXPECT_EQ(change(times(1, 3, 0), 1), "more workers, up to 4");
  EXPECT_EQ(change(times(1, 3, 0), 4), "decode on the GPU, or keep the data decoded");
  EXPECT_EQ(change(times(9, 1, 0), 4), "packed files, or faster storage");
  EXPECT_EQ(what_to_change({.stage = Stage::copy}, {.workers = 1, .cpus = 4}),
            "pinned memory, copied on a stream of its own; fewer bytes");
}

TEST(Bound, SaysThatALoaderKeepsUpOnlyWhereNobodyWaits) {
  const auto change = [](int workers, const Waits& waits) {
    return what_to_change({.stage = Stage::consume}, {.workers = workers, .cpus = 4}, waits);
  };

  EXPECT_EQ(change(4, {.consumer = 0.2, .gpu = 0.2}), "nothing: the loader keeps up");
  EXPECT_EQ(change(4, {.consumer = 0.33, .first = 0.3, .gpu = 0.31}),
            "longer epochs: this one waits for its first batch");
  EXPECT_EQ(change(4, {.consumer = 0.33, .first = 0.1}),
            "more processors: the stages keep up alone, but not side by side");
  EXPECT_EQ(change(2, {.consumer = 0.33, .first = 0.1}), "more workers, up to 4");
  EXPECT_EQ(change(4, {.consumer = 0.1, .gpu = 0.31}), "copies and launches: the loader keeps up, but the GPU waits");
}

TEST(Bound, OfThreadsThatCrowdIsChangedByFewerOfThem) {
  const auto change = [](const Loading& loading) { return what_to_change({.stage = Stage::augment}, loading); };

  EXPECT_EQ(change({.workers = 4, .cpus = 4, .intra_threads = 4}), "one thread in each worker");
  EXPECT_EQ(change({.workers = 2, .cpus = 4, .intra_threads = 4}), "one thread in each worker");
  EXPECT_EQ(change({.workers = 1, .cpus = 4, .intra_threads = 4}), "more workers, up to 4");
  EXPECT_EQ(change({.workers = 4, .cpus = 4}), "augment on the GPU");
}

// A time that was measured with all workers at it has their shares of the processors in it already.
TEST(Bound, OfWhatWasMeasuredSideBySideIsSharedByTheWorkers) {
  StageTimes all = times(1, 3, 0);
  all[static_cast<std::size_t>(Stage::augment)] = {.wall_s = 8, .cpu_s = 8, .side_by_side = true};

  const Bound bound = bound_of(all, 8, 2);

  EXPECT_EQ(bound.share_s[static_cast<std::size_t>(Stage::decode)], 1.5);
  EXPECT_EQ(bound.share_s[static_cast<std::size_t>(Stage::augment)], 1);
  EXPECT_EQ(bound.stage, Stage::decode);
}

// ---- One stage made slow on purpose --------------------------------------------------------------------------------

struct Configuration {
  Recipe recipe;
  LoaderOptions options;
  Stage slow;
  double consume_s = 0;
  int cpus = 2;
};

// The slow stage takes several times what all the others do: 1.5 ms in all on a slow core, of images of 500 x 375.
Configuration configuration(const DataSet& data, std::uint64_t number) {
  const verify::Generator random(number);
  constexpr double kSleep_s = 15e-3;
  constexpr int kTimes = 12;
  Configuration made;
  made.recipe = {.data = &data, .batch = random.small_integer(0, 1, 2), .side = 32};
  made.recipe.read = kCachedReaders[random.bits(1) % std::size(kCachedReaders)];
  made.recipe.seed = random.bits(2);
  made.cpus = random.small_integer(8, 1, 2);
  made.options.workers = random.small_integer(3, 0, 3);
  made.options.depth = random.small_integer(4, 1, 4);
  made.options.kind = random.small_integer(5, 0, 1) == 0 ? WorkerKind::thread : WorkerKind::process;
  if (made.options.kind == WorkerKind::process) made.options.handover = static_cast<Handover>(random.bits(6) % 4);
  constexpr Stage kOfTheHost[] = {Stage::read, Stage::decode, Stage::augment, Stage::hand_over, Stage::consume};
  made.slow = kOfTheHost[random.bits(7) % std::size(kOfTheHost)];
  if (made.options.workers == 0 && made.slow == Stage::hand_over) made.options.workers = 1;  // nothing is handed over
  Throttle& throttle = made.recipe.throttle;
  switch (made.slow) {
    case Stage::read:
      throttle.read_sleep_s = kSleep_s * 2;
      break;
    case Stage::decode:
      throttle.decode_times = kTimes;
      break;
    case Stage::augment:
      throttle.augment_times = 20 * kTimes;  // a small image is quickly augmented
      break;
    case Stage::hand_over:
      throttle.hand_over_sleep_s = kSleep_s * 2;
      break;
    case Stage::copy:  // there is no GPU
    case Stage::consume:
      made.consume_s = kSleep_s * 4;
      break;
  }
  return made;
}

// The time of a consumer that works for so long a sample, as it is seen to.
StageTime consuming(double consume_s) {
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(consume_s));
  return {.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

TEST(Bound, NamesTheStageThatWasMadeSlowInAtLeast38Of40Configurations) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.bytes = 1});
  int right = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Configuration tried = configuration(data, number);

    StageTimes alone = measure_making(tried.recipe, 2);
    alone[static_cast<std::size_t>(Stage::hand_over)] = measure_hand_over(tried.recipe, tried.options, 2);
    alone.back() = consuming(tried.consume_s);
    const Stage named = bound_of(alone, tried.options.workers, tried.cpus).stage;

    right += named == tried.slow;
    if (named != tried.slow) {
      std::printf("configuration %d: %s was slow, %s was named\n", static_cast<int>(number), to_string(tried.slow),
                  to_string(named));
    }
  }

  EXPECT_GE(right, 38);
}

// ---- Threads of all workers on the same processors -----------------------------------------------------------------

double epoch_s(const Recipe& recipe, const LoaderOptions& options) {
  constexpr int kEpochs = 3;
  Loader loader(recipe, options);
  double least_s = std::numeric_limits<double>::infinity();
  for (int epoch = 0; epoch <= kEpochs; ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    for (loader.start_epoch(epoch); loader.has_next();) loader.next();
    const double time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (epoch > 0) least_s = std::min(least_s, time_s);
  }
  return least_s;
}

// As long as it is slow, epochs of the loader as a whole are.
TEST(Bound, IsWhatAnEpochGainsFromWhereItIsMadeQuick) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.bytes = 1});
  std::set<Stage> seen;
  for (std::uint64_t number = 0; number < 40; ++number) {
    Configuration tried = configuration(data, number);
    if (tried.slow == Stage::consume || !seen.insert(tried.slow).second) continue;
    tried.recipe.samples = std::int64_t{4} * tried.recipe.batch;

    const double slow_s = epoch_s(tried.recipe, tried.options);
    tried.recipe.throttle = {};
    const double quick_s = epoch_s(tried.recipe, tried.options);

    EXPECT_GT(slow_s, 2 * quick_s) << to_string(tried.slow);
  }
  EXPECT_EQ(seen.size(), 4u);
}

// Eight workers of one thread each share the processors; with as many threads as processors in each of them, most of
// their time goes to threads that wait for others. One worker alone shows nothing of it.
TEST(Bound, IsAugmentationWhereTheThreadsOfAllWorkersCrowd) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.bytes = 1});
  constexpr int kWorkers = 8;
  const int cpus = harness::usable_cpu_count();
  const Recipe recipe = {.data = &data, .batch = 1, .intra_threads = cpus};
  const LoaderOptions options = {.kind = WorkerKind::process, .workers = kWorkers};

  StageTimes alone = measure_making(recipe, 16);
  const auto augmentation = static_cast<std::size_t>(Stage::augment);
  const double without_others_s = bound_of(alone, options.workers, cpus).share_s[augmentation];
  alone[augmentation] = measure_augmenting_side_by_side(recipe, options);
  const Bound bound = bound_of(alone, options.workers, cpus);

  EXPECT_LT(2 * without_others_s, bound.share_s[augmentation]);
  EXPECT_EQ(bound.stage, Stage::augment);
  // Augmenting takes most of an epoch.
  const double sample_s = epoch_s(recipe, options) / static_cast<double>(samples_of_epoch(recipe));
  EXPECT_GT(bound.share_s[augmentation], sample_s / 3);
  EXPECT_LT(bound.share_s[augmentation], sample_s * 3);
}

}  // namespace
}  // namespace cupel::bench::pipeline
