#include "cupel/fleet/expect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"

namespace cupel::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;

TEST(NodeNames, ArePartedByCommasAndWhiteSpace) {
  EXPECT_THAT(node_names("a,b c\n"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(node_names(" ,\n"), IsEmpty());
}

// As scontrol of Slurm 22.05 prints them.
TEST(NodeNames, OfSlurmsShortFormAreWrittenOut) {
  EXPECT_EQ(node_names("n[1-3,7],login1"), (Names{"n1", "n2", "n3", "n7", "login1"}));
  EXPECT_EQ(node_names("n[08-10]"), (Names{"n08", "n09", "n10"}));
  EXPECT_EQ(node_names("r[1-2]n[1-2]"), (Names{"r1n1", "r1n2", "r2n1", "r2n2"}));
}

TEST(NodeNames, MayGoOnAfterABracket) { EXPECT_EQ(node_names("n[1-2]-ib"), (Names{"n1-ib", "n2-ib"})); }

TEST(NodeNames, OccurOnce) { EXPECT_EQ(node_names("n2,n[1-3]"), (Names{"n2", "n1", "n3"})); }

TEST(NodeNames, ThatCannotBeMeantAreRefused) {
  for (const char* list : {"n[1-3", "n1]", "n[3-1]", "n[]", "n[a-b]", "n[1-]", "n[1,,2]", "n[0-2000000]",
                           "a[1-2000]b[1-2000]", "n[99999999999999999999999]"}) {
    EXPECT_THROW(node_names(list), std::invalid_argument) << list;
  }
}

record::ResultSet results_of(int benchmarks, int processes) {
  record::ResultSet results;
  results.context.run.processes = 3;
  for (int i = 0; i < benchmarks; ++i) {
    figures::append(results, figures::rows_of("f/" + std::to_string(i), std::vector<double>(processes, 1e-6)));
  }
  return results;
}

std::vector<figures::Suite> whole(const Names& nodes) {
  std::vector<figures::Suite> suites;
  for (const std::string& node : nodes) suites.push_back(figures::suite_of(results_of(4, 3), node));
  return suites;
}

TEST(Attendance, OfNodesThatAreThereNamesNone) {
  const Attendance found = attendance({"n1", "n2"}, whole({"n1", "n2"}), {});

  EXPECT_EQ(found.expected, 2U);
  EXPECT_THAT(found.absent, IsEmpty());
  EXPECT_THAT(found.unexpected, IsEmpty());
}

TEST(Attendance, NamesWhatIsMissingAndCallsIncompleteWhatCannotBeRead) {
  const Attendance found = attendance({"n1", "n2", "n3"}, whole({"n1", "n9"}), {{"n3", "n3.json: is no JSON"}});

  ASSERT_EQ(found.absent.size(), 2U);
  EXPECT_EQ(found.absent[0].node, "n2");
  EXPECT_EQ(found.absent[0].what, Absence::missing);
  EXPECT_EQ(found.absent[0].why, "no result");
  EXPECT_EQ(found.absent[1].node, "n3");
  EXPECT_EQ(found.absent[1].what, Absence::incomplete);
  EXPECT_EQ(found.absent[1].why, "n3.json: is no JSON");
  EXPECT_THAT(found.unexpected, ElementsAre("n9"));
}

TEST(Attendance, NamesWhatIsIncompleteByWhatTheOthersHave) {
  std::vector<figures::Suite> suites = whole({"n1", "n2"});
  suites.push_back(figures::suite_of(results_of(3, 2), "n3"));  // a benchmark and a process less

  const Attendance found = attendance({"n1", "n2", "n3"}, suites, {});

  ASSERT_EQ(found.absent.size(), 1U);
  EXPECT_EQ(found.absent[0].node, "n3");
  EXPECT_EQ(found.absent[0].what, Absence::incomplete);
  EXPECT_EQ(found.absent[0].why, "6 of 12 rows missing");
}

TEST(Attendance, CountsARowThatFailedAsThereAndOneThatWasCutShortAsMissing) {
  record::ResultSet failed = results_of(4, 3), cut = failed;
  failed.rows[0].status = record::Status::failed;
  failed.rows[0].series.clear();
  cut.rows[0].cut_short = true;
  std::vector<figures::Suite> suites = whole({"n1"});
  suites.push_back(figures::suite_of(failed, "n2"));
  suites.push_back(figures::suite_of(cut, "n3"));

  const Attendance found = attendance({"n1", "n2", "n3"}, suites, {});

  ASSERT_EQ(found.absent.size(), 1U);
  EXPECT_EQ(found.absent[0].node, "n3");
}

TEST(Attendance, SaysThatARunWasInterruptedOrHasNotEnded) {
  std::vector<figures::Suite> suites = whole({"n1", "n2"});
  suites[0].context.run.interrupted = true;
  suites[1].context.run.whole_processes = 1;

  const Attendance found = attendance({"n1", "n2"}, suites, {});

  ASSERT_EQ(found.absent.size(), 2U);
  EXPECT_EQ(found.absent[0].why, "interrupted");
  EXPECT_EQ(found.absent[1].why, "unfinished: 1 of 3 processes");
}

TEST(Attendance, OfFilesThatNobodyExpectedNamesThoseThatAreNotWhole) {
  std::vector<figures::Suite> suites = whole({"n1", "n2", "n4"});
  suites[1].context.run.whole_processes = 1;

  const Attendance found = attendance(suites, {{"n3", "n3.json: is cut short"}});

  EXPECT_FALSE(found.all_were_named);
  EXPECT_EQ(found.expected, 4U);
  ASSERT_EQ(found.absent.size(), 2U);
  EXPECT_EQ(found.absent[0].node, "n2");
  EXPECT_EQ(found.absent[0].why, "unfinished: 1 of 3 processes");
  EXPECT_EQ(found.absent[1].node, "n3");
  EXPECT_EQ(found.absent[1].what, Absence::incomplete);
  EXPECT_THAT(attendance(whole({"n1"}), {}).absent, IsEmpty());
}

TEST(Attendance, GoesByTheNodeOfTheRecordBeforeTheNameOfTheFile) {
  std::vector<figures::Suite> suites = whole({"result-1", "n2"});
  suites[0].context.run.node = "n1";

  const Attendance found = attendance({"n1", "n2"}, suites, {});

  EXPECT_THAT(found.absent, IsEmpty());
  EXPECT_THAT(found.unexpected, IsEmpty());
}

}  // namespace
}  // namespace cupel::fleet
