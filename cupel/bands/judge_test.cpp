#include "cupel/bands/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>

#include "cupel/bands/words.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/record/series.hpp"

namespace cupel::bands {
namespace {

std::string uuid(int board) { return "GPU-0000000" + std::to_string(board) + "-0000"; }

figures::Suite empty_suite(int board) {
  figures::Suite suite;
  suite.context.run.started = "2026-11-20T12:00:00Z";
  suite.context.device.emplace();
  suite.context.device->name = "NVIDIA H200";
  suite.context.device->uuid = uuid(board);
  suite.context.device->power_limit_w = 700;
  return suite;
}

void put(figures::Suite& suite, const std::string& family, const std::string& name, record::Mode mode,
         std::vector<double> times_s) {
  figures::Benchmark benchmark;
  benchmark.name = name;
  benchmark.family = family;
  benchmark.modes = {{mode, std::move(times_s), 100}};
  suite.benchmarks.push_back(std::move(benchmark));
}

// Boards that are alike but for what boards and processes differ by. Six families of 50 benchmarks, as results/ has
// them: the sd between boards is 0.45 % in the middle, 2 % of one benchmark in ten; a board's families share 0.3 %.
class Boards {
 public:
  explicit Boards(unsigned seed) : random_(seed) {
    for (int i = 0; i < kFamilies * kEach; ++i) {
      between_boards_.push_back(0.0045 * std::exp(0.8 * normal_(random_)));
      between_processes_.push_back(0.0025 * std::exp(0.9 * normal_(random_)));
    }
  }

  // slow: times of the first family take so many times as long.
  figures::Suite board(int number, int processes, double slow = 1) {
    figures::Suite suite = empty_suite(number);
    for (int family = 0; family < kFamilies; ++family) {
      const double shared = 0.003 * normal_(random_);
      for (int i = 0; i < kEach; ++i) {
        const auto at = static_cast<std::size_t>(family * kEach + i);
        const double log = shared + between_boards_[at] * normal_(random_) + (family == 0 ? std::log(slow) : 0);
        std::vector<double> times_s;
        for (int p = 0; p < processes; ++p)
          times_s.push_back(1e-5 * std::exp(log + between_processes_[at] * normal_(random_)));
        const std::string name = "f" + std::to_string(family);
        put(suite, name, name + "/copy/bytes:" + std::to_string(i), record::Mode::cold, std::move(times_s));
      }
    }
    return suite;
  }

  static constexpr int kFamilies = 6, kEach = 50;

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::vector<double> between_boards_, between_processes_;
};

struct Rates {
  double marked = 0;         // share of a healthy board's benchmarks
  double families = 0;       // share of a healthy board's families
  double found = 0;          // share of boards 5 % slow in a family of which that is said
  double benchmarks_of = 0;  // share of that family's benchmarks that are marked
};

Rates rates(int boards, int processes, int turns) {
  Rates rates;
  for (int turn = 0; turn < turns; ++turn) {
    Boards made(static_cast<unsigned>(turn));
    Bands bands;
    for (int i = 0; i < boards; ++i) add(bands, made.board(i, 5));
    const Judgement healthy = judge(bands, made.board(9, processes));
    rates.marked += static_cast<double>(healthy.benchmarks.size()) / (Boards::kFamilies * Boards::kEach * turns);
    rates.families += static_cast<double>(healthy.families.size()) / (Boards::kFamilies * turns);
    const Judgement slow = judge(bands, made.board(9, processes, 1.05));
    const auto is_slow = [](const Unusual& family) { return family.name == "f0" && family.ratio > 1.03; };
    rates.found += std::ranges::any_of(slow.families, is_slow) / static_cast<double>(turns);
    for (const Unusual& one : slow.benchmarks)
      rates.benchmarks_of += one.name.starts_with("f0/") / static_cast<double>(Boards::kEach * turns);
  }
  return rates;
}

class Judged : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Judged, HealthyBoardsAreSeldomMarkedAndSlowOnesFound) {
  const auto [boards, processes] = GetParam();
  const Rates seen = rates(boards, processes, 100);
  std::printf(
      "%d boards, %d processes: %.2f %% of healthy benchmarks and %.2f %% of families marked; 5 %% slow: %.0f %% "
      "of boards and %.0f %% of benchmarks found\n",
      boards, processes, 100 * seen.marked, 100 * seen.families, 100 * seen.found, 100 * seen.benchmarks_of);
  EXPECT_LE(seen.marked, 0.03);
  EXPECT_LE(seen.families, 0.03);
  EXPECT_GE(seen.found, 0.95);
}

INSTANTIATE_TEST_SUITE_P(BoardsAndProcesses, Judged,
                         testing::Values(std::pair(3, 5), std::pair(5, 5), std::pair(5, 1), std::pair(9, 5)));

// A board of the bands as it was measured: the median is the band's time, the sd that between its processes.
figures::Suite measured(const Bands& bands, const std::string& board, double slow = 1) {
  figures::Suite suite = empty_suite(0);
  suite.context.device->uuid = board + std::string(24, '0');  // as it is published: 32 digits
  for (const auto& [name, band] : bands.benchmarks) {
    const auto own = band.boards.find(board);
    if (own == band.boards.end()) continue;
    std::vector<double> times_s;
    for (const double z : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
      times_s.push_back(slow * own->second.time_s * std::exp(own->second.between * z / std::sqrt(2.5)));
    }
    put(suite, band.family, name, band.mode, std::move(times_s));
  }
  return suite;
}

// Each real board against the others.
TEST(Judged, BoardsThatAreBuiltInAreUsualAmongEachOther) {
  for (const std::string_view text : texts()) {
    Bands bands = bands_from_json(text, "built in");
    bands.model = figures::model_of(empty_suite(0).context);  // the rest of the record is not here
    std::size_t judged = 0, marked = 0, families = 0;
    int boards = 0, found = 0;
    for (const auto& [board, _] : bands.boards) {
      ASSERT_EQ(boards_of(measured(bands, board).context), std::vector{board});  // else it is held against itself
      const Judgement as_it_is = judge(bands, measured(bands, board));
      judged += as_it_is.judged.size();
      marked += as_it_is.benchmarks.size();
      families += as_it_is.families.size();
      if (as_it_is.judged.empty()) continue;
      const Judgement slow = judge(bands, measured(bands, board, 1.05));
      ++boards;
      found += std::ranges::any_of(slow.families, [](const Unusual& family) { return family.ratio > 1.03; });
    }
    // The row of docs/bands.md, which tests/bands/bands_test.py looks for there.
    std::printf(
        "| built in: %d boards of %s, %zu benchmarks | %.1f %% | %zu families | %d of %d, slow in everything | |\n",
        boards, bands.boards.begin()->second.facts.at("GPU").c_str(), judged,
        100.0 * static_cast<double>(marked) / static_cast<double>(judged), families, found, boards);
    EXPECT_LE(static_cast<double>(marked), 0.03 * static_cast<double>(judged));
    EXPECT_EQ(found, boards);
  }
}

TEST(Judged, ABoardDoesNotJudgeItself) {
  Boards made(1);
  Bands bands;
  for (int i = 0; i < 3; ++i) add(bands, made.board(i, 5));
  const Judgement judgement = judge(bands, made.board(0, 5));
  EXPECT_EQ(judgement.boards, 2u);
  EXPECT_TRUE(judgement.judged.empty());
  EXPECT_FALSE(judgement.any());
}

TEST(Judged, BoardsThatWereJoinedDoNotJudgeThemselves) {
  Boards made(1);
  Bands bands;
  for (int i = 0; i < 5; ++i) add(bands, made.board(i, 5));
  figures::Suite joined = made.board(0, 5);
  joined.context.device->uuid = uuid(0) + "," + uuid(1);
  EXPECT_EQ(judge(bands, joined).boards, 3u);
}

TEST(Judged, SaysWhatDiffersInTheRecord) {
  Boards made(1);
  Bands bands;
  for (int i = 0; i < 5; ++i) {
    figures::Suite board = made.board(i, 5);
    board.context.host.logical_cpus = 16;
    add(bands, board);
  }
  figures::Suite capped = made.board(9, 5, 1.2);
  capped.context.device->power_limit_w = 500;
  capped.context.host.logical_cpus = 64;
  const Judgement judgement = judge(bands, capped);
  ASSERT_FALSE(judgement.families.empty());
  EXPECT_EQ(judgement.families.front().name, "f0");
  EXPECT_NEAR(judgement.families.front().ratio, 1.2, 0.01);
  EXPECT_EQ(judgement.families.front().benchmarks, 50);
  EXPECT_EQ(judgement.families.front().boards, 5u);
  EXPECT_EQ(judgement.differs, (std::vector<std::string>{"CPUs: 16 -> 64", "power limit: 700 W -> 500 W"}));
  EXPECT_EQ(judgement.differs_in_host, std::vector<std::string>{"CPUs: 16 -> 64"});
}

TEST(Judged, NothingIsSaidOfProductsOfZeros) {
  Boards made(1);
  Bands bands;
  for (int i = 0; i < 5; ++i) add(bands, made.board(i, 5));
  figures::Suite zeros = made.board(9, 5, 0.8);
  zeros.context.run.notes["--zeros"] = "";
  EXPECT_FALSE(judge(bands, zeros).any());
  EXPECT_THROW(add(bands, zeros), std::invalid_argument);
}

TEST(Judged, NothingIsSaidOfAnotherModel) {
  Boards made(1);
  Bands bands;
  for (int i = 0; i < 5; ++i) add(bands, made.board(i, 5));
  figures::Suite other = made.board(9, 5, 1.5);
  other.context.device->name = "NVIDIA H100";
  EXPECT_FALSE(judge(bands, other).any());
  EXPECT_EQ(judge(bands, other).boards, 0u);
}

// By hand: the logarithms' sd of 10, 11 and 12 is 0.09119, Student's quantile of 0.975 with 2 degrees of freedom 4.303,
// and the interval's half 4.303 * 0.09119 * sqrt(1 + pi / 6) = 0.4843.
TEST(Typical, IsTheMedianWithAnIntervalForOneMoreBoard) {
  Band band;
  band.boards = {{"A", {10, 0}}, {"B", {12, 0}}, {"C", {11, 0}}};

  const Typical of_three = typical(band);

  EXPECT_EQ(of_three.time_s, 11);
  EXPECT_EQ(of_three.boards, 3U);
  EXPECT_NEAR(of_three.sd, 0.09119, 1e-4);
  ASSERT_TRUE(of_three.low_s && of_three.high_s);
  EXPECT_NEAR(*of_three.low_s, 11 * std::exp(-0.4843), 0.01);
  EXPECT_NEAR(*of_three.high_s, 11 * std::exp(0.4843), 0.02);
}

TEST(SpreadCause, IsTheProcessesWhereTheyDifferAsMuchAsBoards) {
  Band band;
  band.boards = {{"A", {10, 0.2}}, {"B", {12, 0.3}}, {"C", {11, 0.1}}};
  EXPECT_EQ(typical(band).within, 0.2);
  EXPECT_EQ(spread_cause(band), "processes");

  for (auto& [_, board] : band.boards) board.between = 0.01;
  EXPECT_EQ(spread_cause(band), "host");
  band.mode = record::Mode::cold;
  EXPECT_EQ(spread_cause(band), "GPU");
  band.boards = {{"A", {10, 0.2}}};
  EXPECT_EQ(spread_cause(band), "");
}

TEST(Typical, HasNoIntervalOfTwoBoards) {
  Band band;
  band.boards = {{"A", {10, 0}}, {"B", {12, 0}}};

  EXPECT_EQ(typical(band).time_s, 11);
  EXPECT_FALSE(typical(band).low_s);
}

TEST(KeepBenchmarks, LeavesThoseThatWereChosenAndNoFamily) {
  Judgement board;
  board.benchmarks = {{.name = "a/x", .ratio = 1.5}, {.name = "b/x", .ratio = 1.2}};
  board.families = {{.name = "a", .ratio = 1.5}};
  board.judged = {"a/x", "a/y", "b/x"};

  keep_benchmarks(board, [](const std::string& name) { return name.starts_with("a/"); });

  EXPECT_EQ(names_of(board.benchmarks), std::vector<std::string>{"a/x"});
  EXPECT_EQ(board.judged, (std::set<std::string>{"a/x", "a/y"}));
  EXPECT_TRUE(board.families.empty());
}

TEST(BoardLine, NamesTheFurthestFamilyAndCountsTheOthersInOneLineOfATerminal) {
  Judgement judgement;
  judgement.model = judgement.gpu = "NVIDIA H200";
  judgement.judged = {"a/x", "b/y"};
  Unusual furthest, other;
  furthest.name = "a", furthest.ratio = 1.25, furthest.boards = 7;
  other.name = "b", other.ratio = 1.1, other.boards = 7;
  judgement.families = {furthest};
  EXPECT_EQ(board_line(judgement), "a 25.0 % slower (device)");
  judgement.benchmarks = {other, other};
  EXPECT_EQ(board_line(judgement), "a 25.0 % slower (device), 2 benchmarks");
  judgement.families = {furthest, other};
  EXPECT_EQ(board_line(judgement), "a 25.0 % slower (device), 1 more family");
  judgement.families[0].on_the_host = true;
  EXPECT_TRUE(board_line(judgement).starts_with("a 25.0 % slower (host)"));
}

TEST(UsualText, SaysNoCountOfOtherBenchmarksWhereNoneThatIsShownHasBoardsEnough) {
  Judgement judgement;
  judgement.model = judgement.gpu = "NVIDIA H200";
  judgement.boards = 6;
  judgement.judged = {"a/x"};
  keep_benchmarks(judgement, [](const std::string& name) { return name == "a/y"; });

  EXPECT_NE(usual_text(judgement).find("bands of these benchmarks have too few other boards, and need 3 at least."),
            std::string::npos);
}

TEST(BoardLine, NamesABenchmarkWhereNoFamilyIsUnusual) {
  Judgement judgement;
  judgement.model = judgement.gpu = "NVIDIA H200";
  judgement.judged = {"a/x", "b/y"};
  Unusual furthest, other;
  furthest.name = "memory/alloc/impl:pool/bytes:1048576", furthest.ratio = 1.658, furthest.on_the_host = true;
  other.name = "b", other.ratio = 0.9;
  judgement.benchmarks = {furthest};
  EXPECT_EQ(board_line(judgement), "memory/alloc 65.8 % slower (host)");
  judgement.benchmarks = {furthest, other, other};
  EXPECT_EQ(board_line(judgement), "memory/alloc 65.8 % slower (host), 2 others");
}

TEST(BoardLine, SaysWhichDifferenceOfTheRecordMayBeTheCauseByTheClockOfTheTimes) {
  Judgement judgement;
  judgement.model = judgement.gpu = "NVIDIA H200";
  judgement.judged = {"a/x"};
  Unusual one;
  one.name = "a/x", one.ratio = 2, one.on_the_host = true;
  judgement.benchmarks = {one};
  judgement.differs = {"power limit: 700 W -> 500 W", "CPUs: 16 -> 64"};
  judgement.differs_in_host = {"CPUs: 16 -> 64"};
  EXPECT_EQ(board_line(judgement), "a/x 100 % slower; another host (CPUs: 16 -> 64)");
  judgement.benchmarks[0].on_the_host = false;
  EXPECT_EQ(board_line(judgement), "a/x 100 % slower; likely its power limit: 700 W -> 500 W");
}

TEST(UnusualCauses, NamesTheFurthestAndCountsTheOthersByOperation) {
  Judgement judgement;
  judgement.gpu = "NVIDIA H200";
  for (const char* name : {"a/x/n:1", "a/x/n:2", "b/y/n:1", "a/x/n:3"}) {
    Unusual one;
    one.name = name, one.ratio = 2, one.boards = 5;
    judgement.benchmarks.push_back(one);
  }

  const figures::Cause cause = unusual_causes(judgement, {"a/x/n:3"}, 1).front();

  EXPECT_NE(cause.what.find("a/x/n:1 100 % slower than 5 other boards; a/x/n:3 100 %"), std::string::npos) << cause.what;
  EXPECT_TRUE(cause.what.ends_with("and 2 more: 1 of a/x, 1 of b/y.")) << cause.what;
  EXPECT_TRUE(cause.remedy.starts_with("cupel show FILE --flat marks each. ")) << cause.remedy;
}

}  // namespace
}  // namespace cupel::bands
