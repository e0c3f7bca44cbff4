#include "cupel/compare/comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/compare/side_by_side.hpp"
#include "cupel/compare/synthetic.hpp"

namespace cupel::compare {
namespace {

using figures::append;
using figures::rows_of;

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<double> kTimes{1.000, 1.001, 1.002, 1.003, 1.004};

record::ResultSet results_of(std::vector<record::Row> rows) {
  record::ResultSet results;
  results.rows = std::move(rows);
  return results;
}

std::vector<Comparison> compare_sets(const record::ResultSet& a, const record::ResultSet& b,
                                     const Policy& policy = {}) {
  const std::vector<figures::Suite> suites{figures::suite_of(a, "a"), figures::suite_of(b, "b")};
  return compare(suites, policy);
}

// The time, where there is a counter too.
Comparison compare_times(std::vector<record::Row> a, std::vector<record::Row> b) {
  const std::vector<Comparison> rows = compare_sets(results_of(std::move(a)), results_of(std::move(b)));
  EXPECT_TRUE(rows.at(0).metric.empty());
  return rows.at(0);
}

Comparison compare_rows(std::vector<record::Row> a, std::vector<record::Row> b) {
  const std::vector<Comparison> rows = compare_sets(results_of(std::move(a)), results_of(std::move(b)));
  EXPECT_EQ(rows.size(), 1u);
  return rows.at(0);
}

std::vector<double> times(double factor) {
  std::vector<double> scaled = kTimes;
  for (double& time : scaled) time *= factor;
  return scaled;
}

record::Row failed(const std::string& name, int process) {
  record::Row row;
  row.name = name;
  row.process = process;
  row.status = record::Status::failed;
  row.reason = "out of memory";
  return row;
}

TEST(Compare, TakesTheModeThatIsTheFigureOfMostProcesses) {
  std::vector<record::Row> rows = rows_of("f/a", times(1));
  for (record::Row& row : rows) {
    row.series.push_back(row.series.front());
    row.series.back().mode = record::Mode::hot;
  }
  std::swap(rows[0].series[0], rows[0].series[1]);

  const Comparison row = compare_rows(rows, rows);

  EXPECT_EQ(row.mode, record::Mode::cold);
  EXPECT_THAT(row.notes, Not(Contains(HasSubstr("not the figure"))));
}

// Five processes of twenty samples each, some of which take `times` as long.
std::vector<record::Row> rows_with_tails(int slow_samples, double times_as_long, int processes = 5, int samples = 20) {
  std::vector<record::Row> rows;
  for (int process = 0; process < processes; ++process) {
    record::Row& row = rows.emplace_back(rows_of("f/a", {1}).front());
    row.process = process;
    row.series.front().samples_s.clear();
    for (int i = 0; i < samples; ++i) {
      const double noise = 1 + 1e-3 * ((7 * i + 3 * process) % 11);
      row.series.front().samples_s.push_back(1e-3 * noise * (i < slow_samples ? times_as_long : 1));
    }
  }
  return rows;
}

TEST(LongerTails, AreNotedBesideSame) {
  const Comparison row = compare_rows(rows_with_tails(0, 1), rows_with_tails(1, 3));

  EXPECT_EQ(row.verdict, Verdict::same);
  EXPECT_TRUE(row.longer_tail);
  EXPECT_LT(*row.baseline.tail, 1.02);
  EXPECT_GT(*row.contender.tail, 2);
  EXPECT_THAT(row.notes,
              Contains(HasSubstr("longer tails inside processes: the 99th percentile of samples is at 1.0")));
}

TEST(LongerTails, AreNotNotedWhereTheyAreShorterAsLongOrHardlyLonger) {
  EXPECT_FALSE(compare_rows(rows_with_tails(1, 3), rows_with_tails(0, 1)).longer_tail);
  EXPECT_FALSE(compare_rows(rows_with_tails(1, 3), rows_with_tails(1, 3)).longer_tail);
  EXPECT_FALSE(compare_rows(rows_with_tails(0, 1), rows_with_tails(1, 1.4)).longer_tail);
}

TEST(LongerTails, AreNotNotedOfFourProcessesOrNineSamples) {
  EXPECT_FALSE(compare_rows(rows_with_tails(0, 1, 4), rows_with_tails(1, 3, 4)).longer_tail);
  EXPECT_FALSE(compare_rows(rows_with_tails(0, 1, 5, 9), rows_with_tails(1, 3, 5, 9)).longer_tail);
}

// One process in five of the base has the tail already.
TEST(LongerTails, AreNotNotedWhereAProcessOfTheBaseHasThemToo) {
  std::vector<record::Row> base = rows_with_tails(0, 1);
  base.front() = rows_with_tails(1, 4).front();

  EXPECT_FALSE(compare_rows(base, rows_with_tails(1, 3)).longer_tail);
}

TEST(Compare, CallsAFasterContenderFaster) {
  const Comparison row = compare_rows(rows_of("f/a", times(1)), rows_of("f/a", times(0.5)));

  EXPECT_EQ(row.verdict, Verdict::faster);
  EXPECT_NEAR(*row.ratio, 0.5, 1e-12);
  EXPECT_EQ(row.baseline.processes, 5);
  EXPECT_EQ(row.contender.samples, 5);
}

TEST(Compare, SaysMissingAndAddedOfWhatOnlyOneSideHas) {
  const record::ResultSet a = results_of(rows_of("f/a", times(1))), b = results_of(rows_of("f/b", times(1)));

  const std::vector<Comparison> rows = compare_sets(a, b);

  EXPECT_EQ(rows[0].verdict, Verdict::missing);
  EXPECT_EQ(rows[1].verdict, Verdict::added);
  EXPECT_FALSE(rows[0].ratio || rows[1].ratio);
}

TEST(Compare, HasTheShareOfAPeakAtTheClockThatWasSeen) {
  std::vector<record::Row> rows = rows_of("f/a", {1e-3, 1e-3, 1e-3, 1e-3, 1e-3});
  for (record::Row& row : rows) {
    row.workload.flops = 1'000'000'000;
    row.limit = record::Limit{"fp16 at 1800 MHz", "flops", 4e12, "invented", 1.8e9};
  }
  std::vector<record::Row> slowed = rows;
  for (record::Row& row : slowed) row.telemetry.emplace().sm_clock_hz = 0.9e9;
  std::vector<record::Row> idle = slowed;
  for (record::Row& row : idle) row.telemetry->sm_clock_under_load = false;

  EXPECT_NEAR(compare_times(rows, slowed).baseline.share.value(), 0.25, 1e-9);
  EXPECT_NEAR(compare_times(rows, slowed).contender.share.value(), 0.5, 1e-9);
  EXPECT_NEAR(compare_times(rows, idle).contender.share.value(), 0.25, 1e-9) << "not the clock of the work";
}

std::vector<record::Row> rows_at_clock(double hz, bool under_load) {
  std::vector<record::Row> rows = rows_of("f/a", times(1));
  for (record::Row& row : rows) {
    row.telemetry.emplace().sm_clock_hz = hz;
    row.telemetry->sm_clock_under_load = under_load;
  }
  return rows;
}

TEST(Compare, HasNoShareOfAPeakAtClocksThatWereReadInTwoWays) {
  const auto measured = [](bool under_load) {
    std::vector<record::Row> rows = rows_at_clock(1.6e9, under_load);
    for (record::Row& row : rows) {
      row.workload.flops = 1'000'000'000;
      row.limit = record::Limit{"fp16 at 1800 MHz", "flops", 4e12, "invented", 1.8e9};
    }
    return rows;
  };

  EXPECT_TRUE(compare_times(measured(true), measured(true)).contender.share.has_value());
  EXPECT_FALSE(compare_times(measured(true), measured(false)).contender.share.has_value());
  EXPECT_FALSE(compare_times(measured(true), measured(false)).baseline.share.has_value());
}

TEST(Compare, HoldsNoClockUnderLoadAgainstAnIdleOne) {
  const std::vector<record::Row> contender = rows_at_clock(1.6e9, true);

  EXPECT_THAT(compare_times(rows_at_clock(1.98e9, false), contender).notes, Not(Contains(HasSubstr("SM clock"))));
  EXPECT_THAT(compare_times(rows_at_clock(1.98e9, true), contender).notes,
              Contains(HasSubstr("SM clock 1980 MHz -> 1600 MHz")));

  std::vector<record::Row> older = rows_at_clock(1.98e9, true);
  for (record::Row& row : older) row.telemetry->sm_clock_under_load.reset();
  EXPECT_THAT(compare_times(older, contender).notes, Contains(HasSubstr("SM clock 1980 MHz -> 1600 MHz")));
}

// Host times, of processes that waited for a CPU for these shares of their sampling.
std::vector<record::Row> host_rows(const std::vector<double>& times_s, const std::vector<double>& waited) {
  std::vector<record::Row> rows = rows_of("f/a", times_s);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].series.front().mode = record::Mode::host;
    rows[i].counters[record::kCpuWait] = {waited[i], "1", record::Better::none, false};
  }
  return rows;
}

TEST(Compare, LeavesOutProcessesThatHadToWaitForACpu) {
  std::vector<double> slow_where_busy = times(1);
  slow_where_busy[1] *= 3;
  slow_where_busy[4] *= 3;

  const Comparison row =
      compare_times(host_rows(times(1), {0, 0.05, 0, 0, 0.01}), host_rows(slow_where_busy, {0, 0.06, 0.02, 0, 1.2}));

  EXPECT_EQ(row.baseline.processes, 5);
  EXPECT_EQ(row.contender.processes, 3);
  EXPECT_EQ(row.contender.busy, 2);
  EXPECT_NEAR(*row.ratio, 1, 0.01);
  EXPECT_THAT(row.notes, Contains(HasSubstr("contender: 2 processes left out: threads waited for a CPU")));
}

TEST(Compare, SaysBusyWhereMostProcessesHadToWait) {
  const std::vector<record::Row> calm = host_rows(times(1), {0, 0, 0, 0, 0});
  const std::vector<record::Row> busy = host_rows(times(3), {0.3, 0.3, 0.3, 0, 0});

  for (const Comparison& row : {compare_times(calm, busy), compare_times(busy, calm)}) {
    EXPECT_EQ(row.verdict, Verdict::busy);
    EXPECT_FALSE(row.ratio);
    EXPECT_THAT(row.notes, Contains(HasSubstr("3 processes left out")));
  }
}

TEST(Compare, KeepsDeviceTimesOfABusyHostAndCountersOfOthersThatAreCalledTheSame) {
  std::vector<record::Row> device = host_rows(times(1), {1, 1, 1, 1, 1});
  for (record::Row& row : device) row.series.front().mode = record::Mode::cold;
  std::vector<record::Row> foreign = host_rows(times(1), {1, 1, 1, 1, 1});
  for (record::Row& row : foreign) row.counters[record::kCpuWait].unit = "";

  for (const std::vector<record::Row>& rows : {device, foreign}) {
    const Comparison row = compare_times(rows, rows);
    EXPECT_EQ(row.verdict, Verdict::same);
    EXPECT_EQ(row.baseline.processes, 5);
    EXPECT_EQ(row.baseline.busy, 0);
  }
}

TEST(Compare, LeavesOutProcessesThatWereCutShort) {
  std::vector<record::Row> cut = rows_of("f/a", {3.0, 1.001, 1.002, 1.003, 1.004});
  cut[0].cut_short = true;

  const Comparison row = compare_rows(rows_of("f/a", times(1)), cut);

  EXPECT_EQ(row.contender.processes, 4);
  EXPECT_THAT(row.notes, Contains(HasSubstr("contender: 1 process left out: interrupted in the middle")));
}

TEST(Compare, NeverCallsAFailureASpeedUp) {
  std::vector<record::Row> one_failed = rows_of("f/a", times(0.5)), all_failed;
  one_failed[2] = failed("f/a", 2);
  for (int process = 0; process < 5; ++process) all_failed.push_back(failed("f/a", process));

  for (const std::vector<record::Row>& rows : {one_failed, all_failed}) {
    for (const Comparison& row :
         {compare_rows(rows_of("f/a", times(1)), rows), compare_rows(rows, rows_of("f/a", times(1)))}) {
      EXPECT_EQ(row.verdict, Verdict::failed);
      EXPECT_FALSE(row.ratio);
      EXPECT_THAT(row.notes, Contains(HasSubstr("out of memory")));
    }
  }
}

TEST(Compare, TakesWhatWasSkippedForMissingAndSaysWhatBothSkipped) {
  record::Row skipped = failed("f/a", 0);
  skipped.status = record::Status::skipped;

  EXPECT_EQ(compare_rows(rows_of("f/a", times(1)), {skipped}).verdict, Verdict::missing);
  EXPECT_EQ(compare_rows({skipped}, {skipped}).verdict, Verdict::skipped);
}

// Rows of which the first `met` processes met the power limit.
std::vector<record::Row> at_power_limit(std::vector<record::Row> rows, std::size_t met) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    record::Telemetry& telemetry = rows[i].telemetry.emplace();
    if (i < met) telemetry.throttle_reasons = {"sw_power_cap"};
  }
  return rows;
}

TEST(Compare, NotesThePowerLimitOnlyWhereTheSlowerSideIsLimitedByItself) {
  const auto notes = [](std::size_t before, std::size_t after, double slowdown) {
    return compare_rows(at_power_limit(rows_of("f/a", times(1)), before),
                        at_power_limit(rows_of("f/a", times(slowdown)), after))
        .notes;
  };

  EXPECT_THAT(notes(1, 4, 1.5), Contains("power limit met in 20.0 % -> 80.0 % of the processes"));
  EXPECT_THAT(notes(4, 1, 0.5), Contains("power limit met in 80.0 % -> 20.0 % of the processes"));
  EXPECT_THAT(notes(1, 2, 1.5), Not(Contains(HasSubstr("power limit"))));  // a neighbour's, for all that is known
  EXPECT_THAT(notes(4, 4, 1.5), Not(Contains(HasSubstr("power limit"))));
}

TEST(Compare, LeavesDisturbedProcessesOutAndSaysThrottledWhenTooFewAreLeft) {
  std::vector<record::Row> one = rows_of("f/a", {1.000, 1.001, 9.0, 1.003, 1.004}), most = rows_of("f/a", times(9));
  one[2].disturbed = true;
  for (int i = 0; i < 3; ++i) most[static_cast<std::size_t>(i)].disturbed = true;

  const Comparison left_out = compare_rows(rows_of("f/a", times(1)), one);
  EXPECT_EQ(left_out.verdict, Verdict::same);
  EXPECT_EQ(left_out.contender.processes, 4);
  EXPECT_DOUBLE_EQ(left_out.contender.throttled_share, 0.2);
  EXPECT_THAT(left_out.notes, Contains(HasSubstr("1 throttled or shared process left out")));
  EXPECT_EQ(compare_rows(rows_of("f/a", times(1)), most).verdict, Verdict::throttled);
}

TEST(Compare, TakesTheModeThatBothHave) {
  std::vector<record::Row> cold = rows_of("f/a", times(1)), both = rows_of("f/a", times(9));
  for (record::Row& row : both) {
    row.series[0].mode = record::Mode::hot;
    row.series.push_back(
        {.mode = record::Mode::cold, .engine = {}, .samples_s = {1.0}, .samples_by_rank_s = {}, .round_sizes = {}});
  }
  std::vector<record::Row> host = rows_of("f/a", times(1));
  for (record::Row& row : host) row.series[0].mode = record::Mode::host;

  const Comparison row = compare_rows(cold, both);
  EXPECT_EQ(row.mode, record::Mode::cold);
  EXPECT_NEAR(*row.ratio, 1, 0.01);
  EXPECT_EQ(compare_rows(cold, host).verdict, Verdict::not_comparable);
}

TEST(Compare, RefusesAnotherWorkloadAndANameThatOccursTwice) {
  std::vector<record::Row> other = rows_of("f/a", times(1)), twice = rows_of("f/a", times(1));
  for (record::Row& row : other) row.workload.bytes_read = 1;
  twice.push_back(twice.front());

  EXPECT_EQ(compare_rows(rows_of("f/a", times(1)), other).verdict, Verdict::not_comparable);
  EXPECT_EQ(compare_rows(rows_of("f/a", times(1)), twice).verdict, Verdict::not_comparable);
  EXPECT_EQ(compare_rows({}, twice).verdict, Verdict::not_comparable);
  EXPECT_EQ(compare_rows(twice, {}).verdict, Verdict::not_comparable);
}

TEST(Compare, DecidesNothingBelowTheFloorAndTakesNoTimeOfZero) {
  std::vector<record::Row> below = rows_of("f/a", times(2));
  for (record::Row& row : below) row.below_floor = true;

  EXPECT_EQ(compare_rows(rows_of("f/a", times(1)), below).verdict, Verdict::inconclusive);
  EXPECT_EQ(compare_rows(rows_of("f/a", times(1)), rows_of("f/a", {0, 0, 0})).verdict, Verdict::failed);
}

TEST(Compare, JudgesBatchesOfWorkWhoseSingleLaunchIsBelowTheFloor) {
  std::vector<record::Row> hot = rows_of("f/a", times(1)), slower = rows_of("f/a", times(2));
  for (std::vector<record::Row>* rows : {&hot, &slower}) {
    for (record::Row& row : *rows) {
      row.below_floor = true;
      row.series[0].mode = record::Mode::hot;
    }
  }

  EXPECT_EQ(compare_rows(hot, slower).verdict, Verdict::slower);
}

TEST(Compare, SaysWhatHadNotSettled) {
  std::vector<record::Row> waiting = rows_of("f/a", times(1));
  waiting[0].telemetry.emplace().settled = false;
  waiting[0].telemetry->unsettled = {"clock"};

  EXPECT_THAT(compare_rows(waiting, rows_of("f/a", times(1))).notes, Contains("reference: clock not settled"));
}

std::vector<record::Row> with_counter(const record::Counter& counter) {
  std::vector<record::Row> rows = rows_of("f/a", times(1));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].counters["c"] = counter;
    if (!counter.exact) rows[i].counters["c"].value *= kTimes[i];
  }
  return rows;
}

Comparison counter_row(const record::Counter& a, const record::Counter& b) {
  return compare_sets(results_of(with_counter(a)), results_of(with_counter(b))).at(1);
}

TEST(CompareCounters, TurnsOverTheRatioWhereMoreIsBetter) {
  const Comparison row =
      counter_row({100, "1", record::Better::higher, false}, {50, "1", record::Better::higher, false});

  EXPECT_EQ(row.metric, "c");
  EXPECT_NEAR(*row.ratio, 2, 1e-12);
  EXPECT_EQ(row.verdict, Verdict::slower);
}

TEST(CompareCounters, ShowsAndDoesNotJudgeWhatHasNoDirectionOrIsARate) {
  const Comparison unknown = counter_row({100, "", record::Better::none, false}, {50, "", record::Better::none, false});
  const Comparison rate =
      counter_row({100, "bytes/s", record::Better::higher, false}, {50, "bytes/s", record::Better::higher, false});

  for (const Comparison& row : {unknown, rate}) {
    EXPECT_FALSE(row.judged);
    EXPECT_FALSE(row.p);
    EXPECT_TRUE(row.baseline.value && row.contender.value);
  }
}

TEST(CompareCounters, ComparesExactOnesForEquality) {
  const record::Counter a{32, "count", record::Better::lower, true}, more{33, "count", record::Better::lower, true};

  EXPECT_EQ(counter_row(a, a).verdict, Verdict::same);
  EXPECT_EQ(counter_row(a, more).verdict, Verdict::slower);
  EXPECT_EQ(counter_row(more, a).verdict, Verdict::faster);
  EXPECT_FALSE(counter_row(a, more).p);
}

TEST(CompareForeign, SaysThatItsValuesAreRepetitions) {
  record::ResultSet results = results_of(rows_of("BM_a", {1.0}));
  results.rows[0].series[0].samples_s = kTimes;
  const std::vector<figures::Suite> suites{figures::suite_of(results, "a", {}, true),
                                           figures::suite_of(results, "b", {}, true)};

  const Comparison row = compare(suites).at(0);

  EXPECT_EQ(row.replication, figures::Replication::repetition);
  EXPECT_EQ(row.baseline.processes, 5);
}

TEST(Renames, PairTheOldNameWithTheNew) {
  const figures::Renames renames{{"f/old", "f/new"}};
  const std::vector<figures::Suite> suites{figures::suite_of(results_of(rows_of("f/old", times(1))), "a", renames),
                                           figures::suite_of(results_of(rows_of("f/new", times(1))), "b", renames)};

  const std::vector<Comparison> rows = compare(suites);

  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].verdict, Verdict::same);
}

TEST(Summarise, IsTheGeometricMeanOfAFamilysRatios) {
  record::ResultSet a, b;
  append(a, rows_of("f/a", times(1)));
  append(b, rows_of("f/a", times(2)));
  append(a, rows_of("f/b", times(1)));
  append(b, rows_of("f/b", times(8)));

  const std::vector<FamilySummary> families = summarise(compare_sets(a, b));

  ASSERT_EQ(families.size(), 1u);
  EXPECT_NEAR(families[0].ratio->value, 4, 1e-12);
  EXPECT_EQ(families[0].slower, 2);
}

// A host time of a GPU model, so many times as long.
figures::Suite host_suite(const std::string& gpu, double factor) {
  record::ResultSet results = results_of(rows_of("made/launch", times(factor)));
  for (record::Row& row : results.rows) row.series[0].mode = record::Mode::host;
  results.context.device.emplace().name = gpu;
  results.context.host.cpu = "made CPU";
  return figures::suite_of(results, gpu);
}

std::vector<std::string> keys_of(const CompareReport& report) {
  std::vector<std::string> keys;
  for (const EnvironmentLine& line : environment_lines(report)) keys.push_back(line.key);
  return keys;
}

TEST(SideBySide, SaysOfAHostTimeOfTwoMachinesThatItComparesTheHosts) {
  const CompareReport two = side_by_side({host_suite("H100", 1), host_suite("H200", 1.3)});
  const Comparison& row = two.contenders[0].rows.at(0);

  EXPECT_EQ(row.verdict, Verdict::slower);
  EXPECT_TRUE(row.across_hosts);
  EXPECT_THAT(row.notes, Contains("a host time of two machines: it compares the hosts, too"));
  EXPECT_THAT(keys_of(two), Contains("host"));

  const CompareReport one = side_by_side({host_suite("H100", 1), host_suite("H100", 1.3)});
  EXPECT_FALSE(one.contenders[0].rows.at(0).across_hosts);
  EXPECT_THAT(keys_of(one), Not(Contains("host")));
}

}  // namespace
}  // namespace cupel::compare
