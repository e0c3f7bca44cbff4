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
record::Row rounds(int count, const std::function<void(int)>& body, bool once = false) {
  Options options;
  options.rounds = count;
  options.once = once;
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

TEST(Keep, JoinsTheRoundsOfEachRank) {
  const record::Row row = rounds(2, [](int round) {
    record::Series series = series_of(record::Mode::hot, {2.0 + round});
    series.samples_by_rank_s = {{1.0 + round}, {2.0 + round}};
    keep({}, std::move(series), 0.5);
  });

  ASSERT_EQ(row.series.size(), 1u);
  EXPECT_EQ(row.series[0].samples_by_rank_s, (std::vector<std::vector<double>>{{1, 2}, {2, 3}}));
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

// As of a benchmark that times by itself what is done once.
TEST(Keep, TakesNoTimeWhereEachBenchmarkRunsOnceForAProfiler) {
  const auto body = [](int) { keep({.items = 1}, series_of(record::Mode::host, {1}), 1); };

  const record::Row row = rounds(1, body, true);

  EXPECT_TRUE(row.series.empty());
  EXPECT_EQ(row.workload.items, 1);
}

TEST(KeptSoFar, IsWhatAllRoundsUpToNowGaveByThatClock) {
  std::vector<std::vector<double>> seen;
  rounds(2, [&](int round) {
    EXPECT_EQ(kept_so_far(record::Mode::host) == nullptr, round == 0);
    keep({}, series_of(record::Mode::host, {1.0 + round}), 0);
    seen.push_back(kept_so_far(record::Mode::host)->samples_s);
    EXPECT_EQ(kept_so_far(record::Mode::hot), nullptr);
  });

  EXPECT_EQ(seen, (std::vector<std::vector<double>>{{1}, {1, 2}}));
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

// Samples that scatter by up to `spread_s` about `middle_s`, always in the same way.
record::Series scattered(double middle_s, double spread_s, int count) {
  record::Series series = series_of(record::Mode::cold, {});
  for (int i = 0; i < count; ++i) series.samples_s.push_back(middle_s + spread_s * (i * 7919 % 31 / 15.0 - 1));
  return series;
}

// The rule's reason for each series, taken as that of a round of one benchmark.
std::vector<std::optional<record::Stop>> reasons(const std::vector<record::Series>& series, const Allowance& allowed,
                                                 double elapsed_s = 0) {
  std::vector<std::optional<record::Stop>> said;
  rounds(static_cast<int>(series.size()), [&](int round) {
    const record::Series& taken = series[static_cast<std::size_t>(round)];
    said.push_back(reason_to_stop(taken, allowed, elapsed_s));
    keep({}, taken, 0);
  });
  return said;
}

constexpr Allowance kAllowed{.wall_s = 1, .min_samples = 10, .max_samples = 50};
using Reasons = std::vector<std::optional<record::Stop>>;

TEST(ReasonToStop, IsAskedForAtTheLeastNumberOfSamplesAndAtEveryFifthAfterIt) {
  std::vector<int> stopped;
  for (int n = 0; n < 24; ++n) {
    if (reasons({scattered(1, 1e-5, n)}, kAllowed)[0]) stopped.push_back(n);
  }

  EXPECT_EQ(stopped, (std::vector<int>{10, 15, 20}));
}

TEST(ReasonToStop, LooksAtTheSamplesOfAllRounds) {
  const Allowance few{.wall_s = 1, .min_samples = 5, .max_samples = 50};

  EXPECT_EQ(reasons({scattered(1, 1e-5, 5)}, few), Reasons{std::nullopt});
  EXPECT_EQ(reasons({scattered(1, 1e-5, 30), scattered(1, 1e-5, 5)}, few)[1], record::Stop::precision);
}

// Times of a batch beside times of a call made every later round go on to its end.
TEST(ReasonToStop, EndsEveryRoundOfBatchesOnceTheyArePrecise) {
  record::Series hot = scattered(2e-6, 1e-10, 10);
  hot.mode = record::Mode::hot;
  hot.calls_per_sample = 500;

  EXPECT_EQ(reasons({hot, hot, hot}, kAllowed), Reasons(3, record::Stop::precision));
}

TEST(ReasonToStop, IsThePrecisionOfTheCorrectedTime) {
  record::Series series = scattered(10e-6, 40e-9, 30);
  const auto raw = reasons({series}, kAllowed);
  series.correction_s = 9e-6;

  EXPECT_EQ(raw[0], record::Stop::precision);
  EXPECT_EQ(reasons({series}, kAllowed)[0], std::nullopt);
}

TEST(ReasonToStop, IsNeverFinerThanTheTickOfTheClock) {
  record::Series series = scattered(2e-6, 0, 30);
  series.resolution_s = 32e-9;
  const auto short_work = reasons({series}, kAllowed);
  series.samples_s.assign(30, 2e-3);

  EXPECT_EQ(short_work[0], record::Stop::tick);
  EXPECT_EQ(reasons({series}, kAllowed)[0], record::Stop::precision);
}

TEST(ReasonToStop, LeavesOutEarlierRoundsByAnotherClock) {
  record::Series by_cupti = scattered(2e-6, 1e-12, 30), by_events = scattered(5e-6, 1e-12, 10);
  by_events.engine = record::Engine::kernel;

  EXPECT_EQ(reasons({by_cupti, by_events}, kAllowed)[1], record::Stop::precision);
}

TEST(ReasonToStop, IsTheMostSamplesOrTheMostSeconds) {
  EXPECT_EQ(reasons({scattered(1, 0.5, 50)}, kAllowed)[0], record::Stop::count);
  EXPECT_EQ(reasons({scattered(1, 0.5, 3)}, kAllowed, 2)[0], record::Stop::wall);
  EXPECT_EQ(reasons({scattered(1, 0.5, 2)}, kAllowed, 2)[0], std::nullopt);
}

// Three samples of a call that is slower than all the time there is would be three times too long.
TEST(ReasonToStop, TakesOneSampleOfACallThatIsFarSlowerThanTheMostSeconds) {
  EXPECT_EQ(reasons({scattered(21, 0, 1)}, kAllowed, kFarBeyond + 1)[0], record::Stop::wall);
  EXPECT_EQ(reasons({scattered(19, 0, 1)}, kAllowed, kFarBeyond - 1)[0], std::nullopt);
  EXPECT_EQ(reasons({scattered(21, 0, 0)}, kAllowed, kFarBeyond + 1)[0], std::nullopt);
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

TEST(CountCpuWait, IsNotCountedWhereAllProcessorsAreTakenOnPurpose) {
  Progress progress;
  progress.point.takes_all_cpus = true;
  progress.row.series = {series_of(record::Mode::host, {1})};
  progress.host_sampling_s = 10;
  progress.cpu_wait_s = 2;

  count_cpu_wait(progress);

  EXPECT_FALSE(progress.row.counters.contains(record::kCpuWait));
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
