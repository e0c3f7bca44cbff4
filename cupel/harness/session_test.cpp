#include "cupel/harness/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/harness/test_loop.hpp"

namespace cupel::harness {
namespace {

record::Series series_of(record::Mode mode, std::vector<double> samples_s) {
  record::Series series;
  series.mode = mode;
  series.samples_s = std::move(samples_s);
  return series;
}

// Runs `body` as the rounds of one benchmark would, inside Google Benchmark's loop.
record::Row rounds(int count, const std::function<void(int)>& body) {
  Options options;
  options.rounds = count;
  set_options(options);
  int round = 0;
  Progress progress;
  progress.point.name = progress.row.name = "family/test";
  progress.point.body = [&](benchmark::State&) { body(round); };
  std::string thrown;
  inside_a_benchmark([&](benchmark::State& state) {
    for (round = 0; round < count; ++round) {
      try {
        run_body(progress, state);
      } catch (const std::exception& e) {
        thrown = e.what();
      }
    }
  });
  if (!thrown.empty()) throw std::runtime_error(thrown);
  return progress.row;
}

TEST(Keep, JoinsTheRoundsOfOneModeInOrder) {
  const record::Row row = rounds(2, [](int round) {
    keep({.bytes_read = 8}, series_of(record::Mode::host, {1.0 + round, 1.5 + round}), 0.5);
  });

  ASSERT_EQ(row.series.size(), 1u);
  EXPECT_EQ(row.series[0].samples_s, (std::vector<double>{1, 1.5, 2, 2.5}));
  EXPECT_EQ(row.series[0].round_sizes, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(row.timed_s, 1.0);
  EXPECT_EQ(row.workload.bytes_read, 8);
}

TEST(Keep, RefusesTwoSeriesOfOneModeInOneRound) {
  EXPECT_THROW(rounds(1,
                      [](int) {
                        keep({}, series_of(record::Mode::host, {1}), 0);
                        keep({}, series_of(record::Mode::host, {1}), 0);
                      }),
               std::runtime_error);
}

TEST(CallsOfEarlierRounds, AreThoseOfTheSameModeAndNoneInTheFirstRound) {
  std::vector<std::int64_t> calls;
  rounds(2, [&](int) {
    calls.push_back(calls_of_earlier_rounds(record::Mode::host));
    record::Series series = series_of(record::Mode::host, {1});
    series.calls_per_sample = 16;
    keep({}, series, 0);
    keep({}, series_of(record::Mode::hot, {1}), 0);
  });

  EXPECT_EQ(calls, (std::vector<std::int64_t>{0, 16}));
}

TEST(TimeToAsk, IsAtTheLeastNumberOfSamplesAndAtEveryFifthAfterIt) {
  std::vector<std::size_t> asked;
  for (std::size_t samples = 0; samples < 20; ++samples) {
    if (time_to_ask(samples, {.wall_s = 1, .min_samples = 7, .max_samples = 50})) asked.push_back(samples);
  }

  EXPECT_EQ(asked, (std::vector<std::size_t>{7, 12, 17}));
}

TEST(PreciseEnough, LooksAtTheSamplesOfAllRounds) {
  bool at_once = true;
  bool at_last = false;
  rounds(2, [&](int round) {
    std::vector<double> samples_s;
    for (int i = 0; i < 30; ++i) samples_s.push_back(1 + 1e-5 * (i % 3));
    if (round == 0) {
      at_once = precise_enough(record::Mode::cold, {samples_s.begin(), samples_s.begin() + 5});
    } else {
      at_last = precise_enough(record::Mode::cold, {samples_s.begin(), samples_s.begin() + 5});
    }
    keep({}, series_of(record::Mode::cold, samples_s), 0);
  });

  EXPECT_FALSE(at_once);
  EXPECT_TRUE(at_last);
}

TEST(InputSeed, DependsOnTheNameAndTheSeedAlone) {
  std::uint64_t first = 0;
  std::uint64_t second = 1;
  rounds(1, [&](int) { first = input_seed(); });
  rounds(2, [&](int) { second = input_seed(); });

  EXPECT_EQ(first, second);
}

TEST(LookSeed, IsAnotherAtEachCallAndTheSameInEachProcess) {
  const auto seeds_of_a_process = [] {
    std::vector<std::uint64_t> seeds;
    rounds(3, [&](int) { seeds.insert(seeds.end(), {look_seed(), look_seed()}); });
    return seeds;
  };
  const std::vector<std::uint64_t> seeds = seeds_of_a_process();

  EXPECT_EQ(seeds, seeds_of_a_process());
  EXPECT_EQ(std::set<std::uint64_t>(seeds.begin(), seeds.end()).size(), seeds.size());
}

TEST(ChooseFigure, TakesTheHotBatchWhereTheColdTimeIsBelowThreeFloors) {
  record::Row row;
  row.series = {series_of(record::Mode::cold, {4e-6, 4e-6}), series_of(record::Mode::hot, {1e-6})};
  row.series[0].correction_s = row.series[0].floor_s = 2e-6;

  choose_figure(row);

  EXPECT_TRUE(row.below_floor);
  EXPECT_EQ(row.figure()->mode, record::Mode::hot);
}

TEST(ChooseFigure, KeepsAColdTimeThatCanBeTold) {
  record::Row row;
  row.series = {series_of(record::Mode::cold, {20e-6, 20e-6}), series_of(record::Mode::hot, {1e-6})};
  row.series[0].correction_s = row.series[0].floor_s = 2e-6;

  choose_figure(row);

  EXPECT_FALSE(row.below_floor);
  EXPECT_EQ(row.figure()->mode, record::Mode::cold);
}

TEST(NoteBeatenLimit, IsSaidOfAFigureAboveItsLimitAlone) {
  record::Row row;
  row.note = "both ways";
  row.workload.bytes_moved = 100;
  row.limit = record::Limit{.name = "link", .quantity = "bytes", .per_second = 50, .source = ""};
  row.series = {series_of(record::Mode::cold, {1.99})};

  note_beaten_limit(row);
  EXPECT_EQ(row.note, "both ways");
  row.series[0].samples_s = {1.9};
  note_beaten_limit(row);

  EXPECT_THAT(row.note, testing::StartsWith("both ways; above the limit, link: the method needs fewer"));
}

TEST(NoteBeatenLimit, KnowsTheQuantityThatIsLimited) {
  record::Row row;
  row.workload = {.bytes_read = 1, .flops = 100};
  row.limit = record::Limit{.name = "fp32", .quantity = "flops", .per_second = 50, .source = ""};
  row.series = {series_of(record::Mode::hot, {1})};

  note_beaten_limit(row);

  EXPECT_FALSE(row.note.empty());
}

TEST(CountCpuWait, IsTheShareOfTheSamplingTimeOfHostFiguresAlone) {
  Progress progress;
  progress.row.series = {series_of(record::Mode::host, {1})};
  progress.host_sampling_s = 10;
  progress.cpu_wait_s = 2;

  count_cpu_wait(progress);
  EXPECT_EQ(progress.row.counters.at(record::kCpuWait).value, 0.2);
  progress.row.counters.clear();
  progress.row.series[0].mode = record::Mode::cold;
  count_cpu_wait(progress);
  EXPECT_TRUE(progress.row.counters.empty());
}

TEST(Run, MayOnlyBeSpokenToFromABody) {
  EXPECT_THROW(set_note("outside"), std::logic_error);
  EXPECT_THROW(input_seed(), std::logic_error);
}

TEST(Require, FailsWithWhatWasWrong) {
  EXPECT_NO_THROW(require(true, "sum"));
  EXPECT_THROW(require(false, "sum"), CheckFailed);
}

}  // namespace
}  // namespace cupel::harness
