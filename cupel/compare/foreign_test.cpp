// Files of other people's programs against each other: which row is held against which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "cupel/compare/synthetic.hpp"
#include "cupel/record/google_benchmark.hpp"

namespace cupel::compare {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

figures::Suite suite(const std::string& rows, const figures::Renames& renames = {}) {
  const std::string text = R"({"context": {"library_version": "v1.9.4"}, "benchmarks": [)" + rows + "]}";
  return figures::suite_of(record::from_google_benchmark(text, "test"), "file", renames, true);
}

std::string row(const std::string& name, double time) {
  return R"({"name": ")" + name + R"(", "repetition_index": 0, "real_time": )" + std::to_string(time) + "}";
}

std::map<std::string, Verdict> verdicts(const figures::Suite& a, const figures::Suite& b) {
  std::map<std::string, Verdict> found;
  for (const Comparison& one : compare({a, b})) found[one.name] = one.verdict;
  return found;
}

TEST(ForeignRows, OfOneNameWithTwoClocksAreHeldAgainstTheirOwn) {
  const figures::Suite both = suite(row("F/8", 100) + "," + row("F/8/real_time", 120)),
                       one = suite(row("F/8/real_time", 120));

  const std::vector<Comparison> rows = compare({both, one});

  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "F/8");
  EXPECT_EQ(rows[0].verdict, Verdict::missing);
  EXPECT_EQ(rows[1].name, "F/8/real_time");
  EXPECT_EQ(rows[1].ratio, 1);
  EXPECT_THAT(verdicts(one, both),
              UnorderedElementsAre(Pair("F/8", Verdict::added), Pair("F/8/real_time", Verdict::inconclusive)));
}

TEST(ForeignRows, OfAnotherClockAreNotComparable) {
  const std::vector<Comparison> rows = compare({suite(row("F/real_time", 100)), suite(row("F/manual_time", 50))});

  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].verdict, Verdict::not_comparable);
  EXPECT_THAT(rows[0].notes, ElementsAre("different clocks: wall time on the reference, manual time on the contender"));
  EXPECT_THAT(rows[0].printed, ElementsAre("F/real_time", "F/manual_time"));
}

TEST(ForeignRows, OfANameThatOccursTwiceHaveNoTimes) {
  const figures::Suite twice = suite(row("F", 100) + "," + row("F", 50)), once = suite(row("F", 100));

  const Comparison both = compare({twice, twice}).front(), before = compare({twice, once}).front();

  EXPECT_EQ(both.verdict, Verdict::not_comparable);
  EXPECT_THAT(both.notes.front(), HasSubstr("of either side"));
  EXPECT_EQ(both.baseline.value, std::nullopt);
  EXPECT_THAT(before.notes.front(), HasSubstr("of the reference"));
  EXPECT_DOUBLE_EQ(before.contender.value.value(), 100e-9);
}

TEST(ForeignRows, ThatBothSidesSkippedAreSaid) {
  const auto skips = [](const char* why) {
    return suite(std::string(R"({"name": "F", "skipped": true, "skip_message": ")") + why + "\"}");
  };

  const Comparison skipped = compare({skips("no device"), skips("old driver")}).front();

  EXPECT_EQ(skipped.verdict, Verdict::skipped);
  EXPECT_THAT(skipped.notes,
              ElementsAre("reference: 1 process skipped it: no device", "contender: 1 process skipped it: old driver"));
  EXPECT_EQ(verdicts(skips("x"), suite(row("G", 1))).at("F"), Verdict::missing);
  EXPECT_EQ(verdicts(suite(row("G", 1)), skips("x")).at("F"), Verdict::added);
}

TEST(ForeignRows, AreRenamedByEitherSpelling) {
  const figures::Suite now = suite(row("New/8/real_time", 100));
  for (const figures::Renames& renames :
       {figures::Renames{{"Old/8/real_time", "New/8/real_time"}}, {{"Old/8", "New/8"}}}) {
    const figures::Suite before = suite(row("Old/8/real_time", 100), renames);

    EXPECT_THAT(verdicts(before, now), ElementsAre(Pair("New/8", Verdict::inconclusive)));
    EXPECT_EQ(before.renamed.size(), 1u);
  }
  EXPECT_TRUE(suite(row("Old/8", 1), {{"Olt/8", "New/8"}}).renamed.empty());
}

TEST(ForeignRows, HaveARatioAboveOneWhereARateIsWorseAndNoneWithoutADirection) {
  const auto with = [](const char* counters) {
    return suite(std::string(R"({"name": "F", "real_time": 1, )") + counters + "}");
  };

  std::map<std::string, std::optional<double>> ratios;
  for (const Comparison& one :
       compare({with(R"("bytes_per_second": 6, "hits": 1)"), with(R"("bytes_per_second": 3, "hits": 2)")})) {
    if (!one.metric.empty()) ratios[one.metric] = one.ratio;
  }

  EXPECT_THAT(ratios, UnorderedElementsAre(Pair("bytes_per_second", std::optional(2.0)), Pair("hits", std::nullopt)));
}

}  // namespace
}  // namespace cupel::compare
