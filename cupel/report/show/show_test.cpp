#include "cupel/figures/figure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "cupel/figures/words.hpp"
#include "cupel/record/record.hpp"
#include "cupel/report/show/show.hpp"

namespace cupel::report {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

record::Row measured(const std::string& name, int process, double time_s, record::Mode mode = record::Mode::host) {
  record::Row row;
  row.name = name;
  row.family = name.substr(0, name.find('/'));
  row.process = process;
  record::Series series;
  series.mode = mode;
  series.samples_s = std::vector<double>(8, time_s);
  row.series = {series};
  return row;
}

record::Row unmeasured(const std::string& name, int process, record::Status status, const std::string& reason) {
  record::Row row = measured(name, process, 0);
  row.series.clear();
  row.status = status;
  row.reason = reason;
  return row;
}

TEST(Summarise, TakesTheMedianOfTheProcessesLocations) {
  const std::vector<figures::Figure> all =
      figures::figures_of({{}, {measured("a/b", 0, 1.0), measured("a/b", 2, 5.0), measured("a/b", 1, 2.0)}});

  ASSERT_EQ(all.size(), 1u);
  ASSERT_TRUE(all[0].time);
  EXPECT_DOUBLE_EQ(all[0].time->location_s, 2.0);
  EXPECT_THAT(all[0].time->processes_s, ElementsAre(1.0, 2.0, 5.0));
  EXPECT_EQ(all[0].ok, 3);
}

TEST(Summarise, GivesACounterItsMedianAndItsRangeOverProcesses) {
  std::vector<record::Row> rows{measured("a/b", 0, 1.0), measured("a/b", 1, 1.0), measured("a/b", 2, 1.0)};
  for (record::Row& row : rows) row.counters["kept"] = {10.0 + row.process, "bytes", record::Better::none};
  rows[2].counters["once"] = {7, "count"};

  const std::vector<figures::Figure> all = figures::figures_of({{}, rows});

  const figures::CounterValue& kept = *all[0].counter("kept");
  EXPECT_DOUBLE_EQ(kept.value, 11);
  EXPECT_DOUBLE_EQ(*kept.low, 10);
  EXPECT_DOUBLE_EQ(*kept.high, 12);
  EXPECT_FALSE(all[0].counter("once")->low);
}

TEST(Summarise, SaysWhatAdviceTheFigureIsAbout) {
  record::Row about_bytes = measured("a/b", 0, 1.0), about_time = measured("a/c", 0, 1.0);
  about_bytes.advice = {{"no-grad", record::Role::before, "forward", ""}};
  about_bytes.counters["activations"] = {10, "bytes"};
  about_time.advice = {{"unheard-of", record::Role::before, "step", ""},
                       {"avoid-sync", record::Role::before, "step", ""}};
  record::Row without_counter = about_bytes;
  without_counter.name = "a/d";
  without_counter.counters.clear();

  const std::vector<figures::Figure> all = figures::figures_of({{}, {about_bytes, about_time, without_counter}});

  EXPECT_EQ(all[0].judged_by, "activations");
  EXPECT_FALSE(all[0].shown_as_time);
  EXPECT_EQ(all[1].judged_by, "");
  EXPECT_TRUE(all[1].shown_as_time);
  EXPECT_EQ(all[2].judged_by, "");
}

TEST(Summarise, GivesThreeProcessesTheirRangeWithTheLevelThatItHas) {
  const std::vector<figures::Figure> all =
      figures::figures_of({{}, {measured("a/b", 0, 1.0), measured("a/b", 1, 2.0), measured("a/b", 2, 5.0)}});

  const figures::Estimate& time = *all[0].time;
  EXPECT_TRUE(time.across_processes);
  EXPECT_DOUBLE_EQ(*time.low_s, 1.0);
  EXPECT_DOUBLE_EQ(*time.high_s, 5.0);
  EXPECT_THAT(time.level, DoubleNear(0.75, 1e-12));
}

// A process that could tell the cold time from the floor, or could not.
record::Row near_the_floor(int process, bool below) {
  record::Row row = measured("a/b", process, 8e-6, record::Mode::cold);
  row.series.push_back(measured("a/b", process, 7e-6, record::Mode::hot).series.front());
  if (below) std::swap(row.series[0], row.series[1]);
  row.below_floor = below;
  return row;
}

TEST(Summarise, HasTheFigureInTheModeThatItIsInInMostProcesses) {
  const std::vector<figures::Figure> cold =
      figures::figures_of({{}, {near_the_floor(0, true), near_the_floor(1, false), near_the_floor(2, false)}});
  const std::vector<figures::Figure> hot =
      figures::figures_of({{}, {near_the_floor(0, false), near_the_floor(1, true)}});

  EXPECT_EQ(cold[0].mode, record::Mode::cold);
  EXPECT_THAT(cold[0].time->processes_s, ElementsAre(8e-6, 8e-6, 8e-6));
  EXPECT_THAT(cold[0].caveats, ElementsAre("1 of 3 below floor"));
  EXPECT_EQ(hot[0].mode, record::Mode::hot);
  EXPECT_THAT(hot[0].time->processes_s, ElementsAre(7e-6, 7e-6));
}

TEST(Summarise, SubtractsWhatMeasuringCosts) {
  record::Row row = measured("a/b", 0, 10e-6);
  row.series[0].correction_s = 2e-6;

  EXPECT_DOUBLE_EQ(figures::figures_of({{}, {row}})[0].time->location_s, 8e-6);
}

TEST(Summarise, HoldsTheRateAgainstALimitOfTheSameQuantity) {
  record::Row row = measured("a/b", 0, 0.5);
  row.workload.bytes_moved = 1000;
  row.workload.flops = 7;
  row.limit = record::Limit{"link", "bytes", 4000, "made up"};

  const figures::Figure figure = figures::figures_of({{}, {row}})[0];

  ASSERT_TRUE(figure.rate);
  EXPECT_EQ(figure.rate->quantity, "bytes");
  EXPECT_DOUBLE_EQ(figure.rate->per_second, 2000);
  EXPECT_DOUBLE_EQ(*figure.rate->limit_per_second, 4000);
}

TEST(Summarise, HasTheShareOfALimitAtTheClockThatWasSeen) {
  std::vector<record::Row> rows;
  for (int process = 0; process < 3; ++process) {
    record::Row row = measured("a/b", process, 0.5);
    row.workload.flops = 1000;
    row.limit = record::Limit{"peak", "flops", 4000, "made up", 2e9};
    row.telemetry.emplace().sm_clock_hz = (1.5 + 0.05 * process) * 1e9;
    rows.push_back(row);
  }
  const figures::Rate rate = *figures::figures_of({{}, rows})[0].rate;
  EXPECT_DOUBLE_EQ(*rate.limit_per_second, 4000);
  EXPECT_DOUBLE_EQ(*rate.share_of_limit(), 2000 / (4000 * 0.775));

  for (record::Row& row : rows) row.telemetry.reset();
  EXPECT_DOUBLE_EQ(*figures::figures_of({{}, rows})[0].rate->share_of_limit(), 0.5);
  for (record::Row& row : rows) {
    row.telemetry.emplace().sm_clock_hz = 1e9;
    row.limit->clock_hz.reset();
  }
  EXPECT_DOUBLE_EQ(*figures::figures_of({{}, rows})[0].rate->share_of_limit(), 0.5);
}

TEST(Summarise, FlagsARateAboveItsLimitBeyondWhatPeaksAreKnownTo) {
  record::Row at = measured("a/at", 0, 0.5), above = measured("a/above", 0, 0.5), other = measured("a/other", 0, 0.5);
  for (record::Row* row : {&at, &above, &other}) row->limit = record::Limit{"peak", "flops", 4000, "made up"};
  at.workload.flops = 2030;
  above.workload.flops = 2080;
  other.workload.bytes_read = 9000;

  const std::vector<figures::Figure> all = figures::figures_of({{}, {at, above, other}});

  EXPECT_THAT(all[0].caveats, testing::IsEmpty());
  EXPECT_THAT(all[1].caveats, ElementsAre("above the limit"));
  EXPECT_THAT(all[2].caveats, testing::IsEmpty());
}

TEST(Summarise, HasNoLimitWhereTheWorkHasNoneOfItsQuantity) {
  record::Row row = measured("a/b", 0, 0.5);
  row.workload.flops = 100;
  row.limit = record::Limit{"link", "bytes", 4000, "made up"};

  const figures::Figure figure = figures::figures_of({{}, {row}})[0];

  ASSERT_TRUE(figure.rate);
  EXPECT_EQ(figure.rate->quantity, "flops");
  EXPECT_FALSE(figure.rate->limit_per_second);
}

TEST(Summarise, CountsFailuresAndKeepsWhatTheOthersMeasured) {
  const std::vector<figures::Figure> all = figures::figures_of(
      {{}, {unmeasured("a/b", 0, record::Status::failed, "killed"), measured("a/b", 1, 1.0), measured("a/b", 2, 1.0)}});

  EXPECT_EQ(all[0].failed, 1);
  EXPECT_EQ(all[0].reason, "killed");
  EXPECT_THAT(all[0].caveats, ElementsAre("1 of 3 failed"));
  EXPECT_DOUBLE_EQ(all[0].time->location_s, 1.0);
}

TEST(Summarise, ABenchmarkWithoutASampleHasNoTime) {
  const std::vector<figures::Figure> all =
      figures::figures_of({{}, {unmeasured("a/b", 0, record::Status::skipped, "no GPU")}});

  EXPECT_FALSE(all[0].time);
  EXPECT_FALSE(all[0].rate);
  EXPECT_THAT(all[0].caveats, ElementsAre("skipped"));
}

TEST(Summarise, GivesEachModeASummaryWithTheFigureFirst) {
  record::Row row = measured("a/b", 0, 2.0, record::Mode::cold);
  row.series.push_back(measured("a/b", 0, 1.0, record::Mode::hot).series[0]);

  const std::vector<figures::Figure> all = figures::figures_of({{}, {row}});

  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].is_main);
  EXPECT_EQ(all[0].mode, record::Mode::cold);
  EXPECT_FALSE(all[1].is_main);
  EXPECT_DOUBLE_EQ(all[1].time->location_s, 1.0);
}

TEST(Summarise, TakesASampleOfZeros) {
  const std::vector<figures::Figure> all =
      figures::figures_of({{}, {measured("a/b", 0, 0.0), measured("a/b", 1, 0.0)}});

  EXPECT_DOUBLE_EQ(all[0].time->location_s, 0.0);
  EXPECT_FALSE(all[0].rate);
}

TEST(OperationOf, EndsBeforeTheFirstParameter) {
  EXPECT_EQ(figures::operation_of("transfer/h2d/memory:pinned/bytes:4096"), "transfer/h2d");
  EXPECT_EQ(figures::operation_of("sync/wait/device/mode:spin"), "sync/wait/device");
  EXPECT_EQ(figures::operation_of("sync/at_end"), "sync/at_end");
}

TEST(LabelOf, PrintsSizesAsPeopleReadThem) {
  EXPECT_EQ(figures::label_of("a/b/memory:pinned/bytes:67108864/threads:4096"),
            "memory:pinned bytes:64 MiB threads:4096");
  EXPECT_EQ(figures::label_of("a/b/bytes:4k/fast"), "bytes:4k fast");
  EXPECT_EQ(figures::label_of("sync/at_end"), "at_end");
}

TEST(Summarise, TakesTheMedianOfCountersToo) {
  std::vector<record::Row> rows;
  for (const double value : {4.0, 9.0, 5.0}) {
    rows.push_back(measured("a/b", static_cast<int>(rows.size()), 1.0));
    rows.back().counters["copies"] = {value, "count"};
  }

  const figures::Figure figure = figures::figures_of({{}, rows})[0];

  ASSERT_EQ(figure.counters.size(), 1u);
  EXPECT_EQ(figures::counter_text(figure.counters[0]), "copies 5");
}

TEST(Show, BreaksLongReasonsAtSpaces) {
  std::string reason = "a";
  for (int i = 0; i < 60; ++i) reason += " word";

  const std::string text = show({{}, {unmeasured("a/b", 0, record::Status::failed, reason)}}, {});

  std::size_t longest = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    longest = std::max(longest, end - begin);
  }
  EXPECT_LE(longest, 100u);
  EXPECT_GT(longest, 80u);
}

TEST(Show, GivesNoNumberForAnIntervalThatIsWiderThanTheFigure) {
  const std::string text =
      show({{}, {measured("a/b", 0, 1e-6), measured("a/b", 1, 1e-6), measured("a/b", 2, 1.0)}}, {});

  EXPECT_THAT(text, HasSubstr("> 100 %"));
}

TEST(NaturalLess, OrdersNumbersByTheirValue) {
  std::vector<std::string> names{"a/n:1024", "a/n:64", "b", "a/n:064", "a/m:9", "a"};

  std::ranges::sort(names, figures::natural_less);

  EXPECT_THAT(names, ElementsAre("a", "a/m:9", "a/n:064", "a/n:64", "a/n:1024", "b"));
}

TEST(Show, NamesWhatFailedAndSaysOnceWhyOthersWereSkipped) {
  const record::ResultSet results{{},
                                  {measured("a/b", 0, 1.0), unmeasured("a/c", 0, record::Status::failed, "wrong sum"),
                                   unmeasured("g/d", 0, record::Status::skipped, "no NVIDIA driver"),
                                   unmeasured("g/e", 0, record::Status::skipped, "no NVIDIA driver")}};

  const std::string text = show(results, {});

  EXPECT_THAT(text, HasSubstr("failed  a/c: wrong sum\n"));
  EXPECT_THAT(text, HasSubstr("skipped (2) g: no NVIDIA driver\n"));
  EXPECT_THAT(text, Not(HasSubstr("g/e")));
}

TEST(Show, NamesTheLibrariesThatWereLoadedAndNoOthers) {
  record::ResultSet results{{}, {measured("a/b", 0, 1.0)}};
  results.context.device.emplace();
  results.context.libraries = {{"cudart", "13.0", "13.0"}, {"cublas", "13.1", ""}};

  const std::string text = show(results, {});

  EXPECT_THAT(text, HasSubstr("with     cudart 13.0\n"));
  EXPECT_THAT(text, Not(HasSubstr("cublas")));
}

TEST(Show, NamesTheFolderOfLibrariesThatWereLoadedOnceForThoseBesideOneAnother) {
  record::ResultSet results{{}, {measured("a/b", 0, 1.0)}};
  results.context.device.emplace();
  results.context.libraries = {{"cudart", "13.0", "13.0"},
                               {"cublas", "13.1", "13.3.1", "~/v/nvidia/cu13/lib/libcublas.so.13"},
                               {"cublaslt", "13.1", "13.3.1", "~/v/nvidia/cu13/lib/libcublasLt.so.13"},
                               {"cudnn", "9.1", "9.20", "~/v/nvidia/cudnn/lib/libcudnn.so.9"}};

  EXPECT_THAT(show(results, {.terminal = {200}}),
              HasSubstr("with     cudart 13.0, cublas 13.3.1, cublaslt 13.3.1 from "
                        "~/v/nvidia/cu13/lib, cudnn 9.20 from ~/v/nvidia/cudnn/lib\n"));
}

TEST(Show, PutsTheSlowestFirstWhenSortedByTime) {
  const std::string text = show({{}, {measured("a/quick", 0, 1e-6), measured("a/slow", 0, 1.0)}}, {.sort = Sort::time});

  EXPECT_LT(text.find("a/slow"), text.find("a/quick"));
}

record::Row step(const std::string& key, const std::string& change, int process, double time_s) {
  record::Row row = measured("step/waterfall/" + key + ":" + change, process, time_s);
  row.params = {{key, change}};
  return row;
}

record::ResultSet waterfall(int processes) {
  record::ResultSet results;
  for (int process = 0; process < processes; ++process) {
    for (const auto& [change, time_s] : {std::pair{"nothing", 8e-3}, {"tf32", 4e-3}, {"graph", 2e-3}})
      results.rows.push_back(step("add", change, process, time_s));
    results.rows.push_back(step("drop", "tf32", process, 6e-3));
  }
  return results;
}

TEST(Show, NamesTheRangeOfARungsGainWhereProcessesAreTooFewForAnInterval) {
  const std::string text = show(waterfall(3), {.legend = true});

  EXPECT_THAT(text, HasSubstr("  tf32     4.00 ms  2.00x, 2.00 to 2.00 (range)  3.00x, 3.00 to 3.00 (range)\n"));
  EXPECT_THAT(text, Not(HasSubstr("brackets")));
}

TEST(Show, BeginsWithTheFamiliesAndHasThemAloneWhereABriefOneIsAskedForAndAScreenIsTooSmall) {
  record::ResultSet results;
  for (int i = 0; i < 59; ++i) results.rows.push_back(measured("a/b/n:" + std::to_string(i), 0, 1e-3));
  EXPECT_THAT(show(results, {.brief = true}), Not(HasSubstr("family")));
  results.rows.push_back(measured("c/d", 0, 1e-3));
  results.rows.push_back(unmeasured("c/e", 0, record::Status::skipped, "no device"));
  const std::string families =
      "family  measured  skipped  operations\na             59                    1\n"
      "c              1        1           2\n";

  EXPECT_THAT(show(results, {.brief = true}), HasSubstr(families));
  EXPECT_THAT(show(results, {.brief = true}), HasSubstr("c/d"));

  results.rows.push_back(measured("a/f", 0, 1e-3));

  const std::string brief = show(results, {.brief = true});
  EXPECT_THAT(brief, HasSubstr("c              1        1           2\n"));
  EXPECT_THAT(brief, HasSubstr("skipped (1) c: no device"));
  EXPECT_THAT(brief, Not(HasSubstr("c/d")));
  EXPECT_THAT(show(results, {}), HasSubstr("c/d"));
}

TEST(Show, HasTheProcessesOfABenchmarkThatIsShownAloneAndSaysWhereItsSamplesAre) {
  record::ResultSet results{{}, {measured("a/b", 0, 1.0), measured("a/b", 1, 2.0), measured("a/c", 0, 1.0)}};
  results.rows[0].series[0].samples_s = {1, 1, 1, 4};
  results.rows[1].disturbed = true;
  record::Row& failed = results.rows.emplace_back(measured("a/b", 2, 1.0));
  failed.status = record::Status::failed;
  failed.reason = "wrong result";
  failed.series.clear();
  ShowOptions options{.keep = [](const std::string& name) { return name == "a/b"; }, .typed = "runs"};
  const std::string alone = show(results, options);

  EXPECT_THAT(alone, HasSubstr("Processes of a/b, host:\nprocess    time  median  samples  stopped by  remark\n"
                               "      0  1.00 s  1.00 s        4  fixed\n"
                               "      1  2.00 s  2.00 s        8  fixed       disturbed\n"
                               "      2                                       failed: wrong result\n"));
  EXPECT_THAT(alone, HasSubstr("cupel export runs --filter 'a/b$' --output samples.csv"));
  options.keep = [](const std::string&) { return true; };
  EXPECT_THAT(show(results, options), Not(HasSubstr("Processes of")));
}

TEST(Show, HasATableOfItsOwnForAWaterfall) {
  const record::ResultSet results = waterfall(4);
  const std::string text = show(results, {.legend = true});

  EXPECT_THAT(text, HasSubstr("  change      time  gain                gain alone\n"
                              "step/waterfall\n"
                              "  nothing  8.00 ms\n"
                              "  tf32     4.00 ms  2.00x [2.00, 2.00]  3.00x [3.00, 3.00]\n"
                              "  graph    2.00 ms  2.00x [2.00, 2.00]\n"));
  EXPECT_THAT(text, HasSubstr("brackets: interval of 95"));
  EXPECT_THAT(text, Not(HasSubstr("add:tf32")));
  EXPECT_THAT(show(results, {.flat = true}), HasSubstr("add:tf32"));
}

TEST(Show, HasTheHostsTimeAndWhatBindsOfPyTorchsRows) {
  const auto of_pytorch = [](record::Row row, double cpu_s, double waited) {
    row.family = "pytorch";
    row.counters["cpu_time"] = {cpu_s, "s", record::Better::none, false};
    row.counters[record::kCpuWait] = {waited, "1", record::Better::none, false};
    return row;
  };
  record::ResultSet results;
  for (int process = 0; process < 3; ++process) {
    results.rows.push_back(of_pytorch(step("add", "defaults", process, 8e-3), 7e-3, 0.2));
    results.rows.push_back(of_pytorch(step("add", "tuned", process, 4e-3), 1e-3, 0.001));
    results.rows[results.rows.size() - 2].note = "bound:loader; more workers, up to 8";
    results.rows.back().note = process == 0 ? "bound:loader; a faster decoder" : "bound:gpu; the step";
    results.rows.push_back(of_pytorch(measured("pytorch/host/op:add", process, 12e-6), 12.5e-6, 0.2));
  }

  EXPECT_THAT(show(results, {}), HasSubstr("       CPU  no CPU  binds\n"));
  EXPECT_THAT(show(results, {}), HasSubstr("  7.00 ms  20.0 %  loader\n"));
  EXPECT_THAT(show(results, {}), HasSubstr("  1.00 ms          gpu\n"));
  EXPECT_THAT(show(results, {}), testing::ContainsRegex("  op:add +12.0 us .* 12.5 us +busy, no CPU for 20.0 %\n"));
  EXPECT_THAT(show(results, {.legend = true}), HasSubstr("CPU: the program's processor time;"));
  EXPECT_THAT(show(waterfall(4), {.legend = true}), Not(HasSubstr("processor time")));
}

// Each median goes up; most pairs of processes go down.
TEST(Show, NamesAChangeWhoseTimesGoTheOtherWayThanItsGain) {
  constexpr std::array kBefore_s{8e-3, 8.1e-3, 8.2e-3, 12e-3, 12.1e-3}, kAfter_s{7e-3, 7.1e-3, 8.3e-3, 8.4e-3, 8.5e-3};
  record::ResultSet results;
  for (int process = 0; process < 5; ++process) {
    const auto at = static_cast<std::size_t>(process);
    results.rows.push_back(step("add", "nothing", process, kBefore_s[at]));
    results.rows.push_back(step("add", "pinned_copies", process, kAfter_s[at]));
    results.rows.push_back(step("add", "graph", process, kAfter_s[at] / 2));
  }

  EXPECT_THAT(show(results, {}), HasSubstr("\npinned_copies: the times go the other way than the gain"));
  EXPECT_THAT(show(waterfall(5), {}), Not(HasSubstr("the other way")));
}

TEST(Show, DrawsTheTimesOfAStepAsBarsInProportion) {
  const std::string svg = show(waterfall(4), {.format = Format::svg});

  EXPECT_TRUE(svg.starts_with("<svg xmlns="));
  EXPECT_THAT(svg, HasSubstr(">nothing</text><rect class=\"first\" x=\"170\" y=\"40\" width=\"470.0\""));
  EXPECT_THAT(svg, HasSubstr(">+ mixed-precision</text><rect x=\"170\" y=\"64\" width=\"235.0\""));
  EXPECT_THAT(svg, HasSubstr(">2.00 ms</text>"));
  EXPECT_EQ(show({{}, {measured("a/b", 0, 1e-3)}}, {.format = Format::svg}), "");

  record::ResultSet own = waterfall(4);
  for (record::Row& row : own.rows) row.name.replace(0, std::string_view("step/waterfall").size(), "pytorch/model");
  EXPECT_THAT(show(own, {.format = Format::svg}), HasSubstr("step of your model in PyTorch: its time"));
}

TEST(Show, NamesTheChangesOfAPictureAsTablesOfAdviceDo) {
  record::ResultSet results;
  for (const auto& [change, time_s] : {std::pair{"nothing", 8e-3}, {"tf32", 4e-3}, {"amp", 3e-3}, {"no_fill", 2e-3}})
    results.rows.push_back(step("add", change, 0, time_s));

  const std::string svg = show(results, {.format = Format::svg});

  EXPECT_THAT(svg, HasSubstr(">+ tf32<"));
  EXPECT_THAT(svg, HasSubstr(">+ mixed-precision<"));  // the last that makes the piece
  EXPECT_THAT(svg, HasSubstr(">+ no fill<"));
  EXPECT_THAT(svg, Not(HasSubstr("amp<")));
}

TEST(Show, HasALineWithoutATimeForAChangeThatWasLeftOutAlone) {
  record::ResultSet results = waterfall(4);
  std::erase_if(results.rows, [](const record::Row& row) { return row.name.ends_with("add:tf32"); });

  EXPECT_THAT(show(results, {}), HasSubstr("  change      time  gain alone\n"
                                           "step/waterfall\n"
                                           "  nothing  8.00 ms\n"
                                           "  tf32              3.00x [3.00, 3.00]\n"
                                           "  graph    2.00 ms\n"));
  EXPECT_THAT(show(results, {.format = Format::svg}), Not(HasSubstr("mixed-precision"))) << "it has no bar";
}

TEST(Show, HasNoIntervalOfAWaterfallOfOneProcess) {
  record::ResultSet results;
  for (const auto& [change, time_s] : {std::pair{"nothing", 8e-3}, {"tf32", 4e-3}})
    results.rows.push_back(step("add", change, 0, time_s));

  const std::string text = show(results, {.legend = true});

  EXPECT_THAT(text, HasSubstr("  tf32     4.00 ms  2.00x\n"));
  EXPECT_THAT(text, Not(HasSubstr("brackets")));
}

}  // namespace
}  // namespace cupel::report
