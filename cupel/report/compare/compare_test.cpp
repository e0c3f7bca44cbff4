// Every format of a comparison with names that attack it.
#include "cupel/report/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cupel/report/compare/rows.hpp"

namespace cupel::report {
namespace {

const std::string kHostile = "<script>alert(1)</script>|`*_[x](http://evil)\x1b[2J\n=cmd,\"'&]]>\u202e@all #1";

compare::CompareReport hostile(const std::string& name) {
  compare::Comparison row;
  row.name = row.family = row.metric = name;
  row.unit = name;
  row.verdict = compare::Verdict::slower;
  row.ratio = 2;
  row.baseline.value = 1;
  row.contender.value = 2;
  row.contender.limit = name;
  row.notes = {name};
  compare::FamilySummary family;
  family.family = name;
  compare::CompareReport report;
  report.reference.label = name;
  report.reference.context.host.cpu = name;
  report.contenders.push_back({report.reference, {row}, {family}});
  report.contenders[0].file.context.host.cpu = name + "2";
  return report;
}

std::string rendered(Format format, const std::string& name = kHostile) {
  return compare(hostile(name), {.format = format, .all = true});
}

TEST(CompareFormats, NeverHoldAControlCharacterOrABidirectionalOne) {
  for (const Format format : kCompareFormats) {
    const std::string text = rendered(format);

    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
    EXPECT_NE(text.find(is_page(format) ? "WORSE" : "SLOWER"), std::string::npos);
  }
}

TEST(CompareText, HoldsNoControlCharacterWhereItGivesWayEither) {
  const std::string text = compare(hostile(kHostile), {.all = true, .terminal = {60}});

  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u202e"), std::string::npos);
}

compare::CompareReport two_products() {
  compare::CompareReport report;
  report.reference.label = "old";
  report.contenders.push_back({{.label = "new", .context = {}}, {}, {}});
  for (const char* n : {"1024", "2048"}) {
    compare::Comparison row;
    row.name = std::string("gemm/square/precision:fp16/n:") + n;
    row.unit = "s";
    row.judged = true;
    row.verdict = compare::Verdict::slower;
    row.ratio = 1.05;
    row.lower = 1.04;
    row.upper = 1.06;
    row.level = 0.95;
    row.p_adjusted = 0.01;
    row.mde = 0.015;
    row.baseline.value = 100e-6;
    row.contender.value = 105e-6;
    row.baseline.processes = row.contender.processes = 5;
    report.contenders[0].rows.push_back(row);
  }
  report.contenders[0].rows[1].notes = {"SM clock 1980 MHz -> 1810 MHz"};
  return report;
}

std::string rows_in(std::size_t columns) {
  const std::string text = compare(two_products(), {.terminal = {columns}});
  const std::size_t begin = text.find("\n\n", text.find("contender  ")) + 2;
  return text.substr(begin, text.find("\n\n", begin) + 1 - begin);
}

TEST(CompareText, HasWhatNamesShareInAHeading) {
  EXPECT_EQ(rows_in(150),
            "  benchmark     old     new   speed  interval             p     MDE    n  verdict\n"
            "gemm/square precision:fp16\n"
            "  n:1024     100 us  105 us  0.952x  [0.943, 0.962]  0.0100  1.50 %  5+5  SLOWER\n"
            "  n:2048     100 us  105 us  0.952x  [0.943, 0.962]  0.0100  1.50 %  5+5  SLOWER\n"
            "      SM clock 1980 MHz -> 1810 MHz\n");
}

TEST(ComparePage, HasTheFullNameOfARowOfWhichItShowsAPart) {
  const std::string page = compare(two_products(), {.format = Format::html});

  EXPECT_NE(page.find("<tr data-name=\"gemm/square/precision:fp16/n:1024\"><th scope=\"row\">n:1024</th>"), page.npos);
}

TEST(CompareText, NamesTheRangeOfRatiosWhereProcessesAreTooFewForAnInterval) {
  compare::CompareReport report = two_products();
  report.contenders[0].rows[0].level = 0.9;
  const std::string text = compare(report, {.legend = true});

  EXPECT_NE(text.find("0.943 to 0.962 (range)"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "\nrange: between the slowest and the fastest pair of processes, which are too few for a 95 % interval.\n"),
      std::string::npos);
  EXPECT_NE(text.find("\ninterval: at a level of 95 % or more.\n"), std::string::npos) << text;
  EXPECT_EQ(compare(two_products(), {}).find("range"), std::string::npos);
}

TEST(CompareText, BeginsWithWhatIsConcluded) {
  EXPECT_TRUE(compare(two_products(), {}).starts_with("new against old: 2 slower\n\n"));
}

TEST(CompareText, SaysOfTwoRunsThatTheyAreTwoAndWhatDiffersAroundThem) {
  compare::CompareReport report = two_products();
  EXPECT_EQ(compare(report, {}).find("Two runs differ"), std::string::npos);

  report.reference.context.run.started = "2026-11-20T07:00:00Z";
  for (record::Context* context : {&report.reference.context, &report.contenders[0].file.context}) {
    context->device.emplace().name = "NVIDIA H200";
    context->build.git_revision = "0123456789abcdef";
  }
  report.reference.context.device->uuid = "GPU-c48a3e62-89c0";
  report.contenders[0].file.context.device->uuid = "GPU-7d04d923-6e96";
  report.contenders[0].file.context.build.git_dirty = true;
  const std::string text = compare(report, {});

  EXPECT_TRUE(text.starts_with("new against old, GPU-7d04d923 against GPU-c48a3e62: 2 slower\n")) << text;
  EXPECT_NE(text.find("Two runs differ"), std::string::npos);
  EXPECT_NE(text.find("board     GPU-c48a3e62  GPU-7d04d923\n"), std::string::npos) << text;
  EXPECT_NE(text.find("revision  0123456789ab  0123456789ab, changed\n"), std::string::npos) << text;
}

compare::CompareReport two_releases() {
  compare::CompareReport report = two_products();
  report.reference.context.libraries = {{"cublas", "13.1", "13.1.0", "/old/libcublas.so.13"}};
  report.contenders[0].file.context.libraries = {{"cublas", "13.1", "13.3.1", "/new/libcublas.so.13"}};
  return report;
}

TEST(CompareText, SaysThatItComparesReleasesOfLibraries) {
  compare::CompareReport report = two_releases();
  const std::string text = compare(report, {});

  EXPECT_NE(text.find("\nThis compares releases of libraries: cuBLAS 13.1.0 -> 13.3.1. Nothing else is known to "
                      "differ.\n"),
            std::string::npos)
      << text;
  report.reference.context.host.kernel = "6.1";
  report.contenders[0].file.context.host.kernel = "6.2";
  EXPECT_NE(compare(report, {}).find("cuBLAS 13.1.0 -> 13.3.1. 1 thing differs besides"), std::string::npos);
}

TEST(CompareText, SaysNothingOfReleasesWhereTheMachinesDifferOrNoLibraryDoes) {
  compare::CompareReport report = two_releases();
  report.reference.context.host.cpu = "A";
  report.contenders[0].file.context.host.cpu = "B";

  EXPECT_EQ(compare(report, {}).find("releases"), std::string::npos);
  EXPECT_EQ(compare(two_products(), {}).find("releases"), std::string::npos);
}

TEST(CompareText, FoldsWhatHasNotChangedUnlessAllIsAskedFor) {
  compare::CompareReport report = two_products();
  report.contenders[0].rows[0].verdict = compare::Verdict::same;
  report.contenders[0].rows[1].verdict = compare::Verdict::inconclusive;
  CompareOptions all;
  all.all = true;

  EXPECT_EQ(compare(report, {}).find("n:1024"), std::string::npos);
  EXPECT_NE(
      compare(report, {})
          .find("No change was found.\n1 benchmark has not changed, 1 benchmark is undecided: --all shows them.\n"),
      std::string::npos);
  report.contenders[0].rows[1].verdict = compare::Verdict::same;
  EXPECT_NE(compare(report, {}).find("No benchmark has changed.\n2 benchmarks have not changed: --all shows them.\n"),
            std::string::npos);
  EXPECT_NE(compare(report, all).find("n:1024"), std::string::npos);
}

TEST(CompareText, SaysThatNothingWasDecidedWhereAllRowsAreUndecided) {
  compare::CompareReport report = two_products();
  for (compare::Comparison& row : report.contenders[0].rows) row.verdict = compare::Verdict::inconclusive;

  const std::string text = compare(report, {});

  EXPECT_NE(text.find("Nothing was decided.\n2 benchmarks are undecided: --all shows them.\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("No change was found."), std::string::npos);
}

TEST(CompareText, FoldsWhatABusyMachineMeasuredOnBothSidesAndShowsWhatOneDid) {
  compare::CompareReport report = two_products();
  compare::Comparison& row = report.contenders[0].rows[1];
  report.contenders[0].rows[0].verdict = compare::Verdict::same;
  row.verdict = compare::Verdict::busy;
  row.ratio.reset();
  row.contender.value.reset();
  EXPECT_NE(compare(report, {}).find("BUSY"), std::string::npos);

  row.baseline.value.reset();
  EXPECT_NE(compare(report, {})
                .find("No change was found.\n1 benchmark has not changed, 1 benchmark was measured on a busy "
                      "machine on both sides: --all shows them.\n"),
            std::string::npos)
      << compare(report, {});
  EXPECT_NE(compare(report, {.all = true}).find("BUSY"), std::string::npos);
}

// So many rows, each by its place slower, and others that only one side has.
compare::CompareReport many_products(int changed, int missing) {
  compare::CompareReport report = two_products();
  std::vector<compare::Comparison>& rows = report.contenders[0].rows;
  const compare::Comparison one = rows.front();
  rows.assign(static_cast<std::size_t>(changed + missing), one);
  for (int i = 0; i < changed + missing; ++i) {
    compare::Comparison& row = rows[static_cast<std::size_t>(i)];
    row.name = "gemm/n:" + std::to_string(i);
    row.family = "gemm";
    row.ratio = 1.05 + 0.01 * i;
    if (i < changed) continue;
    row.verdict = compare::Verdict::missing;
    row.ratio.reset();
    row.contender = {};
  }
  return report;
}

TEST(CompareText, CountsWhatIsOnOneSideByFamily) {
  const std::string one = compare(many_products(1, 1), {});
  EXPECT_EQ(one.find("MISSING"), std::string::npos);
  EXPECT_NE(one.find("\n1 missing (gemm 1): --only missing,added lists them.\n"), std::string::npos) << one;
  EXPECT_NE(compare(many_products(1, 1), {.all = true}).find("MISSING"), std::string::npos);

  const std::string text = compare(many_products(1, 11), {});

  EXPECT_EQ(text.find("MISSING"), std::string::npos);
  EXPECT_NE(text.find("\n11 missing (gemm 11): --only missing,added lists them.\n"), std::string::npos) << text;
  const CompareOptions only{.only = {compare::Verdict::missing}};
  EXPECT_NE(compare(many_products(1, 11), only).find("MISSING"), std::string::npos);
  EXPECT_NE(compare(many_products(0, 11), {}).find("No benchmark is on both sides.\n"), std::string::npos);
  EXPECT_NE(compare(many_products(5, 5), {}).find("\n5 missing (gemm 5): "), std::string::npos);
}

TEST(ComparePage, HasWhatOneSideLacksAsCountsOfFamiliesToUnfold) {
  const std::string page = compare(many_products(2, 1), {.format = Format::html});

  const std::size_t counted = page.find("<details><summary>1 missing (gemm 1)</summary>");
  ASSERT_NE(counted, std::string::npos) << page;
  EXPECT_LT(page.find("SLOWER"), counted);
  EXPECT_GT(page.find("MISSING"), counted);
}

TEST(ComparePage, HasTimesUnderTheNamesOfFilesHoweverLong) {
  compare::CompareReport report = many_products(1, 0);
  report.reference.label = "before-the-driver-was-changed";
  report.contenders[0].file.label = "after-it";

  EXPECT_NE(compare(report, {.format = Format::html}).find(">before-the-driver-was-changed</th>"), std::string::npos);
  EXPECT_NE(compare(report, {}).find(" reference "), std::string::npos);
}

TEST(CompareText, LeavesOutRowsOfMoreThanTwoContendersUnlessAskedFor) {
  compare::CompareReport report = many_products(3, 0);
  report.contenders.resize(2, report.contenders.front());
  EXPECT_NE(compare(report, {}).find("SLOWER"), std::string::npos);
  report.contenders.resize(3, report.contenders.front());

  const std::string text = compare(report, {});

  EXPECT_EQ(text.find("SLOWER"), std::string::npos) << text;
  EXPECT_NE(text.find("Benchmarks of 3 contenders: --all shows them"), std::string::npos) << text;
  EXPECT_NE(compare(report, {.all = true}).find("SLOWER"), std::string::npos);
  EXPECT_NE(compare(report, {.only = {compare::Verdict::slower}}).find("SLOWER"), std::string::npos);
  EXPECT_NE(compare(report, {.format = Format::html}).find("SLOWER"), std::string::npos);
}

TEST(CompareText, ShowsTheGreatestChangesWhereThereAreMany) {
  const std::string text = compare(many_products(15, 0), {});

  EXPECT_EQ(text.find("n:10 "), std::string::npos);
  EXPECT_NE(text.find("n:11 "), std::string::npos);
  EXPECT_NE(text.find("n:14 "), std::string::npos);
  EXPECT_NE(text.find("\nMore rows: 11 SLOWER: --all shows them.\n"), std::string::npos) << text;
  EXPECT_NE(compare(many_products(15, 0), {.all = true}).find("n:2 "), std::string::npos);
}

// A counter that changed by far more than the times of the rows.
compare::Comparison largest_batch(compare::Verdict verdict) {
  compare::Comparison row = two_products().contenders[0].rows.front();
  row.name = "memory/fit";
  row.metric = "largest_batch";
  row.unit = "count";
  row.better = record::Better::higher;
  row.verdict = verdict;
  row.ratio = verdict == compare::Verdict::slower ? 9 : 1.0 / 9;
  return row;
}

TEST(CompareText, CallsCountersWorseOrBetterAndNeverSlowerOrFaster) {
  compare::CompareReport report = two_products();
  report.contenders[0].rows = {largest_batch(compare::Verdict::slower), largest_batch(compare::Verdict::faster)};
  report.contenders[0].rows[1].name += "/2";

  const std::string text = compare(report, {.terminal = {150}});

  EXPECT_TRUE(text.starts_with("new against old: no benchmark; of counters 1 worse, 1 better\n")) << text;
  EXPECT_NE(text.find("  WORSE\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  BETTER\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("SLOWER"), std::string::npos) << text;
  EXPECT_NE(compare(report, {.legend = true}).find("\nWORSE, BETTER: SLOWER and FASTER of a counter.\n"),
            std::string::npos);
  EXPECT_EQ(compare(two_products(), {.legend = true}).find("WORSE"), std::string::npos);
  const std::string json = compare(report, {.format = Format::json});
  EXPECT_NE(json.find("SLOWER"), std::string::npos);
  EXPECT_EQ(json.find("WORSE"), std::string::npos);
}

TEST(CompareText, CountsCountersThatAreNotJudgedAndLeavesThemOutOfPages) {
  compare::CompareReport report = two_products();
  report.contenders[0].rows.push_back(largest_batch(compare::Verdict::same));
  report.contenders[0].rows.back().judged = false;
  const std::string said = "1 counter is not judged: --all shows them.";

  for (const Format format : {Format::text, Format::markdown, Format::html}) {
    const std::string page = compare(report, {.format = format});
    EXPECT_NE(page.find(said), std::string::npos) << page;
    EXPECT_EQ(page.find("[largest"), std::string::npos) << page;
    EXPECT_NE(compare(report, {.format = format, .all = true}).find("[largest"), std::string::npos);
  }
  EXPECT_EQ(conclusions(report).front().find("counters"), std::string::npos) << conclusions(report).front();
}

TEST(CompareText, ListsTimesThatChangedBeforeCounters) {
  compare::CompareReport report = many_products(3, 1);
  std::vector<compare::Comparison>& rows = report.contenders[0].rows;
  rows.insert(rows.begin(), largest_batch(compare::Verdict::faster));
  const std::string few = compare(report, {});

  EXPECT_LT(few.find("n:2 "), few.find("largest_batch")) << few;
  EXPECT_LT(few.find("largest_batch"), few.find("1 missing (gemm 1)")) << few;

  report.contenders[0].rows = many_products(5, 0).contenders[0].rows;
  rows.insert(rows.begin(), largest_batch(compare::Verdict::faster));
  const std::string many = compare(report, {});

  EXPECT_EQ(many.find("largest_batch"), std::string::npos) << many;
  EXPECT_NE(many.find("\nMore rows: 1 SLOWER, 1 BETTER: --all shows them.\n"), std::string::npos) << many;
}

// Six rows of which one, which changed least, is slower, and one was measured on a busy machine on one side.
compare::CompareReport one_slower_of_many() {
  compare::CompareReport report = many_products(7, 0);
  std::vector<compare::Comparison>& rows = report.contenders[0].rows;
  for (compare::Comparison& row : rows) {
    row.verdict = compare::Verdict::faster;
    row.ratio = 1 / *row.ratio;
  }
  rows[0].verdict = compare::Verdict::slower;
  rows[0].ratio = 1.02;
  rows[1].verdict = compare::Verdict::busy;
  rows[1].ratio.reset();
  rows[1].contender.value.reset();
  return report;
}

TEST(CompareText, ShowsASlowerRowFirstHoweverMuchOthersChanged) {
  for (const Sort order : {Sort::file, Sort::name, Sort::ratio, Sort::time}) {
    const std::string text = compare(one_slower_of_many(), {.sort = order, .terminal = {150}});

    EXPECT_NE(text.find("  SLOWER\n"), std::string::npos) << text;
    EXPECT_NE(text.find(": --all shows them.\n"), std::string::npos) << text;
  }
  const std::string text = compare(one_slower_of_many(), {.terminal = {150}});
  EXPECT_LT(text.find("  SLOWER\n"), text.find("  FASTER\n")) << text;

  compare::CompareReport counter = one_slower_of_many();
  counter.contenders[0].rows.push_back(largest_batch(compare::Verdict::slower));
  EXPECT_NE(compare(counter, {.terminal = {150}}).find("  WORSE\n"), std::string::npos);
}

TEST(CompareText, SaysWhatVerdictsTheRowsHaveThatItDoesNotShow) {
  compare::CompareReport report = many_products(8, 0);
  std::vector<compare::Comparison>& rows = report.contenders[0].rows;
  rows[0].verdict = compare::Verdict::busy;
  rows[0].ratio.reset();
  rows[0].contender.value.reset();
  rows[1].verdict = compare::Verdict::same;
  rows[1].longer_tail = true;
  rows[2].judged = false;
  rows[3].verdict = compare::Verdict::faster;

  EXPECT_NE(
      compare(report, {}).find("\nMore rows: 1 BUSY, 1 the same with longer tails, 1 not judged, 1 FASTER: --all"),
      std::string::npos)
      << compare(report, {});
}

TEST(CompareText, SaysThatARatioIsAMedianWhereItIsNotTheQuotientOfTheTimes) {
  compare::CompareReport report = two_products();
  compare::Comparison& row = report.contenders[0].rows.front();
  row.baseline.value = 1e-3;
  row.contender.value = *row.ratio * 1e-3;
  const std::string says = "speed: the median over pairs of processes, not the quotient of the two times.\n";
  EXPECT_EQ(compare(report, {}).find(says), std::string::npos);

  row.contender.value = *row.ratio * 1.02e-3;

  EXPECT_NE(compare(report, {}).find(says), std::string::npos) << compare(report, {});
}

TEST(CompareText, CountsBoardsOfWhichThereAreMoreThanTwo) {
  compare::CompareReport report = two_products();
  report.reference.context.device.emplace().uuid = "GPU-11111111,GPU-22222222";
  report.contenders[0].file.context.device.emplace().uuid = "GPU-33333333,GPU-44444444,GPU-55555555";

  const std::string text = compare(report, {});

  EXPECT_NE(text.find("3 boards against GPU-11111111, GPU-22222222"), std::string::npos) << text;
  EXPECT_EQ(text.find("GPU-44444444"), std::string::npos) << text;
}

TEST(CompareText, SaysFirstHowManyTimesAsFastAnotherGpuIs) {
  compare::CompareReport report = two_products();
  const auto family = [](const char* name, double ratio, int benchmarks) {
    return compare::FamilySummary{
        .family = name, .ratio = stats::GeometricMean{.value = ratio, .interval = {}}, .benchmarks = benchmarks};
  };
  report.contenders[0].families = {family("sync", 1.25, 10), family("gemm", 0.5, 20), family("all", 0.8, 30)};
  report.reference.context.device.emplace().name = "NVIDIA H100";
  report.contenders[0].file.context.device.emplace().name = "NVIDIA H100";
  EXPECT_EQ(compare(report, {}).find("times as fast"), std::string::npos);

  report.contenders[0].file.context.device->name = "NVIDIA H200";
  const CompareOptions wide{.terminal = {200}};
  EXPECT_TRUE(
      compare(report, wide)
          .starts_with("NVIDIA H200 is 1.25 times as fast as NVIDIA H100 in the mean of 30 benchmarks: from 0.80 "
                       "(sync) to 2.00 (gemm).\n"))
      << compare(report, wide);
  report.contenders[0].families = {family("gemm", 0.5, 1)};
  EXPECT_TRUE(compare(report, wide)
                  .starts_with("NVIDIA H200 is 2.00 times as fast as NVIDIA H100 in the mean of 1 benchmark.\n"));
}

TEST(CompareText, SendsNobodyToAGateThatRefusesTwoModels) {
  compare::CompareReport report = two_products();
  compare::ComparedFile& contender = report.contenders[0].file;
  report.reference.context.device.emplace().name = contender.context.device.emplace().name = "NVIDIA H100";
  contender.context.run.started = "2026-11-27T08:40:12Z";
  const CompareOptions wide{.terminal = {400}};
  EXPECT_NE(compare(report, wide).find("use cupel gate"), std::string::npos);

  contender.context.device->name = "NVIDIA H200";
  EXPECT_EQ(compare(report, wide).find("use cupel gate"), std::string::npos);
  EXPECT_NE(compare(report, wide).find("Two runs differ"), std::string::npos);
}

TEST(CompareText, NamesColumnsAsShortAsTheFilesDiffer) {
  compare::CompareReport report = two_products();
  report.reference.label = "nvidia-h200";
  report.contenders[0].file.label = "nvidia-h200-hosts";

  EXPECT_NE(compare(report, {}).find("  benchmark    h200  h200-hosts   speed"), std::string::npos)
      << compare(report, {});
}

TEST(CompareText, ColoursVerdictsWhereAsked) {
  CompareOptions coloured;
  coloured.terminal.colour = true;

  EXPECT_NE(compare(two_products(), coloured).find("  \x1b[31mSLOWER\x1b[0m"), std::string::npos);
  EXPECT_EQ(compare(two_products(), {}).find('\x1b'), std::string::npos);
}

TEST(CompareText, HasNotesBelowInANarrowTerminal) {
  EXPECT_EQ(rows_in(61),
            "  benchmark     old     new   speed  interval        verdict\n"
            "gemm/square precision:fp16\n"
            "  n:1024     100 us  105 us  0.952x  [0.943, 0.962]  SLOWER\n"
            "  n:2048     100 us  105 us  0.952x  [0.943, 0.962]  SLOWER\n"
            "      SM clock 1980 MHz -> 1810 MHz\n"
            "In every row: n 5+5, p 0.0100, MDE 1.50 %.\n");
}

TEST(CompareFormats, HoldNoMarkupOfANameInHtmlAndMarkdown) {
  for (const Format format : {Format::markdown, Format::html}) {
    EXPECT_EQ(rendered(format).find("<script>alert"), std::string::npos);
  }
  EXPECT_EQ(rendered(Format::markdown).find("http://"), std::string::npos);
  EXPECT_EQ(rendered(Format::markdown).find("@all"), std::string::npos);
}

TEST(CompareFormats, KeepTheNameWholeInJson) {
  const nlohmann::json root = nlohmann::json::parse(rendered(Format::json));

  EXPECT_EQ(root["contenders"][0]["rows"][0]["name"], kHostile);
  EXPECT_EQ(root["contenders"][0]["rows"][0]["verdict"], "SLOWER");
}

TEST(CompareFormats, KeepOneRecordALineInCsv) {
  const std::string text = rendered(Format::csv);

  EXPECT_EQ(std::ranges::count(text, '\n'), 2);
  EXPECT_EQ(rendered(Format::csv, "=1+1").find("\n=1+1"), std::string::npos);
}

TEST(CompareFormats, StayShortForANameOfAMegabyte) {
  const std::string name(1 << 20, 'x');

  for (const Format format : kCompareFormats) {
    if (!is_page(format)) continue;
    EXPECT_LT(rendered(format, name).size(), rendered(format, "x").size() + 4'000u) << record::to_string(format);
  }
}

TEST(CompareText, HasHostTimesOfTwoMachinesBehindDeviceTimes) {
  compare::CompareReport report = many_products(2, 0);
  report.contenders[0].rows[0].across_hosts = true;
  report.contenders[0].rows[1].verdict = compare::Verdict::faster;

  const std::string text = compare(report, {});

  EXPECT_LT(text.find("FASTER"), text.find("SLOWER")) << text;
}

TEST(CompareText, ListsDeviceTimesBeforeHostTimesOfTwoMachinesThatChangedMore) {
  compare::CompareReport report = many_products(15, 0);
  for (std::size_t i = 11; i < 15; ++i) report.contenders[0].rows[i].across_hosts = true;

  const std::string text = compare(report, {});

  EXPECT_NE(text.find("n:10 "), std::string::npos) << text;
  EXPECT_EQ(text.find("n:14 "), std::string::npos) << text;
}

TEST(CompareText, SaysHowManyTimesAsFastAFamilyIs) {
  compare::CompareReport report = many_products(2, 0);
  compare::FamilySummary family;
  family.family = "gemm";
  family.ratio = {{}, {}};
  family.ratio->value = 0.8;
  family.ratio->interval = {0.5, 1, 0.95};
  report.contenders[0].families = {family};

  const std::string text = compare(report, {});

  EXPECT_NE(text.find("gemm    1.250x  [1.000, 2.000]"), std::string::npos) << text;
  EXPECT_NE(text.find("speed: above 1 is faster; geometric mean"), std::string::npos) << text;
}

TEST(CompareText, HasTheWholeStepsThatBothHave) {
  compare::CompareReport report = many_products(6, 0);
  std::vector<compare::Comparison>& rows = report.contenders[0].rows;
  const char* const names[] = {"step/net:a/add:nothing", "step/net:a/add:graph", "step/net:b/add:tf32",
                               "step/net:c/add:nothing", "step/net:c/add:tf32",  "step/net:c/add:graph"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].name = names[i];
    rows[i].ratio = 0.5;
    rows[i].lower = 0.4;
    rows[i].upper = 0.8;
  }
  rows[5].ratio.reset();

  rows.push_back(rows[0]);
  rows.back().name = "loop/net:a/add:nothing";  // another operation

  const std::string text = compare(report, {.all = true, .terminal = {120}});

  EXPECT_NE(text.find("step       net:a  all      "), std::string::npos) << text;
  EXPECT_NE(text.find("loop       net:a  none     "), std::string::npos) << text;
  EXPECT_NE(text.find("2.000x  [1.250, 2.500]\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("net:b  "), std::string::npos) << text;
  EXPECT_EQ(compare(report, {}).find("changes"), std::string::npos);
  EXPECT_NE(compare(report, {}).find(" --all has whole training steps, too.\n"), std::string::npos);
  EXPECT_EQ(text.find("--all has whole"), std::string::npos);
  const std::string page = compare(report, {.format = Format::html});
  EXPECT_NE(page.find(">none<"), std::string::npos);
  EXPECT_EQ(compare(many_products(6, 0), {.format = Format::html}).find("Training steps"), std::string::npos);
}

TEST(CompareText, MarksWhatIsMissingByNoColour) {
  EXPECT_EQ(verdict_badges().at("MISSING"), Badge::quiet);
  EXPECT_EQ(verdict_badges().at("SLOWER"), Badge::bad);
}

}  // namespace
}  // namespace cupel::report
