#include "bench/pipeline/bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/pipeline/test_folder.hpp"
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
  EXPECT_EQ(what_to_change(bound_of(times(1, 3, 5), 1, 4), 1, 4), "nothing: the loader keeps up");
  EXPECT_EQ(what_to_change(bound_of(times(1, 3, 5), 0, 4), 0, 4), "a worker, to load beside the consumer");
  EXPECT_EQ(what_to_change(bound_of(times(1, 3, 0), 1, 4), 1, 4), "more workers, up to 4");
  EXPECT_EQ(what_to_change(bound_of(times(1, 3, 0), 4, 4), 4, 4), "decode on the GPU, or keep the data decoded");
  EXPECT_EQ(what_to_change(bound_of(times(9, 1, 0), 4, 4), 4, 4), "packed files, or faster storage");
  EXPECT_EQ(what_to_change({.stage = Stage::copy}, 1, 4), "pinned memory, copied on a stream of its own; fewer bytes");
}

// ---- One stage made slow on purpose --------------------------------------------------------------------------------

struct Configuration {
  Recipe recipe;
  LoaderOptions options;
  Stage slow;
  double consume_s = 0;
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

TEST(Bound, NamesTheStageThatWasMadeSlowInAtLeast38Of40Configurations) {
  const ScratchFolder folder;
  const DataSet data(folder.path(), {.bytes = 1});
  constexpr int kCpus = 2;
  int right = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const Configuration tried = configuration(data, number);

    StageTimes alone = measure_making(tried.recipe, 2);
    alone[static_cast<std::size_t>(Stage::hand_over)] = measure_hand_over(tried.recipe, tried.options, 2);
    alone.back().wall_s = tried.consume_s;
    const Stage named = bound_of(alone, tried.options.workers, kCpus).stage;

    right += named == tried.slow;
    if (named != tried.slow) {
      std::printf("configuration %d: %s was slow, %s was named\n", static_cast<int>(number), to_string(tried.slow),
                  to_string(named));
    }
  }

  EXPECT_GE(right, 38);
}

}  // namespace
}  // namespace cupel::bench::pipeline
