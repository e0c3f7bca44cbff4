// The program that every family is, as its users start it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

#include "cupel/record/journal.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/listing.hpp"

namespace cupel {
namespace {

namespace fs = std::filesystem;

class HarnessProgram : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("cupel-harness-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
               std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Exit code; what it printed is in text().
  int run(const std::string& arguments) {
    const std::string command = "{ " + std::string(ODD_FAMILY) + " " + arguments + "; } > '" +
                                (folder_ / "out").string() + "' 2>&1 < /dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  std::string text() const {
    std::ifstream in(folder_ / "out");
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // What the journal says was run, in that order.
  std::vector<std::string> begun() const {
    std::vector<std::string> names;
    std::ifstream in(folder_ / "journal");
    const std::regex begin(R"line(\{"begin":"(.*)"\})line");
    std::smatch match;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_match(line, match, begin)) names.push_back(match[1]);
    }
    return names;
  }

  std::map<std::string, record::Row> rows_of(const std::string& file) const {
    std::map<std::string, record::Row> rows;
    for (record::Row& row : record::read(path(file)).rows) rows[row.name] = row;
    return rows;
  }

  fs::path folder_;
};

TEST_F(HarnessProgram, SaysOfEachBenchmarkWhatBecameOfIt) {
  EXPECT_EQ(run("--cupel_out=" + path("all.json")), 4);

  std::map<std::string, record::Row> rows = rows_of("all.json");
  ASSERT_EQ(rows.size(), 6u);
  EXPECT_EQ(rows["odd/skips"].status, record::Status::skipped);
  EXPECT_EQ(rows["odd/skips"].reason, "not on this machine");
  EXPECT_EQ(rows["odd/wrong_result"].status, record::Status::failed);
  EXPECT_EQ(rows["odd/wrong_result"].reason, "wrong result: 1 + 1 gave 3");
  EXPECT_TRUE(rows["odd/wrong_result"].series.empty()) << "a wrong result has no time";
  EXPECT_EQ(rows["odd/throws"].status, record::Status::failed);
  EXPECT_EQ(rows["odd/measures_nothing"].status, record::Status::failed);
  EXPECT_EQ(rows["odd/works/bytes:8"].status, record::Status::ok);
}

TEST_F(HarnessProgram, KeepsEverySampleOfEveryRoundAndWhatTheBodySaid) {
  EXPECT_EQ(run("--benchmark_filter=works --cupel_rounds=2 --cupel_min_samples=20 --cupel_max_samples=20 --cupel_max_wall=60 --cupel_out=" +
                path("works.json")),
            0);

  const record::Row row = rows_of("works.json")["odd/works/bytes:8"];
  ASSERT_NE(row.main_series(), nullptr);
  EXPECT_EQ(row.main_series()->samples_s.size(), 20u);
  EXPECT_EQ(row.main_series()->round_sizes, (std::vector<std::int64_t>{10, 10}));
  for (const double sample_s : row.main_series()->samples_s) EXPECT_GE(sample_s, 200e-6);
  EXPECT_EQ(row.workload.bytes_read, 8);
  EXPECT_TRUE(row.counters.at("launches").exact);
  EXPECT_EQ(row.limit->quantity, "bytes");
  EXPECT_EQ(row.advice.front().scenario, "odd/bytes:8");
  EXPECT_GT(row.timed_s, 0);
  EXPECT_GT(row.wall_s, row.timed_s);
}

TEST_F(HarnessProgram, ListsWithoutRunning) {
  EXPECT_EQ(run("--cupel_list --cupel_profile=full"), 0);

  const record::Listing listing = record::listing_from_json(text(), "stdout");
  EXPECT_EQ(listing.family, "odd");
  EXPECT_EQ(listing.benchmarks.size(), 11u);
}

TEST_F(HarnessProgram, ReportsThroughGoogleBenchmarkInWholeNames) {
  EXPECT_EQ(run("--benchmark_filter=works --benchmark_out_format=json --benchmark_out=" + path("google.json")), 0);

  std::ifstream in(path("google.json"));
  std::ostringstream all;
  all << in.rdbuf();
  EXPECT_NE(all.str().find("\"name\": \"odd/works/bytes:8/iterations:1/manual_time\""), std::string::npos) << all.str();
  EXPECT_NE(all.str().find("bytes_per_second"), std::string::npos);
}

TEST_F(HarnessProgram, RunsOnlyWhatItsFilesAndFilterAllow) {
  std::ofstream(path("only")) << "odd/works/bytes:8\nodd/works/bytes:16\n";
  std::ofstream(path("skip")) << "odd/works/bytes:16\n";

  EXPECT_EQ(run("--benchmark_list_tests --cupel_only=" + path("only") + " --cupel_skip=" + path("skip")), 0);
  EXPECT_EQ(text(), "odd/works/bytes:8\n");
  EXPECT_EQ(run("--benchmark_list_tests --benchmark_filter=-works"), 0);
  EXPECT_EQ(text().find("works"), std::string::npos);
  EXPECT_NE(text().find("odd/skips"), std::string::npos);
}

TEST_F(HarnessProgram, RefusesWrongUseWithTwoAndAnEmptyChoiceWithFive) {
  EXPECT_EQ(run("--cupel_rounds=none"), 2);
  EXPECT_EQ(run("--benchmark_filter='('"), 2);
  EXPECT_EQ(run("--no_such_flag"), 2);
  EXPECT_EQ(run("--cupel_only=" + path("missing")), 2);
  EXPECT_EQ(run("--benchmark_filter=nowhere"), 5);
  EXPECT_EQ(text(), "odd: no benchmark matches; --benchmark_list_tests shows what there is\n");
  EXPECT_EQ(run("--benchmark_filter=bytes:32"), 5);
  EXPECT_EQ(text(), "odd: nothing of the quick profile matches; --cupel_profile=full has 2\n");
}

TEST_F(HarnessProgram, WritesAJournalThatTellsTheEnd) {
  EXPECT_EQ(run("--cupel_journal=" + path("journal")), 4);

  const record::Journal journal = record::read_journal(path("journal"));
  EXPECT_TRUE(journal.ended);
  EXPECT_TRUE(journal.running.empty());
  EXPECT_EQ(journal.rows.size(), 6u);
  EXPECT_TRUE(journal.context.has_value());
}

TEST_F(HarnessProgram, RunsEachOnceAndKeepsNoTimesForAProfiler) {
  EXPECT_EQ(run("--benchmark_filter=works --cupel_once --cupel_out=" + path("once.json") +
                " --cupel_journal=" + path("journal")),
            0);

  const record::Row row = rows_of("once.json")["odd/works/bytes:8"];
  EXPECT_EQ(row.status, record::Status::ok);
  EXPECT_TRUE(row.series.empty());
  EXPECT_EQ(begun(), (std::vector<std::string>{"odd/works/bytes:8", "odd/works/bytes:16"}));
}

TEST_F(HarnessProgram, RunsForAProfilerInTheOrderThatItIsGivenOverAndOver) {
  std::ofstream(path("only")) << "odd/works/bytes:16\nodd/works/bytes:32\nodd/works/bytes:8\n";

  EXPECT_EQ(run("--cupel_profile=full --cupel_once --cupel_rounds=2 --cupel_only=" + path("only") +
                " --cupel_journal=" + path("journal")),
            0);

  EXPECT_EQ(begun(), (std::vector<std::string>{"odd/works/bytes:16", "odd/works/bytes:32", "odd/works/bytes:8",
                                               "odd/works/bytes:16", "odd/works/bytes:32", "odd/works/bytes:8"}));
}

TEST_F(HarnessProgram, KeepsWhatHasSamplesWhenItIsToldToEnd) {
  // Far more rounds than it can do in the time that it is given.
  EXPECT_EQ(run("--benchmark_filter=works --cupel_rounds=1000 --cupel_min_samples=4000 --cupel_max_samples=4000 "
                "--cupel_max_wall=3600 --cupel_journal=" +
                path("journal") + " --cupel_out=" + path("early.json") + " & sleep 1; kill -TERM $!; wait $!"),
            130);

  const record::ResultSet results = record::read(path("early.json"));
  ASSERT_FALSE(results.rows.empty());
  EXPECT_TRUE(results.context.run.interrupted);
  EXPECT_EQ(results.rows.front().status, record::Status::ok);
  EXPECT_NE(results.rows.front().note.find("of 1000 rounds"), std::string::npos) << results.rows.front().note;
  const record::Journal journal = record::read_journal(path("journal"));
  EXPECT_FALSE(journal.ended);
  EXPECT_EQ(journal.rows.size(), results.rows.size());
}

constexpr const char* kSlow = "--benchmark_filter=slowly --cupel_profile=full ";  // 12 rounds of 0.1 s and the sampling

TEST_F(HarnessProgram, EndsInTheTimeThatItIsGivenWithFewerSamples) {
  EXPECT_EQ(run(kSlow + std::string("--cupel_max_wall=10 --cupel_budget=4 --cupel_min_samples=100000 --cupel_out=") +
                path("budget.json")),
            0)
      << text();

  double took_s = 0;
  for (const auto& [name, row] : rows_of("budget.json")) {
    took_s += row.wall_s;
    ASSERT_NE(row.main_series(), nullptr) << name;
    EXPECT_EQ(row.main_series()->round_sizes.size(), 3u) << name;
    EXPECT_FALSE(row.cut_short) << name;
  }
  EXPECT_GT(took_s, 2) << "of the 4 s, 40 of sampling were wanted";
  EXPECT_LT(took_s, 4.5);
}

TEST_F(HarnessProgram, EndsInTheTimeThatItIsGivenWithFewerRoundsAndMarksTheirRows) {
  EXPECT_EQ(run(kSlow + std::string("--cupel_budget=0.7 --cupel_out=") + path("budget.json") +
                " --cupel_journal=" + path("journal")),
            72);

  const record::ResultSet results = record::read(path("budget.json"));
  double took_s = 0;
  for (const record::Row& row : results.rows) {
    took_s += row.wall_s;
    EXPECT_EQ(row.status, record::Status::ok) << row.name;
    EXPECT_TRUE(row.cut_short) << row.name;
    EXPECT_NE(row.note.find("out of time after "), std::string::npos) << row.note;
    ASSERT_NE(row.main_series(), nullptr) << row.name;
    EXPECT_LT(row.main_series()->round_sizes.size(), 3u) << row.name;
  }
  EXPECT_FALSE(results.rows.empty());
  EXPECT_LT(took_s, 1.2) << "all rounds take longer";
  EXPECT_NE(text().find("the time is up: "), std::string::npos) << text();
  EXPECT_FALSE(record::read_journal(path("journal")).ended);
}

TEST_F(HarnessProgram, HasInItsJournalWhatItMeasuredBeforeItWasKilled) {
  EXPECT_NE(run(kSlow +
                std::string("--cupel_budget=60 --cupel_max_wall=40 --cupel_min_samples=4000 --cupel_rounds=40 "
                            "--cupel_max_samples=4000 --cupel_noise_goal=0 --cupel_journal=") +
                path("journal") + " & sleep 2; kill -KILL $!; wait $!"),
            0);

  const record::Journal journal = record::read_journal(path("journal"));
  ASSERT_FALSE(journal.rows.empty());
  EXPECT_TRUE(journal.rows.front().cut_short);
}

TEST_F(HarnessProgram, SaysWhenItsResultCannotBeWritten) {
  EXPECT_NE(run("--benchmark_filter=works --cupel_out=/nowhere/at/all.json"), 0);
  EXPECT_NE(text().find("/nowhere/at/all.json"), std::string::npos) << text();
}

}  // namespace
}  // namespace cupel
