#include "cupel/gate/stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/stats/random.hpp"

namespace cupel::gate {
namespace {

// Benchmarks whose processes differ by a noise of their own; the new side may be slower.
struct Machine {
  struct Benchmark {
    double sigma = 0.003, slowdown = 0, slower_beside_others = 0;
  };
  std::map<std::string, Benchmark> benchmarks;
  std::vector<std::string> asked = {};  // stages, and what was wanted of each
  int busy_in_first = 0;  // processes a side of each benchmark that are left out of each stage's first part
  std::string interrupted_in = {};
  stats::Random random = stats::Random(1);

  figures::Suite side(const Wanted& wanted, bool contender, int busy) {
    figures::Suite suite;
    for (const auto& [name, processes] : wanted) {
      const Benchmark& benchmark = benchmarks.at(name);
      const bool beside_others = wanted.size() == benchmarks.size();
      const double slowdown = benchmark.slowdown + (beside_others ? benchmark.slower_beside_others : 0);
      figures::Benchmark& seen = suite.benchmarks.emplace_back();
      seen.name = name;
      seen.busy = busy;
      seen.ok = processes - busy;
      figures::Locations& locations = seen.modes.emplace_back();
      for (int i = 0; i < seen.ok; ++i) {
        const double log = benchmark.sigma * random.normal() + (contender ? std::log1p(slowdown) : 0);
        locations.values_s.push_back(std::exp(log));
      }
    }
    return suite;
  }

  StageSuites measure(const Wanted& wanted, const std::string& stage) {
    std::string call = stage;
    for (const auto& [name, processes] : wanted) call += ' ' + name + ':' + std::to_string(processes);
    const bool again = !asked.empty() && asked.back().starts_with(stage);
    asked.push_back(call);
    const int busy = again ? 0 : busy_in_first;
    return {side(wanted, false, busy), side(wanted, true, busy), stage == interrupted_in};
  }

  GateResult run(StageSettings settings, Surroundings surroundings = {}) {
    for (const auto& [name, benchmark] : benchmarks) settings.all[name] = 5;
    surroundings.measure = [&](const Wanted& wanted, const std::string& stage) { return measure(wanted, stage); };
    surroundings.in_whole_processes = [&](const Wanted& wanted) {
      Wanted whole;
      for (const auto& [name, benchmark] : benchmarks) whole[name] = wanted.begin()->second;
      return whole;
    };
    Gate gate({}, nullptr, "2026-11-20");
    run_stages(gate, settings, surroundings);
    return gate.result();
  }
};

// A tenth of a second for each process of a benchmark.
Surroundings timed_by_processes() {
  Surroundings surroundings;
  surroundings.expected_s = [](const Wanted& wanted) {
    double seconds = 0;
    for (const auto& [name, count] : wanted) seconds += 0.1 * count;
    return seconds;
  };
  return surroundings;
}

TEST(Stages, ScreenEverythingAndConfirmTheSuspectsAlone) {
  Machine machine{.benchmarks = {{"a", {}}, {"b", {.slowdown = 0.05}}}};

  EXPECT_EQ(machine.run({}).outcome, Outcome::regression);
  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5 b:5", "confirm b:12"));
}

TEST(Stages, MeasureAsManyProcessesMoreAsWereLeftOut) {
  Machine machine{.benchmarks = {{"a", {}}, {"b", {}}}, .busy_in_first = 1};
  machine.run({});

  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5 b:5", "screen a:1 b:1"));
}

TEST(Stages, ConfirmInWholeProcessesWhatIsSlowBesideTheOthersAlone) {
  Machine machine{.benchmarks = {{"a", {}}, {"b", {.slower_beside_others = 0.2}}, {"c", {}}}};
  const GateResult result = machine.run({});

  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5 b:5 c:5", "confirm b:12", "whole a:12 b:12 c:12"));
  EXPECT_EQ(result.outcome, Outcome::regression);
  EXPECT_EQ(result.rows[1].row.verdict, compare::Verdict::slower);
  EXPECT_EQ(result.rows[1].stage, Stage::whole);
  EXPECT_THAT(result.rows[1].row.notes, testing::Contains(testing::StartsWith("by itself ")));
  EXPECT_EQ(result.rows[0].stage, Stage::screen);
}

TEST(Stages, LeaveWhatIsSlowBesideTheOthersUndecidedWithBothFiguresWhereThereIsNoTime) {
  Machine machine{.benchmarks = {{"a", {}}, {"b", {.slower_beside_others = 0.2}}, {"c", {}}}};
  const GateResult result = machine.run({.all = {}, .until_decided = false, .budget_s = 2.0}, timed_by_processes());

  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5 b:5 c:5", "confirm b:12"));
  EXPECT_EQ(result.rows[1].row.verdict, compare::Verdict::inconclusive);
  EXPECT_THAT(
      result.rows[1].row.notes,
      testing::Contains(testing::MatchesRegex("beside the other benchmarks of its program .[12][0-9].* by itself .*")));
  EXPECT_EQ(result.outcome, Outcome::undecided);
}

TEST(Stages, EndWithTheOneThatWasInterrupted) {
  Machine machine{.benchmarks = {{"a", {.slowdown = 0.05}}}, .interrupted_in = "screen"};

  EXPECT_TRUE(machine.run({}).interrupted);
  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5"));
}

// The screen's five cannot say SAME of every one of its kind.
TEST(Stages, MeasureGateableRowsThatTheScreenLeavesOpenByThemselves) {
  int reruns = 0, undecided = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Machine machine{.benchmarks = {{"a", {}}, {"b", {.sigma = 0.013}}}, .random = stats::Random(seed)};
    const GateResult result = machine.run({}, timed_by_processes());

    reruns += machine.asked.back() == "rerun b:32";
    undecided += result.inconclusive;
  }

  EXPECT_GE(reruns, 5);
  EXPECT_EQ(undecided, 0);
}

TEST(Stages, DoNotMeasureAgainWhatIsNotGateable) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Machine machine{.benchmarks = {{"a", {}}, {"c", {.sigma = 0.3}}}, .random = stats::Random(seed)};
    machine.run({}, timed_by_processes());

    // Suspected by the screen, whose five processes shift by the tolerance, it is measured again; else it is not.
    const bool suspect = machine.asked.size() > 1 && machine.asked[1].starts_with("confirm c");
    EXPECT_TRUE(suspect || machine.asked.size() == 1) << seed;
  }
}

TEST(Stages, RerunOnlyWhatTheBudgetHasTimeFor) {
  Machine machine{.benchmarks = {{"a", {.sigma = 0.02}}, {"b", {.sigma = 0.06}}}};

  const GateResult result = machine.run({.all = {}, .until_decided = true, .budget_s = 0.5}, timed_by_processes());

  EXPECT_THAT(result.warnings, testing::Contains(testing::HasSubstr("leaves time to decide 0 of")));
  EXPECT_THAT(machine.asked, testing::Each(testing::Not(testing::StartsWith("rerun"))));
}

TEST(Stages, ConfirmOnlyTheSuspectsThatTheBudgetHasTimeFor) {
  Machine machine{.benchmarks = {{"a", {.slowdown = 0.05}}}};

  const GateResult result = machine.run({.all = {}, .budget_s = 0.5}, timed_by_processes());

  EXPECT_THAT(result.warnings, testing::Contains(testing::HasSubstr("leaves time to confirm 0 of 1 suspect")));
  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5"));
  EXPECT_EQ(result.rows.front().row.verdict, compare::Verdict::inconclusive);
}

TEST(Stages, MeasureNothingAnewBehindTheScreenThatTheBudgetHasNoTimeFor) {
  Machine machine{.benchmarks = {{"a", {.slowdown = 0.05}}}, .busy_in_first = 2};
  Surroundings surroundings = timed_by_processes();
  surroundings.elapsed_s = [&] { return machine.asked.size() < 3 ? 0.0 : 10.0; };
  machine.run({.all = {}, .budget_s = 2}, surroundings);

  EXPECT_THAT(machine.asked, testing::ElementsAre("screen a:5", "screen a:2", "confirm a:12"));
}

TEST(Stages, TakeAtMostTwiceEachStageWithEveryBenchmarkASuspect) {
  const Surroundings surroundings = timed_by_processes();
  const Wanted all{{"a", 5}};

  EXPECT_NEAR(most_s({.all = all, .budget_s = std::nullopt}, surroundings).value_or(0), 2 * (0.5 + 3.2) + 2 * 30, 1e-9);
  EXPECT_EQ(most_s({.all = all, .budget_s = 10}, surroundings), 10);
  EXPECT_EQ(most_s({.all = all, .budget_s = 0.1}, surroundings), 1);
  EXPECT_EQ(most_s({.all = all, .until_decided = true, .budget_s = std::nullopt}, surroundings), std::nullopt);
}

}  // namespace
}  // namespace cupel::gate
