#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>

#include "cupel/record/json_text.hpp"
#include "cupel/report/gate/gate.hpp"

namespace cupel::report {
namespace {

using compare::Verdict;
using gate::GateRow;
using gate::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kHostile = "a<script>alert(1)</script>|`*_[x](y)\x1b[31m\n::error::%\r@all \"q\" &amp; \xff ]]>";

GateRow row_of(const std::string& name, Verdict verdict, double ratio, Outcome outcome = Outcome::passed) {
  GateRow row;
  row.row.name = name;
  row.row.family = "family";
  row.row.verdict = verdict;
  row.row.ratio = ratio;
  row.row.lower = ratio * 0.99;
  row.row.upper = ratio * 1.01;
  row.row.level = 0.95;
  row.row.p = 0.0001;
  row.row.p_adjusted = 0.0004;
  row.row.mde = 0.012;
  row.row.sigma = 0.003;
  row.row.test = compare::Test::ranks;
  row.row.baseline.value = 1e-6;
  row.row.contender.value = 1e-6 * ratio;
  row.row.baseline.processes = row.row.contender.processes = 12;
  row.outcome = outcome;
  return row;
}

GateRow slower(const std::string& name, double ratio = 1.05) {
  return row_of(name, Verdict::slower, ratio, Outcome::regression);
}

gate::GateReport report_of(std::vector<GateRow> rows, Outcome outcome = Outcome::passed) {
  gate::GateReport report;
  report.base = "old";
  report.contender = "new";
  report.result.outcome = outcome;
  report.result.method = "method";
  report.result.rows = std::move(rows);
  return report;
}

constexpr GateFormat kAll[] = {GateFormat::text,   GateFormat::markdown,    GateFormat::junit,
                               GateFormat::json,   GateFormat::annotations, GateFormat::custom_smaller_is_better,
                               GateFormat::bencher};

TEST(GateText, PutsTheWorstFirst) {
  const std::string text = gate(report_of({row_of("same", Verdict::same, 1), row_of("fast", Verdict::faster, 0.9),
                                           slower("slow/one"), slower("slowest", 1.2)},
                                          Outcome::regression),
                                GateFormat::text, {.all = true});

  EXPECT_LT(text.find("slowest"), text.find("slow/one"));
  EXPECT_LT(text.find("slow/one"), text.find("fast"));
  EXPECT_LT(text.find("fast"), text.find("same"));
  EXPECT_THAT(text, HasSubstr("+20.0 %"));
}

TEST(GateText, GivesNamesAndRemarksLinesOfTheirOwnWhereTheyDoNotFitEightyColumns) {
  GateRow row = row_of("family/operation/size:1", Verdict::inconclusive, 1.01);
  row.row.processes_to_decide = 48;
  const gate::GateReport report = report_of({row});

  EXPECT_THAT(gate(report, GateFormat::text), HasSubstr("INCONCLUSIVE  family/operation/size:1  +1.0 %"));
  for (const std::size_t columns : {70, 80, 110}) {
    EXPECT_THAT(gate(report, GateFormat::text, {.terminal = {columns}}),
                AllOf(HasSubstr("\nfamily/operation/size:1\n  INCONCLUSIVE  +1.0 %"),
                      HasSubstr("\n      48 processes a side would decide\n")));
  }
}

TEST(GateReport, ShowsWhatIsNoisierInEveryFormatThatShowsRows) {
  gate::GateReport report = report_of({row_of("x", Verdict::noisier, 1.01, Outcome::regression)}, Outcome::regression);
  report.result.noisier = 1;
  for (const GateFormat format : {GateFormat::text, GateFormat::markdown, GateFormat::junit, GateFormat::json,
                                  GateFormat::annotations, GateFormat::custom_smaller_is_better}) {
    EXPECT_THAT(gate(report, format), HasSubstr("NOISIER")) << static_cast<int>(format);
  }
  EXPECT_THAT(gate(report, GateFormat::junit), HasSubstr("<failure message=\"NOISIER"));
  EXPECT_THAT(gate(report, GateFormat::text), HasSubstr("\n1 noisier.\n"));
}

TEST(GateText, CountsTheVerdictsThatItHasAndNoOthers) {
  GateRow apart = row_of("noisy", Verdict::inconclusive, 1), counter = slower("slow");
  apart.gateable = false;
  counter.row.metric = "registers";
  const gate::GateReport report = report_of(
      {slower("slow"), counter, row_of("same", Verdict::same, 1), apart,
       row_of("gone", Verdict::missing, 1, Outcome::incomplete), row_of("busy", Verdict::busy, 1, Outcome::incomplete)},
      Outcome::regression);

  EXPECT_THAT(
      gate(report, GateFormat::text),
      HasSubstr("\n1 slower, 1 the same, 1 missing, 1 on a busy machine; of counters 1 worse; 1 not gateable.\n"));
}

TEST(GateText, CallsACounterWorseAsCompareDoes) {
  GateRow worse = slower("x"), better = row_of("y", Verdict::faster, 0.9);
  worse.row.metric = better.row.metric = "registers";
  const gate::GateReport report = report_of({worse, better}, Outcome::regression);

  for (const GateFormat format : {GateFormat::text, GateFormat::markdown, GateFormat::junit, GateFormat::annotations}) {
    EXPECT_THAT(gate(report, format), AllOf(HasSubstr("WORSE"), HasSubstr("BETTER"), Not(HasSubstr("SLOWER"))));
  }
  EXPECT_THAT(gate(report, GateFormat::json), HasSubstr("\"SLOWER\""));
}

TEST(GateText, HasItsReasonsInLinesOfTheTerminalAndEndsWithAShortOne) {
  gate::GateReport report = report_of({slower("slow")}, Outcome::regression);
  report.exit_code = 1;
  report.result.reasons = {"1 row is slower: slow by 5.00 % (fix it, or add it to \"allow\" in the policy)", "other"};
  const std::string text = gate(report, GateFormat::text, {.terminal = {60}});

  EXPECT_THAT(text, testing::EndsWith("\n1 row is slower: slow by 5.00 % (fix it, or add it to\n"
                                      "        \"allow\" in the policy)\n"
                                      "other\n"
                                      "cupel gate: regression, exit code 1\n"));
  EXPECT_EQ(gate(report, GateFormat::text, {.quiet = true, .terminal = {60}}),
            "cupel gate: regression: 1 row is slower: slow by 5.00 % (fix it, or add it to \"allow\" in the policy); "
            "other, exit code 1\n");
}

TEST(GateText, SaysHowManyProcessesWouldDecide) {
  GateRow row = row_of("x", Verdict::inconclusive, 1.01);
  row.row.processes_to_decide = 48;

  EXPECT_THAT(gate(report_of({row}), GateFormat::text), HasSubstr("48 processes a side would decide"));
}

TEST(GateText, SaysThatNoiseHidesADifferenceOnlyWhereTheIntervalHoldsNoChange) {
  GateRow open = row_of("x", Verdict::inconclusive, 1.01), looks = row_of("x", Verdict::inconclusive, 1.169);
  open.row.sigma = looks.row.sigma = 0.2;
  open.row.lower = 0.9;
  open.row.upper = 1.1;
  looks.row.lower = 1.039;
  looks.row.upper = 1.314;
  looks.row.notes = {"looks slower, but p of 0.0076 does not show it at the level of 0.1 %"};

  EXPECT_THAT(gate(report_of({open}), GateFormat::text), HasSubstr("too noisy to decide with 1000 processes"));
  EXPECT_THAT(gate(report_of({looks}), GateFormat::text), Not(HasSubstr("too noisy")));
  EXPECT_THAT(gate(report_of({looks}), GateFormat::text), HasSubstr("looks slower, but p of 0.0076"));
}

TEST(GateText, NamesARangeWhereProcessesAreTooFewForAnInterval) {
  GateRow row = row_of("x", Verdict::inconclusive, 1.01);
  EXPECT_THAT(gate(report_of({row}), GateFormat::text), Not(HasSubstr("(range)")));
  row.row.level = 0.9;

  EXPECT_THAT(gate(report_of({row}), GateFormat::text), HasSubstr(" to +2.0 % (range)"));
}

TEST(GateText, ListsTheWorstOfManyRowsAndSaysOnceWhatIsOfEach) {
  std::vector<GateRow> rows;
  for (int i = 0; i < 30; ++i) {
    rows.push_back(row_of("undecided/" + std::to_string(i), Verdict::inconclusive, 1 + 0.001 * i));
    rows.back().row.notes = {"not calibrated", "of this row " + std::to_string(i)};
  }
  rows.push_back(slower("slow"));
  const std::string text = gate(report_of(rows), GateFormat::text, {.terminal = {80}});
  const std::string all = gate(report_of(rows), GateFormat::text, {.all = true, .terminal = {80}});

  EXPECT_THAT(text, HasSubstr("\nslow\n"));
  EXPECT_THAT(text, HasSubstr("undecided/29\n"));
  EXPECT_THAT(text, Not(HasSubstr("undecided/2\n")));
  EXPECT_THAT(text, HasSubstr("23 more rows: 23 INCONCLUSIVE (--all lists them)"));
  EXPECT_THAT(text, HasSubstr("\ncupel explain says what the columns mean.\n"));
  EXPECT_LE(std::ranges::count(text, '\n'), 60);
  for (int i = 0; i < 30; ++i) EXPECT_THAT(all, HasSubstr("undecided/" + std::to_string(i) + "\n"));

  rows.pop_back();
  const std::string alike = gate(report_of(rows), GateFormat::text, {.terminal = {80}});
  EXPECT_THAT(alike, HasSubstr("each of these: not calibrated\n"));
  EXPECT_EQ(alike.find("not calibrated"), alike.rfind("not calibrated"));
  EXPECT_THAT(alike, HasSubstr("of this row 29"));
}

TEST(GateReport, EscapesWhatOthersWroteInEveryFormat) {
  GateRow row = slower(kHostile);
  row.row.notes = {kHostile};
  row.row.family = kHostile;
  row.allowed = kHostile;
  gate::GateReport report = report_of({row}, Outcome::regression);
  report.base = report.contender = kHostile;
  report.result.warnings = {kHostile};
  report.result.reasons = {kHostile};

  for (const GateFormat format : kAll) {
    const std::string text = gate(report, format, {.all = true});
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << text;
    EXPECT_THAT(text, Not(HasSubstr("\n::error::%"))) << text;
    EXPECT_THAT(text, Not(HasSubstr("\xff"))) << text;
  }
  EXPECT_THAT(gate(report, GateFormat::junit), Not(HasSubstr("<script>")));
  EXPECT_THAT(gate(report, GateFormat::annotations), HasSubstr("%25"));
}

TEST(GateReport, OfANameOfAMegabyteStaysReadable) {
  gate::GateReport report = report_of({slower(std::string(1 << 20, 'x'))});

  EXPECT_LT(gate(report, GateFormat::text).size(), 5'000u);
  EXPECT_LT(gate(report, GateFormat::markdown).size(), kLongestComment);
  EXPECT_LT(gate(report, GateFormat::annotations).size(), 5'000u);
}

TEST(GateMarkdown, FitsACommentWhateverTheNumberOfRows) {
  std::vector<GateRow> rows;
  for (int i = 0; i < 2000; ++i) {
    rows.push_back(slower("slow/" + std::to_string(i) + std::string(100, '|')));
    rows.push_back(row_of("same/" + std::to_string(i), Verdict::same, 1));
  }
  const std::string text = gate(report_of(rows, Outcome::regression), GateFormat::markdown);

  EXPECT_LT(text.size(), kLongestComment);
  EXPECT_THAT(text, HasSubstr("more rows did not fit"));
  EXPECT_THAT(text, HasSubstr("<details>"));
  EXPECT_THAT(text, HasSubstr("</details>"));
}

TEST(GateMarkdown, SaysOfRowsThatAreNotGateableWhatThatMeansAsTheTextDoes) {
  GateRow row = slower("rare");
  row.gateable = false;
  const gate::GateReport report = report_of({row, slower("often")}, Outcome::regression);

  for (const GateFormat format : {GateFormat::text, GateFormat::markdown}) {
    const std::string text = gate(report, format);
    EXPECT_THAT(text, HasSubstr("Not gateable: more processes than a gate affords"));
    EXPECT_LT(text.find("often"), text.find("Not gateable"));
    EXPECT_LT(text.find("Not gateable"), text.find("rare"));
    EXPECT_THAT(text, HasSubstr(kExplained));
  }
}

TEST(GateJunit, CountsARegressionAsFailureAndMissingAsErrorAndInconclusiveAsSkipped) {
  const std::string text = gate(report_of({slower("slow"), row_of("gone", Verdict::missing, 1, Outcome::incomplete),
                                           row_of("noisy", Verdict::inconclusive, 1), row_of("same", Verdict::same, 1)},
                                          Outcome::regression),
                                GateFormat::junit);

  EXPECT_THAT(text, HasSubstr("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("name=\"slow\"><failure"));
  EXPECT_THAT(text, HasSubstr("name=\"gone\"><error"));
  EXPECT_THAT(text, HasSubstr("name=\"noisy\"><skipped"));
}

TEST(GateJunit, FailsWhereTheGateAsAWholeIsUndecided) {
  EXPECT_THAT(gate(report_of({row_of("noisy", Verdict::inconclusive, 1)}, Outcome::undecided), GateFormat::junit),
              HasSubstr("errors=\"1\" skipped=\"1\""));
}

TEST(GateAnnotations, NameEachRegressionAndTheOutcome) {
  const std::string text = gate(report_of({slower("a:b,c")}, Outcome::regression), GateFormat::annotations);

  EXPECT_THAT(text, HasSubstr("::error title=a%3Ab%2Cc::SLOWER +5.0 %25"));
  EXPECT_THAT(text, HasSubstr("::error title=cupel gate::cupel gate: regression"));
}

TEST(GateAnnotations, CallABusyMachineAnErrorOnlyWhereTheGateFailsByIt) {
  const std::vector<GateRow> rows{slower("slow"), row_of("busy", Verdict::busy, 1, Outcome::incomplete)};

  EXPECT_THAT(gate(report_of(rows, Outcome::regression), GateFormat::annotations), HasSubstr("::warning title=busy::"));
  EXPECT_THAT(gate(report_of({rows[1]}, Outcome::incomplete), GateFormat::annotations),
              HasSubstr("::error title=busy::"));
  EXPECT_THAT(gate(report_of({row_of("busy", Verdict::busy, 1)}), GateFormat::annotations),
              AllOf(HasSubstr("::notice title=cupel gate::1 row BUSY: busy"), Not(HasSubstr("::error"))));
}

TEST(GateExports, GiveTheNewSidesTimeInNanoseconds) {
  const gate::GateReport report = report_of({row_of("x", Verdict::same, 1.0), row_of("gone", Verdict::missing, 1)});
  gate::GateReport without = report;
  without.result.rows[1].row.contender.value.reset();

  EXPECT_THAT(gate(without, GateFormat::custom_smaller_is_better), HasSubstr("\"value\":1000"));
  EXPECT_THAT(gate(without, GateFormat::custom_smaller_is_better), Not(HasSubstr("gone")));
  EXPECT_THAT(gate(without, GateFormat::bencher), HasSubstr("\"latency\""));
  EXPECT_THAT(gate(without, GateFormat::bencher), HasSubstr("\"lower_value\""));
}

TEST(GateReport, IsStrictJsonWhereItIsJson) {
  gate::GateReport report = report_of({slower(kHostile)}, Outcome::regression);

  for (const GateFormat format : {GateFormat::json, GateFormat::custom_smaller_is_better, GateFormat::bencher}) {
    EXPECT_EQ(record::detail::parse(gate(report, format)).error, "");
  }
}

TEST(GateReport, IsTheSameInAnyLocale) {
  const gate::GateReport report = report_of({slower("x")}, Outcome::regression);
  std::vector<std::string> before, after;
  for (const GateFormat format : kAll) before.push_back(gate(report, format, {.all = true}));

  const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8");
  for (const GateFormat format : kAll) after.push_back(gate(report, format, {.all = true}));
  if (set != nullptr) std::setlocale(LC_ALL, "C");

  EXPECT_EQ(before, after);
}

}  // namespace
}  // namespace cupel::report
