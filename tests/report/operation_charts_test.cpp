#include "cupel/report/html/sections.hpp"
#include "cupel/report/html/side_by_side.hpp"
#include "cupel/report/page/render.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/synthetic_advice.hpp"
#include "tests/report/synthetic_results.hpp"

namespace cupel::report::html {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string drawn(const Chart& chart) { return as_html(Blocks{chart}); }

// The charts of the first family, on a device called A.
std::vector<Chart> charts_of(const record::ResultSet& results) {
  const std::vector<Device> devices{{"A", "a.json", &results, false}};
  return charts_of(families_of(devices).front(), devices);
}

class Charts : public testing::Test {
 protected:
  std::vector<Chart> of(const std::string& family) const {
    for (const Family& one : families_of(devices_)) {
      if (one.name == family) return charts_of(one, devices_);
    }
    return {};
  }

  // The first figure whose title holds both.
  static Chart named(const std::vector<Chart>& figures, const std::string& operation, const std::string& words) {
    for (const Chart& figure : figures) {
      const std::string titled = table_of(figure).title;
      if (titled.find(operation) != std::string::npos && titled.find(words) != std::string::npos) {
        return figure;
      }
    }
    return {};
  }

  record::ResultSet results_ = synthetic::results();
  std::vector<Device> devices_{{"Test GPU A", "a.json", &results_, false}};
};

TEST_F(Charts, ShowBandwidthAgainstSizeWithTheLinksLimit) {
  const Chart figure = named(of("transfer"), "transfer/h2d", "bandwidth against size");

  EXPECT_THAT(drawn(figure), HasSubstr("<svg class=\"chart\""));
  EXPECT_THAT(drawn(figure), HasSubstr("</svg>PCIe 5.0 x16</li>"));  // in the legend: no label on a curve
  EXPECT_THAT(figure.caption, Not(HasSubstr("Limit")));              // the family says it once
}

TEST_F(Charts, NameTheirLimitsWhoseSourcesTheMethodNamesOnce) {
  const std::vector<Family> families = families_of(devices_);
  const Family& gemm = *std::ranges::find(families, "gemm", &Family::name);
  const std::string limits = limits_sentence(members_of(gemm));
  const std::string page = as_html(family_blocks(gemm, {}, devices_, "gemm"));
  const std::string method = as_html(method_blocks(families_of(devices_)));

  EXPECT_THAT(limits, HasSubstr("Limits: fp32 at 1800 MHz, 37.5 TFLOP/s; tf32 at 1800 MHz, 300 TFLOP/s; "));
  EXPECT_THAT(limits, Not(HasSubstr("invented for tests")));
  ASSERT_NE(page.find(", 300 TFLOP/s; "), page.npos);
  EXPECT_EQ(page.find(", 300 TFLOP/s; "), page.rfind(", 300 TFLOP/s; "));
  EXPECT_THAT(method, HasSubstr("Sources: invented for tests: "));
  EXPECT_EQ(method.find("invented for tests"), method.rfind("invented for tests"));
  for (const char* limit : {"PCIe 5.0 x16", "fp32 at 1800 MHz", "tf32 at 1800 MHz"})
    EXPECT_THAT(method, HasSubstr(limit));
}

TEST(ChartsOfArithmetic, HaveSharesOfThePeakAtTheClockThatWasSeen) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_pair(results, "reuse-buffers", "step", 2);
  for (record::Row& row : results.rows) {
    row.workload.flops = 1'000'000;
    row.limit = record::Limit{"fp16 at 1800 MHz", "flops", 1e15, "invented", 1.8e9};
    row.telemetry.emplace().sm_clock_hz = 0.9e9;
  }
  const std::vector<Device> devices{{"A", "a.json", &results, false}};
  const std::vector<Family> families = families_of(devices);
  const DeviceFigure& measured = families.front().operations.front().measured.front();
  const Value value = *measured.value(Quantity::flops);

  EXPECT_DOUBLE_EQ(value.reachable(), 0.5e15);
  EXPECT_THAT(tip_lines(measured, Quantity::flops)[1], HasSubstr(" of fp16 at 900 MHz"));
  EXPECT_EQ(limits_sentence(members_of(families.front())), "Limit: fp16 at 1800 MHz, 1.00 PFLOP/s.");
  EXPECT_THAT(as_html(method_blocks()), HasSubstr("Arithmetic is held against the peak at"));
}

TEST_F(Charts, SayTheirNAndTheirRange) {
  for (const std::string family : {"transfer", "sync", "gemm", "conv", "fusion", "memory", "host", "storage"}) {
    const std::vector<Chart> figures = of(family);
    ASSERT_FALSE(figures.empty()) << family;
    for (const Chart& figure : figures) {
      // One benchmark was disturbed in one process, which does not count.
      if (const auto* rows =
              std::get_if<RowPlot>(&figure.drawing)) {  // columns say both, and the caption nothing twice
        EXPECT_THAT(rows->titles, testing::IsSupersetOf({"range", "n"})) << figure.name << figure.words;
        EXPECT_THAT(figure.caption, Not(HasSubstr("n: "))) << figure.name << figure.words;
        EXPECT_THAT(rows->rows.front().cells, testing::Contains(testing::StartsWith("5 / "))) << figure.name;
      } else {
        EXPECT_THAT(figure.caption, testing::ContainsRegex("^n: (4 to )?5 / [0-9 to]+, ranges\\.")) << figure.name;
      }
    }
  }
}

TEST_F(Charts, SayOnceAFamilyWhatMostOfThemHave) {
  const std::vector<Family> families = families_of(devices_);
  const Family& sync = *std::ranges::find(families, "sync", &Family::name);
  const std::string page = as_html(family_blocks(sync, {}, devices_, "sync"));
  const std::string usual = "Where a figure says nothing else: host.";

  ASSERT_NE(page.find(usual), page.npos) << page.substr(0, 400);
  EXPECT_EQ(page.find(usual), page.rfind(usual));
  EXPECT_EQ(page.find("Host.</figcaption>"), page.npos);
}

TEST(ChartsOfTwoDevices, SayALimitThatAllHaveOnce) {
  record::ResultSet first = synthetic::results(), second = first;
  for (record::Row& row : second.rows) {
    if (row.limit && row.limit->name == "device memory") row.limit->per_second *= 2;
  }
  const std::vector<Device> devices{{.label = "A", .file = "a", .results = &first, .number = 0, .name = "A"},
                                    {.label = "B", .file = "b", .results = &second, .number = 1, .name = "B"}};
  const std::vector<Family> families = families_of(devices);
  const auto family = [&](const char* name) { return *std::ranges::find(families, std::string(name), &Family::name); };

  EXPECT_THAT(limits_sentence(members_of(family("transfer"))), HasSubstr("PCIe 5.0 x16, 63.0 GB/s"));
  EXPECT_THAT(limits_sentence(members_of(family("transfer"))), Not(HasSubstr("PCIe 5.0 x16, 63.0 GB/s (")));
  const std::string memory = limits_sentence(members_of(family("memory")));
  EXPECT_THAT(memory, AllOf(HasSubstr(" (A)"), HasSubstr(" (B)")));
}

TEST(ChartsOfThreeDevices, HaveAllPrecisionsInOneChartADeviceOnTheSameScale) {
  const record::ResultSet first = synthetic::results(), second = synthetic::results(synthetic::second_machine());
  const std::vector<Device> devices{{.label = "A", .file = "a", .results = &first, .number = 0, .name = "A"},
                                    {.label = "B", .file = "b", .results = &second, .number = 1, .name = "B"},
                                    {.label = "C", .file = "c", .results = &first, .number = 2, .name = "C"}};
  const std::vector<Family> families = families_of(devices);
  std::vector<std::string> titles, captions;
  std::set<std::string> scales;
  for (const Chart& chart : charts_of(*std::ranges::find(families, "gemm", &Family::name), devices)) {
    const LineChart* lines = std::get_if<LineChart>(&chart.drawing);
    if (lines == nullptr || chart.name != "gemm/square") continue;
    titles.push_back(chart.title);
    captions.push_back(chart.caption);
    const std::string drawing = svg(*lines);
    scales.insert(drawing.substr(drawing.find("data-linear="), drawing.find('>') - drawing.find("data-linear=")));
    std::vector<std::string> labels;
    for (const ChartSeries& one : lines->series) {
      labels.push_back(one.label);
      EXPECT_EQ(one.device, titles.size() - 1);
    }
    EXPECT_THAT(labels, testing::UnorderedElementsAre("precision:fp32", "precision:tf32", "precision:fp16",
                                                      "precision:bf16", "precision:fp8_e4m3"));
  }

  EXPECT_THAT(titles, testing::ElementsAre("on A", "on B", "on C"));
  EXPECT_EQ(scales.size(), 1u);
  EXPECT_THAT(captions.at(0), Not(HasSubstr("Same scale")));
  EXPECT_THAT(captions.at(2), AllOf(HasSubstr(" Same scale as on A."), HasSubstr(" B / A: ")));
}

TEST(ChartsOfTwoDevices, DrawNoRangeBesideIntervals) {
  record::ResultSet few{figures::synthetic::context(), {}}, many = few;
  figures::synthetic::add_pair(few, "reuse-buffers", "step", 2);
  for (record::Row row : few.rows) {
    for (int i = 0; i < 3; ++i) {  // three processes are nine
      many.rows.push_back(row);
      row.process += 3;
    }
  }
  const std::vector<Device> devices{{"few", "a.json", &few, false}, {"many", "b.json", &many, false}};

  const Chart mixed = charts_of(families_of(devices).front(), devices).front();
  const Chart ranges = charts_of(few).front();

  EXPECT_THAT(mixed.caption, testing::StartsWith("n: 3 to 9 / "));
  EXPECT_THAT(mixed.caption, HasSubstr(", intervals 96.1 % over processes."));
  EXPECT_THAT(drawn(mixed), HasSubstr("\nrange "));
  EXPECT_THAT(drawn(mixed), HasSubstr("\ninterval "));
  const auto whiskers = [](const std::string& body) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = body.find("class=\"whisker\"", at)) != body.npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(whiskers(drawn(mixed)), whiskers(drawn(ranges)));  // those of the other device
}

const std::vector<Device> kTwo{{.label = "A", .file = "a.json", .number = 0, .name = "A"},
                               {.label = "B", .file = "b.json", .number = 1, .name = "B"}};

PlotRow row_on(std::size_t device, const std::string& label, double value, double half_range,
               const std::string& remark) {
  return {.label = label,
          .device = device,
          .value = value,
          .low = value - half_range,
          .high = value + half_range,
          .cells = {std::to_string(static_cast<int>(value)), "some to some", "5 / 10", remark}};
}

RowPlot stacked() {
  RowPlot plot;
  plot.titles = {"time", "range", "n", "remarks"};
  plot.rows = {row_on(0, "same", 100, 5, ""),       row_on(1, "same", 104, 5, ""),
               row_on(0, "some", 100, 1, "busy"),   row_on(1, "some", 120, 1, "hot"),
               row_on(0, "most", 100, 1, "inputs"), row_on(1, "most", 50, 1, "inputs"),
               row_on(1, "absent", 70, 1, "")};
  return plot;
}

TEST(SideBySide, HasARowABenchmarkWithTheRatioAndTheGreatestDifferenceFirst) {
  const RowPlot plot = side_by_side(stacked(), kTwo);

  EXPECT_THAT(plot.titles, testing::ElementsAre("time A", "time B", "B / A", "remarks"));
  std::vector<std::vector<std::string>> rows;
  for (const PlotRow& row : plot.rows) {
    rows.push_back({row.label});
    rows.back().insert(rows.back().end(), row.cells.begin(), row.cells.end());
  }
  using Cells = std::vector<std::string>;
  EXPECT_THAT(rows, testing::ElementsAre(Cells{"most", "100", "50", "0.500", "inputs"},
                                         Cells{"some", "100", "120", "1.20", "A: busy; B: hot"},
                                         Cells{"same", "100", "104", "1.04", ""}, Cells{"absent", "", "70", "", ""}));
  EXPECT_EQ(plot.rows[0].beside.size(), 1u);
}

TEST(SideBySide, KeepsTheOrderOfChangesAndThePlotOfOneDevice) {
  EXPECT_EQ(side_by_side(stacked(), kTwo, Order::as_given).rows[0].label, "same");
  EXPECT_EQ(side_by_side(stacked(), {kTwo[0]}).rows.size(), 7u);
}

TEST(SideBySide, DrawsEachDeviceInALaneOfItsOwnAndMarksItsColumns) {
  RowPlot plot = side_by_side(stacked(), kTwo);
  plot.tick = [](double) { return std::string("tick"); };
  const std::string html = table(plot);

  EXPECT_THAT(html, HasSubstr("class=\"num own c1 d1\">time B</th>"));
  const auto y_of = [&](std::size_t from) { return html.substr(html.find("y=\"", from), 10); };
  EXPECT_NE(y_of(html.find("series c0 d0")), y_of(html.find("series c1 d1")));
}

TEST(SideBySide, TakesWhatAllLabelsHaveIntoTheTitle) {
  std::vector<PlotRow> rows{{.label = "pinned, 16 copies, 1 MiB"}, {.label = "pinned, 16 copies, 4 MiB"}};

  EXPECT_EQ(take_common(rows), "pinned, 16 copies");
  EXPECT_EQ(rows[0].label, "1 MiB");
  std::vector<PlotRow> same{{.label = "pinned"}, {.label = "pinned"}};
  EXPECT_EQ(take_common(same), "");
  EXPECT_EQ(same[0].label, "pinned");
}

TEST(SideBySide, SaysHowFarLinesOfALabelAreApart) {
  LineChart chart;
  chart.series = {{.label = "a", .device = 0, .points = {{1, 100, {}, {}, {}}, {2, 100, {}, {}, {}}}},
                  {.label = "a", .device = 1, .points = {{1, 80, {}, {}, {}}, {2, 90, {}, {}, {}}, {3, 1, {}, {}, {}}}},
                  {.label = "b", .device = 1, .points = {{1, 1, {}, {}, {}}}}};

  EXPECT_EQ(ratios_sentence(chart, kTwo), "B / A: 0.800 to 0.900.");
  EXPECT_EQ(ratios_sentence(chart, {kTwo[0]}), "");
}

TEST_F(Charts, ShowTheBestOfEachPrecisionWithItsRoof) {
  const Chart figure = named(of("gemm"), "gemm", "best rate of each precision in bursts");

  EXPECT_THAT(drawn(figure), HasSubstr("fp8_e4m3"));
  EXPECT_THAT(drawn(figure), HasSubstr("class=\"limit\""));
}

TEST_F(Charts, LeadNoListWithUnusualWork) {
  const auto best_names = [this] {
    std::vector<std::string> names;
    const Table best = table_of(named(of("gemm"), "gemm", "best rate of each precision"));
    for (const auto& cells : best.rows()) names.push_back(cells.back());
    return names;
  };
  const std::string best = best_names().front();
  for (record::Row& row : results_.rows) {
    if (row.name == best) row.unusual = record::kOfZeros;
  }

  EXPECT_THAT(best_names(), Not(testing::Contains(best)));
  EXPECT_THAT(as_html(limits_chart(devices_, families_of(devices_))), Not(HasSubstr("inputs are zeros")));
}

TEST_F(Charts, HaveNoBestOfAPrecisionAboveItsLimit) {
  const auto highest = [this] {
    double most = 0;
    const Chart best = named(of("gemm"), "gemm", "best rate of each precision");
    for (const PlotRow& row : std::get<RowPlot>(best.drawing).rows) {
      if (row.limit) most = std::max(most, *row.value / *row.limit);
    }
    return most;
  };
  ASSERT_GT(highest(), 0);
  for (record::Row& row : results_.rows) {
    if (row.limit && row.name.find("n:16384") != row.name.npos) row.limit->per_second /= 1000;
  }

  EXPECT_LT(highest(), 1.1);
}

TEST_F(Charts, RankEngines) {
  const Chart figure = named(of("conv"), "conv/engines", "fastest first");

  EXPECT_LT(drawn(figure).find("engine:0"), drawn(figure).find("engine:2"));
  EXPECT_LT(drawn(figure).find("engine:2"), drawn(figure).find("engine:7"));
  EXPECT_THAT(drawn(figure), HasSubstr("workspace 16 MiB"));
}

TEST_F(Charts, ShowLatencyOfOneAccessAgainstTheWorkingSet) {
  const Chart figure = named(of("memory"), "memory/latency", "latency of one access against size");

  EXPECT_THAT(drawn(figure), HasSubstr("<svg class=\"chart\""));
}

TEST_F(Charts, ShowAFamilyThatNobodyKnows) {
  EXPECT_THAT(drawn(named(of("storage"), "storage/reader", "bandwidth")), HasSubstr("how:mmap page_cache:cold"));
}

TEST_F(Charts, OfOperationsWithFewBenchmarksAreOneFigure) {
  EXPECT_THAT(drawn(named(of("sync"), "sync", "operations with few benchmarks")), HasSubstr("sync/idle"));
}

TEST_F(Charts, LeaveOutWhatHasNoTime) {
  for (const Chart& figure : of("memory")) EXPECT_EQ(drawn(figure).find("memory/limit"), std::string::npos);
}

TEST(ChartsOfChanges, AreAWaterfallWithGainsIntervalsAndMemory) {
  record::ResultSet results{figures::synthetic::context(), {}};
  const auto add = [&](const std::string& key, const std::string& change, int process, double time_s) {
    record::Row row;
    row.name = "step/waterfall/" + key + ":" + change;
    row.family = "step";
    row.params = {{key, change}};
    row.process = process;
    row.series.emplace_back().samples_s = std::vector<double>(8, time_s);
    row.counters["memory"] = {time_s * 1e12, "bytes", record::Better::lower, true};
    results.rows.push_back(row);
  };
  for (int process = 0; process < 4; ++process) {
    for (const auto& [change, time_s] : {std::pair{"nothing", 8e-3}, {"tf32", 4e-3}, {"graph", 2e-3}})
      add("add", change, process, time_s);
    add("drop", "tf32", process, 6e-3);
  }

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_FALSE(figures.empty());
  EXPECT_THAT(figures[0].words, HasSubstr("one change after another"));
  EXPECT_LT(drawn(figures[0]).find("nothing"), drawn(figures[0]).find("tf32"));
  EXPECT_LT(drawn(figures[0]).find("tf32"), drawn(figures[0]).find("graph"));
  EXPECT_THAT(drawn(figures[0]), HasSubstr("2.00x [2.00, 2.00]"));  // after the change before it
  EXPECT_THAT(drawn(figures[0]), HasSubstr("3.00x [3.00, 3.00]"));  // what the last step loses without it
  EXPECT_THAT(drawn(figures[0]), HasSubstr(">3.73 GiB</td>"));

  std::erase_if(results.rows, [](const record::Row& row) { return row.name.ends_with("add:tf32"); });
  const std::vector<PlotRow> rows = std::get<RowPlot>(charts_of(results).at(0).drawing).rows;
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[1].label, "mixed-precision") << "left out alone: it has no bar";
  EXPECT_FALSE(rows[1].value);
  EXPECT_THAT(rows[1].cells, testing::ElementsAre("", "", "", "3.00x [3.00, 3.00]", ""));
}

TEST(StepPicture, IsOfTheStepThatPiecesAreRankedByWhereAnotherHasItsNet) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_waterfall(results);
  const std::size_t first = results.rows.size();
  figures::synthetic::add_step(results, "add", "nothing", 24e-3);
  figures::synthetic::add_step(results, "add", "graph", 6e-3);
  for (std::size_t i = first; i < results.rows.size(); ++i)
    results.rows[i].name.replace(0, std::string_view("step/waterfall").size(), "pytorch/step");
  const auto advised = advice::advise(results, catalogue::built_in());
  ASSERT_FALSE(advised.empty());

  const auto picture = step_picture(Device{"A", "a.json", &results, false}, advised, figures::figures_of(results));

  ASSERT_TRUE(picture);
  const std::vector<PlotRow>& rows = std::get<RowPlot>(picture->drawing).rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0].value.value_or(0), 24e-3, 1e-4);
}

TEST(StepPicture, HasTimesAloneWhereTheTableHasGainsOfChangesTakenOut) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_step(results, "add", "nothing", 24e-3);
  figures::synthetic::add_step(results, "add", "graph", 6e-3);
  const auto picture = [&] {
    const auto advised = advice::advise(results, catalogue::built_in());
    return step_picture(Device{"A", "a.json", &results, false}, advised, figures::figures_of(results));
  };
  const Chart added = picture().value();
  figures::synthetic::add_step(results, "drop", "graph", 12e-3);
  const Chart taken_out = picture().value();

  EXPECT_THAT(drawn(added), HasSubstr(">4.00x</td>"));
  EXPECT_THAT(drawn(taken_out), Not(testing::ContainsRegex(">[0-9.]+x")));
  EXPECT_THAT(taken_out.words, HasSubstr("added to those above; in the table one is taken out of all."));
}

TEST(ChartsOfWhatIsJudgedByACounter, ShowTheCounterInsteadOfTheTime) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_fragmentation(results, 0.0625);

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 1u);
  EXPECT_THAT(figures[0].words, HasSubstr("usable share"));
  EXPECT_THAT(drawn(figures[0]), HasSubstr(">0.250</td>"));
  EXPECT_THAT(drawn(figures[0]), HasSubstr(">0.0156</td>"));
  EXPECT_THAT(drawn(figures[0]), Not(HasSubstr(">1.00 ms</td>")));
  EXPECT_THAT(std::get<RowPlot>(figures[0].drawing).titles, testing::IsSupersetOf({"range", "n"}));
  EXPECT_THAT(std::get<RowPlot>(figures[0].drawing).rows[0].cells, testing::Contains("3"));
}

TEST(ChartsOfWhatIsJudgedByACounter, ShowTheTimeWhereTheCounterIsZero) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_pair(results, "fragmentation", "step", 2);
  for (record::Row& row : results.rows) row.counters["usable_share"] = {0, "B", record::Better::higher, false};

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 1u);
  EXPECT_THAT(figures[0].words, HasSubstr("time of a call"));
}

TEST(ChartsOfPrecisions, HaveNoRoofWhereWorkIsHeldAgainstMemory) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (const char* precision : {"fp16", "fp32"}) {
    record::Row& row = results.rows.emplace_back();
    row.family = "f";
    row.params = {{"precision", precision}};
    row.name = std::string("f/op/precision:") + precision;
    row.series.emplace_back().samples_s.assign(30, 1e-6);
    row.workload.bytes_read = row.workload.flops = 1 << 20;
    row.limit = record::Limit{"device memory", "bytes", 1e15, "invented"};
  }

  for (const Chart& figure : charts_of(results)) EXPECT_THAT(figure.words, Not(HasSubstr("with its roof")));
}

TEST(ChartsOfItems, ShowTimesUnlessThereIsALimit) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_pair(results, "reuse-buffers", "step", 2);
  for (record::Row& row : results.rows) row.workload.items = 1;

  EXPECT_THAT(charts_of(results).front().words, HasSubstr("time of a call"));
  for (record::Row& row : results.rows) row.limit = record::Limit{"int8 at 1800 MHz", "items", 1e15, "invented"};
  EXPECT_THAT(charts_of(results).front().words, HasSubstr("items per second"));
}

TEST(ChartsOfSeveralQuantities, ShowTheUsualRateAndTheRestByItself) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (int n = 1; n <= 4; ++n) {
    for (const char* type : {"half", "whole"}) {
      record::Row& row = results.rows.emplace_back();
      row.family = "f";
      row.params = {{"of", type}, {"n", std::to_string(n)}};
      row.name = std::string("f/op/of:") + type + "/n:" + std::to_string(n);
      row.series.emplace_back().samples_s.assign(30, 1e-6 * n);
      row.workload.bytes_read = 1 << 20;
      if (type == std::string("whole") && n == 4) continue;
      row.workload.flops = 1 << 20;
      row.limit = record::Limit{"roof", "flops", 1e15, "invented"};
    }
  }

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 2u);
  EXPECT_THAT(figures[0].words, HasSubstr("arithmetic rate against n"));
  EXPECT_THAT(figures[1].words, HasSubstr("bandwidth"));
}

TEST(ChartsOfIncidentalWork, ShowTimesInsteadOfRates) {
  record::ResultSet results{figures::synthetic::context(), {}};
  figures::synthetic::add_pair(results, "avoid-sync", "step", 2);
  for (record::Row& row : results.rows) row.workload.bytes_read = 1 << 20;

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 1u);
  EXPECT_THAT(figures[0].words, HasSubstr("time of a call"));
  EXPECT_THAT(drawn(figures[0]), Not(HasSubstr("GB/s")));
}

TEST(ChartsOfManySeries, HaveRowsWhereAPartHasOneValueOfTheAxis) {
  record::ResultSet results{figures::synthetic::context(), {}};
  const auto add = [&](const std::string& a, int b, int size) {
    record::Row& row = results.rows.emplace_back();
    row.family = "f";
    row.params = {{"a", a}, {"b", "y" + std::to_string(b)}, {"bytes", std::to_string(size)}};
    row.name = "f/op/a:" + a + "/b:y" + std::to_string(b) + "/bytes:" + std::to_string(size);
    row.series.emplace_back().samples_s.assign(30, 1e-6 * size);
  };
  for (int b = 0; b < 10; ++b) {
    for (int size = 1; size <= 4; ++size) add("swept", b, size);
    add("once", b, 1);
  }

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].title, "a:swept");
  ASSERT_TRUE(std::holds_alternative<RowPlot>(figures[1].drawing));
  EXPECT_EQ(std::get<RowPlot>(figures[1].drawing).rows.size(), 10u);
  EXPECT_EQ(figures[1].title, "a:once bytes:1 B");
}

TEST(ChartsOfManySeries, HaveRowsWhereNoSeriesHasTwoPoints) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (const auto& [net, batch] : {std::pair{"a", 4}, {"b", 8}, {"c", 128}}) {
    record::Row& row = results.rows.emplace_back();
    row.family = "f";
    row.params = {{"net", net}, {"batch", std::to_string(batch)}};
    row.name = fmt::format("f/op/net:{}/batch:{}", net, batch);
    row.series.emplace_back().samples_s.assign(30, 1e-6 * batch);
  }

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<RowPlot>(figures[0].drawing));
}

TEST(ChartsOfManySeries, AreDividedSoThatEachHasAtMostEight) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < 5; ++b) {
      for (int size = 1; size <= 4; ++size) {
        record::Row& row = results.rows.emplace_back();
        row.family = "f";
        row.params = {{"a", "x" + std::to_string(a)}, {"b", "y" + std::to_string(b)}, {"bytes", std::to_string(size)}};
        row.name = "f/op";
        for (const auto& [name, value] : row.params) row.name += "/" + name + ":" + value;
        row.series.emplace_back().samples_s.assign(30, 1e-6 * size);
      }
    }
  }

  EXPECT_EQ(charts_of(results).size(), 5u);
}

TEST(ChartsOfManySeries, OfOneParameterHaveSeveralOfItsValues) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (int a = 0; a < 11; ++a) {
    for (int size = 1; size <= 4; ++size) {
      record::Row& row = results.rows.emplace_back();
      row.family = "f";
      row.params = {{"a", "x" + std::to_string(a)}, {"bytes", std::to_string(size)}};
      row.name = "f/op/a:x" + std::to_string(a) + "/bytes:" + std::to_string(size);
      row.series.emplace_back().samples_s.assign(30, 1e-6 * size);
    }
  }

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 2u);
  EXPECT_THAT(figures[0].title, HasSubstr("1 of 2"));
  EXPECT_THAT(drawn(figures[0]), AllOf(HasSubstr("a:x4"), Not(HasSubstr("a:x5"))));
  EXPECT_THAT(drawn(figures[1]), AllOf(HasSubstr("a:x5"), HasSubstr("a:x10")));
}

TEST(ChartsOfPrecisions, HaveEightBitsBesideSixteen) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (const char* precision :
       {"fp32", "tf32", "fp16", "bf16", "fp8_e4m3", "fp64", "fp16_in_fp16", "fp8_e4m3_fast", "fp8_e5m2"}) {
    for (int n = 1; n <= 4; ++n) {
      record::Row& row = results.rows.emplace_back();
      row.family = "f";
      row.params = {{"of", precision}, {"n", std::to_string(n)}};
      row.name = std::string("f/op/of:") + precision + "/n:" + std::to_string(n);
      row.series.emplace_back().samples_s.assign(30, 1e-6 * n);
    }
  }

  const std::vector<Chart> figures = charts_of(results);

  ASSERT_EQ(figures.size(), 1u);
  EXPECT_THAT(drawn(figures[0]), AllOf(HasSubstr("of:fp16</li>"), HasSubstr("of:fp8_e4m3</li>")));
}

TEST(ChartsOfModes, TellColdAndHotPointsApartByTheirMarks) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (int n = 1; n <= 4; ++n) {
    record::Row& row = results.rows.emplace_back();
    row.family = "f";
    row.params = {{"n", std::to_string(n)}};
    row.name = "f/op/n:" + std::to_string(n);
    row.series.emplace_back().samples_s.assign(30, 1e-6 * n);
    row.series.back().mode = n < 3 ? record::Mode::cold : record::Mode::hot;
  }

  const std::string figure = drawn(charts_of(results).front());

  EXPECT_THAT(figure, AllOf(HasSubstr("</svg>cold</li>"), HasSubstr("</svg>hot</li>")));
  std::size_t diamonds = 0;
  for (std::size_t at = 0; (at = figure.find("class=\"mark\"", at)) != figure.npos; ++at) ++diamonds;
  EXPECT_EQ(diamonds, 3u);  // two points, and one in the legend
}

TEST(ChartsOfModes, SayTheModeOfEachRowWhereTheyDiffer) {
  record::ResultSet results{figures::synthetic::context(), {}};
  for (const char* how : {"a", "b", "c", "d"}) {
    record::Row& row = results.rows.emplace_back();
    row.family = "f";
    row.params = {{"how", how}};
    row.name = std::string("f/op/how:") + how;
    row.series.emplace_back().samples_s.assign(30, 1e-6);
    row.series.back().mode = record::Mode::cold;
  }
  const auto figure = [&] { return charts_of(results).front(); };

  EXPECT_THAT(figure().caption, testing::EndsWith(". Cold."));
  EXPECT_THAT(drawn(figure()), Not(HasSubstr(">mode</th>")));
  results.rows.back().series.back().mode = record::Mode::hot;
  EXPECT_THAT(figure().caption, testing::EndsWith(" inside one process."));
  EXPECT_THAT(drawn(figure()), AllOf(HasSubstr(">mode</th>"), HasSubstr(">cold</td>"), HasSubstr(">hot</td>")));
}

TEST(ChartsOfTwoDevices, HaveTheRatioOfTheOther) {
  record::ResultSet first{figures::synthetic::context(), {}}, second{figures::synthetic::context(), {}};
  figures::synthetic::add_pair(first, "reuse-buffers", "step", 2);
  figures::synthetic::add_pair(second, "reuse-buffers", "step", 2);
  for (record::Row& row : second.rows) {
    for (record::Series& series : row.series) {
      for (double& sample : series.samples_s) sample *= 3;
    }
  }
  const std::vector<Device> devices{{"A", "a.json", &first, false}, {"B", "b.json", &second, false, 1, "B"}};

  EXPECT_THAT(drawn(charts_of(families_of(devices).front(), devices).front()), HasSubstr(">3.00</td>"));
}

}  // namespace
}  // namespace cupel::report::html
