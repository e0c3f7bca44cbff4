#include "cupel/gate/gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cupel/compare/synthetic.hpp"
#include "cupel/stats/mann_whitney.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::gate {
namespace {

constexpr const char* kToday = "2026-11-20";

using Times = std::map<std::string, std::vector<double>>;

record::Row row_of(const std::string& name, int process, double time_s) {
  record::Row row;
  row.name = name;
  row.process = process;
  row.series.emplace_back().samples_s = {time_s};
  return row;
}

figures::Suite suite_of_rows(const std::vector<record::Row>& rows, const std::string& cpu = "CPU") {
  record::ResultSet results;
  results.context.host.cpu = cpu;
  results.rows = rows;
  return figures::suite_of(results, "suite");
}

figures::Suite suite_of_times(const Times& times) {
  std::vector<record::Row> rows;
  for (const auto& [name, values] : times) {
    for (std::size_t i = 0; i < values.size(); ++i) rows.push_back(row_of(name, static_cast<int>(i), values[i]));
  }
  return suite_of_rows(rows);
}

// Processes about `centre`, evenly spread over +- spread, in a mixed order, `phase` apart from another such list.
std::vector<double> spread(int processes, double centre, double spread, double phase = 0) {
  std::vector<double> values;
  for (int i = 0; i < processes; ++i) {
    const double place = (2.0 * ((7 * i) % processes) + 1 + phase) / processes - 1;
    values.push_back(centre * std::exp(spread * place));
  }
  return values;
}

GateRow find(const GateResult& result, const std::string& name) {
  for (const GateRow& row : result.rows) {
    if (row.row.name == name && row.row.metric.empty()) return row;
  }
  throw std::logic_error("no row " + name);
}

// Screens and confirms with the same true centres.
GateResult gate_of(const std::map<std::string, std::pair<double, double>>& centres, double noise,
                   GatePolicy policy = {}) {
  const auto times = [&](int processes, bool contender) {
    Times found;
    for (const auto& [name, centre] : centres) {
      found[name] = spread(processes, contender ? centre.second : centre.first, noise, contender ? 0.3 : 0);
    }
    return found;
  };
  Gate gate(std::move(policy), nullptr, kToday);
  gate.screen(suite_of_times(times(5, false)), suite_of_times(times(5, true)));
  Times base, contender;
  for (const auto& [name, processes] : gate.suspects()) {
    base[name] = times(processes, false)[name];
    contender[name] = times(processes, true)[name];
  }
  gate.confirm(suite_of_times(base), suite_of_times(contender));
  return gate.result();
}

TEST(Gate, FindsTheSlowerTheFasterAndTheSame) {
  const GateResult result = gate_of({{"fast", {1, 0.95}}, {"same", {1, 1}}, {"slow", {1, 1.05}}}, 0.003);

  EXPECT_EQ(find(result, "slow").row.verdict, compare::Verdict::slower);
  EXPECT_EQ(find(result, "slow").stage, Stage::confirm);
  EXPECT_EQ(find(result, "slow").row.baseline.processes, 12);
  EXPECT_EQ(find(result, "fast").row.verdict, compare::Verdict::faster);
  EXPECT_EQ(find(result, "same").row.verdict, compare::Verdict::same);
  EXPECT_EQ(find(result, "same").stage, Stage::screen);
  EXPECT_EQ(result.outcome, Outcome::regression);
  EXPECT_THAT(result.reasons,
              testing::ElementsAre(testing::MatchesRegex("1 row is slower: slow by 5[.0-9]* % .fix it, or .*")));
}

TEST(Gate, PassesWhatIsOnlyFaster) { EXPECT_EQ(gate_of({{"fast", {1, 0.9}}}, 0.003).outcome, Outcome::passed); }

TEST(Gate, DoesNotCallADifferenceBelowTheToleranceSlower) {
  const GateResult result = gate_of({{"x", {1, 1.008}}}, 0.0005);

  EXPECT_EQ(find(result, "x").row.verdict, compare::Verdict::same);
  EXPECT_EQ(result.outcome, Outcome::passed);
}

TEST(Gate, SaysThatItCannotTellWhereTheNoiseIsTooLarge) {
  const GateResult result = gate_of({{"x", {1, 1}}}, 0.06);

  const compare::Comparison& row = find(result, "x").row;
  EXPECT_EQ(row.verdict, compare::Verdict::inconclusive);
  EXPECT_GT(*row.mde, 0.03);
  EXPECT_GT(row.processes_to_decide.value_or(0), 32);
  EXPECT_EQ(result.outcome, Outcome::undecided);
}

TEST(Gate, ListsApartWhatNoAffordableNumberOfProcessesDecides) {
  const auto gate_by = [](const GatePolicy& policy) {
    Gate gate(policy, nullptr, kToday);
    gate.screen(suite_of_times({{"calm", spread(5, 1, 0.001)}, {"noisy", spread(5, 1, 0.06)}}),
                suite_of_times({{"calm", spread(5, 1, 0.001)}, {"noisy", spread(5, 1, 0.06)}}));
    return gate.result();
  };
  GatePolicy count, fail;
  count.rules.not_gateable = Action::count;
  fail.rules.not_gateable = Action::fail;
  const GateResult result = gate_by({});

  EXPECT_FALSE(find(result, "noisy").gateable);
  EXPECT_TRUE(find(result, "calm").gateable);
  EXPECT_EQ(result.inconclusive, 0);
  EXPECT_EQ(result.not_gateable, 1);
  EXPECT_EQ(result.outcome, Outcome::passed);
  EXPECT_EQ(gate_by(count).outcome, Outcome::undecided);
  EXPECT_EQ(gate_by(fail).outcome, Outcome::undecided);
}

TEST(Gate, DecidesNothingWhereNoRowIsGateableUnlessThePolicyLetsThatPass) {
  const auto outcome_by = [](const std::string& policy) {
    Gate gate(policy_from_json(policy, "policy.json"), nullptr, kToday);
    gate.screen(suite_of_times({{"noisy", spread(5, 1, 0.06)}}), suite_of_times({{"noisy", spread(5, 1, 0.06)}}));
    return gate.result().outcome;
  };

  EXPECT_EQ(outcome_by(R"({"cupel_gate_policy": 1})"), Outcome::undecided);
  EXPECT_EQ(outcome_by(R"({"cupel_gate_policy": 1, "on": {"not_gateable": "ignore"}})"), Outcome::passed);
  EXPECT_EQ(
      outcome_by(R"({"cupel_gate_policy": 1, "overrides": [{"benchmark": "", "on": {"not_gateable": "ignore"}}]})"),
      Outcome::undecided);
  EXPECT_EQ(outcome_by(R"({"cupel_gate_policy": 1, "on": {"not_gateable": "count"}})"), Outcome::undecided);
  EXPECT_EQ(outcome_by(R"({"cupel_gate_policy": 1, "max_inconclusive": 1})"), Outcome::passed);
  EXPECT_EQ(outcome_by(R"({"cupel_gate_policy": 1, "max_inconclusive": 1, "on": {"not_gateable": "fail"}})"),
            Outcome::undecided);
}

TEST(Gate, CallsASuspectThatWasNotMeasuredAgainInconclusive) {
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_times({{"x", spread(5, 1, 0.003)}}), suite_of_times({{"x", spread(5, 1.05, 0.003)}}));

  EXPECT_EQ(gate.suspects(), (std::map<std::string, int>{{"x", 12}}));
  EXPECT_EQ(find(gate.result(), "x").row.verdict, compare::Verdict::inconclusive);
}

TEST(Gate, ConfirmsOnFreshDataOnly) {
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_times({{"x", spread(5, 1, 0.003)}}), suite_of_times({{"x", spread(5, 1.05, 0.003)}}));
  const figures::Suite base = suite_of_times({{"x", spread(12, 1, 0.003)}});
  const figures::Suite contender = suite_of_times({{"x", spread(12, 1, 0.003, 0.3)}});
  gate.confirm(base, contender);
  ASSERT_EQ(find(gate.result(), "x").row.verdict, compare::Verdict::inconclusive);  // by itself it is another thing
  ASSERT_EQ(gate.contradicted(), (std::map<std::string, int>{{"x", 12}}));
  gate.whole(base, contender);

  EXPECT_EQ(find(gate.result(), "x").row.verdict, compare::Verdict::same);
  EXPECT_THAT(find(gate.result(), "x").row.notes, testing::Contains(testing::StartsWith("by itself ")));
}

TEST(Gate, RerunsWhatIsUndecidedAtHalfTheLevel) {
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_times({{"x", spread(5, 1, 0.06)}}), suite_of_times({{"x", spread(5, 1.001, 0.06, 0.3)}}));
  gate.confirm(suite_of_times({}), suite_of_times({}));
  const std::map<std::string, int> undecided = gate.undecided();
  ASSERT_EQ(undecided.size(), 1u);
  const int processes = undecided.at("x");

  gate.rerun(suite_of_times({{"x", spread(processes, 1, 0.06)}}),
             suite_of_times({{"x", spread(processes, 1.001, 0.06, 0.3)}}));

  const GateResult result = gate.result();
  EXPECT_EQ(find(result, "x").stage, Stage::rerun);
  EXPECT_EQ(find(result, "x").row.verdict, compare::Verdict::same);
}

CalibratedBenchmark calibrated_of(const std::vector<double>& group) {
  CalibratedBenchmark known;
  known.sessions = {{group, group}};
  return known;
}

Logs logs_of(std::vector<double> base, std::vector<double> contender) {
  for (std::vector<double>* side : {&base, &contender}) {
    for (double& value : *side) value = std::log(value);
  }
  return {base, contender};
}

// One process of the base that is far off denies the screen a p of 5 %.
TEST(Screen, SuspectsAShiftOfTheToleranceWhateverItsPAndThoughItIsCalibrated) {
  const Logs spiked = logs_of({1, 1.001, 1.002, 1.003, 3}, {1.1, 1.101, 1.102, 1.103, 1.104});
  const CalibratedBenchmark quiet = calibrated_of(spread(10, 1, 0.003)), loud = calibrated_of(spread(10, 1, 0.3));

  EXPECT_GT(screen(spiked, {}).p_slower, kScreenP);
  EXPECT_TRUE(screen(spiked, {}).slower);
  EXPECT_TRUE(screen(spiked, {}, &quiet).slower);
  EXPECT_FALSE(screen(spiked, {}, &loud).slower);
}

// One of twenty calibrated processes took three times as long: by their sd nothing below 60 % could be found.
TEST(Screen, TakesSingleProcessesFarOffForNoNoiseThatHidesTheTarget) {
  CalibratedBenchmark spiked = calibrated_of(spread(10, 1, 0.003));
  spiked.sessions[0][1][4] = 3;

  EXPECT_GT(*spiked.sigma(), 0.2);
  EXPECT_LT(*spiked.sigma_at(), 0.015);
  EXPECT_LT(*spiked.gateable_at(), 0.03);
}

TEST(Gate, CallsSlowerOnFreshDataWhatTheScreenSuspectedToBeFaster) {
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_times({{"x", {1.1, 1.101, 1.102, 1.103, 1.104}}}), suite_of_times({{"x", spread(5, 1, 0.001)}}));
  const figures::Suite base = suite_of_times({{"x", spread(12, 1, 0.003)}});
  const figures::Suite slower = suite_of_times({{"x", spread(12, 1.05, 0.003)}});
  gate.confirm(base, slower);
  ASSERT_EQ(find(gate.result(), "x").row.verdict, compare::Verdict::inconclusive);
  gate.whole(base, slower);

  EXPECT_EQ(find(gate.result(), "x").row.verdict, compare::Verdict::slower);
}

TEST(Gate, JudgesWhetherARowIsGateableByTheBaseAndNotByTheNewSide) {
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_times({{"x", spread(5, 1, 0.003)}, {"y", spread(5, 1, 0.3)}}),
              suite_of_times({{"x", {0.5, 0.8, 1, 1.3, 2}}, {"y", spread(5, 1, 0.003)}}));

  EXPECT_TRUE(find(gate.result(), "x").gateable);
  EXPECT_FALSE(find(gate.result(), "y").gateable);
}

// Quiet, but `far` of its processes take twice as long.
std::vector<double> erratic(int processes, int far) {
  std::vector<double> values = spread(processes, 1, 0.003);
  for (int i = 0; i < far; ++i) values[static_cast<std::size_t>(2 * i)] *= 2;
  return values;
}

// A gate of a quiet row and of "x", of which so many of 5, and then of 32 processes take twice as long on either side.
GateResult gate_of_erratic(std::pair<int, int> base, std::pair<int, int> contender, GatePolicy policy = {}) {
  Gate gate(std::move(policy), nullptr, kToday);
  gate.screen(suite_of_times({{"quiet", spread(5, 1, 0.003)}, {"x", erratic(5, base.first)}}),
              suite_of_times({{"quiet", spread(5, 1, 0.003, 0.3)}, {"x", erratic(5, contender.first)}}));
  EXPECT_EQ(gate.suspects(), (std::map<std::string, int>{{"x", 32}}));
  gate.confirm(suite_of_times({{"x", erratic(32, base.second)}}),
               suite_of_times({{"x", erratic(32, contender.second)}}));
  return gate.result();
}

TEST(Noisier, FailsAGateWhereTheNewSideAloneIsErratic) {
  const GateResult result = gate_of_erratic({0, 0}, {2, 13});

  EXPECT_EQ(find(result, "x").row.verdict, compare::Verdict::noisier);
  EXPECT_EQ(result.outcome, Outcome::regression);
  EXPECT_EQ(result.noisier, 1);
  EXPECT_THAT(result.reasons, testing::ElementsAre(testing::StartsWith("1 row is noisier: x (")));
  EXPECT_THAT(find(result, "x").row.notes, testing::Contains(testing::HasSubstr("the base's by 0.17")));
}

TEST(Noisier, IsNotSaidWhereBothSidesHaveTwoLevels) {
  const GateResult result = gate_of_erratic({0, 10}, {2, 13});

  EXPECT_NE(find(result, "x").row.verdict, compare::Verdict::noisier);
  EXPECT_EQ(result.noisier, 0);
}

TEST(Noisier, IsNotSaidOfWhatFreshProcessesDoNotShow) {
  EXPECT_EQ(find(gate_of_erratic({0, 0}, {1, 0}), "x").row.verdict, compare::Verdict::same);
}

TEST(Noisier, IsLetThroughByThePolicyAndItsAllowances) {
  GatePolicy ignoring, allowing;
  ignoring.rules.noisier = Action::ignore;
  allowing.allow.push_back({record::Pattern("^x$"), compare::Verdict::noisier, std::nullopt, "known", "2026-12-31"});

  EXPECT_EQ(gate_of_erratic({0, 0}, {2, 13}, ignoring).outcome, Outcome::passed);
  EXPECT_EQ(gate_of_erratic({0, 0}, {2, 13}, allowing).outcome, Outcome::passed);
}

TEST(Gate, FailsWhereABenchmarkIsGoneAndPassesWhereOneIsNew) {
  Gate gone({}, nullptr, kToday), added({}, nullptr, kToday);
  const figures::Suite one = suite_of_times({{"a", spread(5, 1, 0.003)}});
  const figures::Suite two = suite_of_times({{"a", spread(5, 1, 0.003, 0.3)}, {"b", spread(5, 1, 0.003)}});
  gone.screen(two, one);
  added.screen(one, two);

  EXPECT_EQ(gone.result().outcome, Outcome::incomplete);
  EXPECT_EQ(find(gone.result(), "b").row.verdict, compare::Verdict::missing);
  EXPECT_EQ(added.result().outcome, Outcome::passed);
  EXPECT_EQ(find(added.result(), "b").row.verdict, compare::Verdict::added);
}

TEST(Gate, ThatWasInterruptedNeverPasses) {
  Gate before_base({}, nullptr, kToday), amid({}, nullptr, kToday);
  const figures::Suite suite = suite_of_times({{"a", spread(5, 1, 0.003)}, {"b", spread(5, 1, 0.003)}});
  before_base.set_interrupted();
  amid.set_interrupted();
  before_base.screen({}, suite);
  amid.screen(suite, suite_of_times({{"a", spread(5, 1, 0.003, 0.3)}}));

  EXPECT_EQ(before_base.result().outcome, Outcome::undecided);
  EXPECT_THAT(before_base.result().differences, testing::IsEmpty());
  EXPECT_EQ(find(before_base.result(), "a").row.verdict, compare::Verdict::inconclusive);
  EXPECT_EQ(amid.result().outcome, Outcome::undecided);
  EXPECT_THAT(amid.result().reasons,
              testing::ElementsAre("the gate was interrupted before everything was measured (gate again)"));
  EXPECT_EQ(find(amid.result(), "a").row.verdict, compare::Verdict::same);
  EXPECT_THAT(find(amid.result(), "b").row.notes,
              testing::Contains("the gate was interrupted before both sides were measured"));
}

TEST(Gate, NeverTakesABenchmarkThatFailedForASpeedUp) {
  std::vector<record::Row> rows;
  for (int i = 0; i < 5; ++i) {
    rows.push_back(row_of("a", i, 0.1));
    if (i == 3) {
      rows.back().status = record::Status::failed;
      rows.back().reason = "illegal address";
      rows.back().series.clear();
    }
  }
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_times({{"a", spread(5, 1, 0.003)}}), suite_of_rows(rows));

  const GateResult result = gate.result();
  EXPECT_EQ(find(result, "a").row.verdict, compare::Verdict::failed);
  EXPECT_EQ(result.outcome, Outcome::incomplete);
}

TEST(Gate, UsesNoProcessThatWasThrottled) {
  std::vector<record::Row> base, contender;
  for (int i = 0; i < 6; ++i) {
    base.push_back(row_of("a", i, 1 + 0.001 * i));
    contender.push_back(row_of("a", i, i == 3 ? 50 : 1 + 0.001 * i));
    contender.back().disturbed = i == 3;
  }
  Gate gate({}, nullptr, kToday);
  gate.screen(suite_of_rows(base), suite_of_rows(contender));

  const compare::Comparison& row = find(gate.result(), "a").row;
  EXPECT_EQ(row.verdict, compare::Verdict::same);
  EXPECT_EQ(row.contender.processes, 5);
  EXPECT_EQ(row.contender.disturbed, 1);
  EXPECT_THAT(row.notes, testing::Contains(testing::HasSubstr("throttled")));
}

TEST(Gate, RefusesAnotherMachine) {
  Gate gate({}, nullptr, kToday);

  EXPECT_FALSE(gate.screen(suite_of_rows({row_of("a", 0, 1)}), suite_of_rows({row_of("a", 0, 1)}, "Other CPU")));
  EXPECT_EQ(gate.result().outcome, Outcome::not_comparable);
  EXPECT_TRUE(gate.result().rows.empty());
}

TEST(Gate, HoldsCountsAgainstEachOtherForEquality) {
  const auto with_registers = [](double registers) {
    std::vector<record::Row> rows;
    for (int i = 0; i < 5; ++i) {
      rows.push_back(row_of("a", i, 1 + 0.0001 * i));
      rows.back().counters["registers"] = {registers, "count", record::Better::lower, true};
    }
    return suite_of_rows(rows);
  };
  Gate gate({}, nullptr, kToday);
  gate.screen(with_registers(40), with_registers(41));

  const GateResult result = gate.result();
  EXPECT_EQ(result.outcome, Outcome::regression);
  EXPECT_EQ(result.rows.at(1).row.metric, "registers");
  EXPECT_EQ(result.rows.at(1).row.verdict, compare::Verdict::slower);
}

TEST(Gate, LetsThroughWhatThePolicyAllowsAndSaysWhy) {
  GatePolicy policy;
  policy.allow.push_back(
      {record::Pattern("^x$"), compare::Verdict::slower, std::nullopt, "the fix costs 5 %", "2026-12-31"});
  const GateResult result = gate_of({{"x", {1, 1.05}}}, 0.003, policy);

  EXPECT_EQ(find(result, "x").row.verdict, compare::Verdict::slower);
  EXPECT_EQ(find(result, "x").allowed, "the fix costs 5 % (until 2026-12-31)");
  EXPECT_EQ(result.outcome, Outcome::passed);
}

TEST(Gate, SaysWhichAllowancesAreOver) {
  GatePolicy policy;
  policy.allow.push_back(
      {record::Pattern("^x$"), compare::Verdict::slower, std::nullopt, "the fix costs 5 %", "2026-11-19"});
  const GateResult result = gate_of({{"x", {1, 1.05}}}, 0.003, policy);

  EXPECT_EQ(result.outcome, Outcome::regression);
  EXPECT_THAT(result.warnings, testing::ElementsAre(testing::HasSubstr("ended on 2026-11-19")));
}

TEST(Gate, OfASuiteWithItselfSaysSameOrInconclusiveOnly) {
  stats::Random random(1);
  for (int repetition = 0; repetition < 200; ++repetition) {
    Times times;
    for (const char* name : {"a", "b", "c"}) {
      const double sigma = 0.05 * random.uniform();
      for (int i = 0; i < 5; ++i) times[name].push_back(std::exp(sigma * random.normal()));
    }
    Gate gate({}, nullptr, kToday);
    gate.screen(suite_of_times(times), suite_of_times(times));

    EXPECT_TRUE(gate.suspects().empty());
    for (const GateRow& row : gate.result().rows) {
      EXPECT_TRUE(row.row.verdict == compare::Verdict::same || row.row.verdict == compare::Verdict::inconclusive);
    }
  }
}

// 1,000 random suites, screened and confirmed both ways round.
TEST(Gate, MirrorsEveryVerdictWhenTheSidesAreSwapped) {
  stats::Random random(2);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    Times screen[2], fresh[2];
    for (const char* name : {"a", "b"}) {
      const double sigma = 0.02 * random.uniform(), shift = 0.1 * (random.uniform() - 0.5);
      for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < 5; ++i) screen[side][name].push_back(std::exp(side * shift + sigma * random.normal()));
        for (int i = 0; i < 12; ++i) fresh[side][name].push_back(std::exp(side * shift + sigma * random.normal()));
      }
    }
    Gate there({}, nullptr, kToday), back({}, nullptr, kToday);
    there.screen(suite_of_times(screen[0]), suite_of_times(screen[1]));
    back.screen(suite_of_times(screen[1]), suite_of_times(screen[0]));
    const auto is_noisier = [](const GateRow& row) { return row.noisier; };
    // NOISIER is about the new side alone.
    if (std::ranges::any_of(there.result().rows, is_noisier) || std::ranges::any_of(back.result().rows, is_noisier)) {
      continue;
    }
    ASSERT_EQ(there.suspects(), back.suspects());
    there.confirm(suite_of_times(fresh[0]), suite_of_times(fresh[1]));
    back.confirm(suite_of_times(fresh[1]), suite_of_times(fresh[0]));

    const GateResult forward = there.result(), backward = back.result();
    for (std::size_t i = 0; i < forward.rows.size(); ++i) {
      EXPECT_EQ(forward.rows[i].row.verdict, mirrored(backward.rows[i].row.verdict));
      EXPECT_NEAR(*forward.rows[i].row.ratio * *backward.rows[i].row.ratio, 1, 1e-12);
      EXPECT_NEAR(*forward.rows[i].row.lower * *backward.rows[i].row.upper, 1, 1e-12);
    }
  }
}

// Whatever the data, SAME is not said of a row whose minimum detectable effect exceeds the target.
TEST(Gate, NeverSaysSameOfWhatItCouldNotHaveSeen) {
  stats::Random random(3);
  for (int repetition = 0; repetition < 1000; ++repetition) {
    Times base, contender;
    const std::size_t n = 1 + random.below(8), m = 1 + random.below(8);
    const double sigma = std::exp(-8 + 7 * random.uniform()), shift = 0.1 * random.normal() * random.uniform();
    for (std::size_t i = 0; i < n; ++i) base["a"].push_back(std::exp(sigma * random.normal()));
    for (std::size_t i = 0; i < m; ++i) contender["a"].push_back(std::exp(shift + sigma * random.normal()));
    Gate screened({}, nullptr, kToday), stored({}, nullptr, kToday);
    screened.screen(suite_of_times(base), suite_of_times(contender));
    stored.against_stored(suite_of_times(base), suite_of_times(contender));

    for (const Gate* gate : {&screened, &stored}) {
      const compare::Comparison& row = find(gate->result(), "a").row;
      if (row.verdict == compare::Verdict::same) {
        ASSERT_TRUE(row.mde);
        EXPECT_LE(*row.mde, 0.03);
      }
    }
  }
}

TEST(Gate, GivesEveryRowThatItDecidedItsFigures) {
  const GateResult result = gate_of({{"fast", {1, 0.95}}, {"noisy", {1, 1}}, {"slow", {1, 1.05}}}, 0.003);

  for (const GateRow& row : result.rows) {
    EXPECT_TRUE(row.row.ratio && row.row.lower && row.row.upper && row.row.p && row.row.p_adjusted && row.row.mde);
    EXPECT_GT(row.row.baseline.processes, 0);
    EXPECT_GT(row.row.contender.samples, 0);
  }
}

// The p of processes that do not overlap.
double least_p(int processes) { return stats::smallest_p(processes, processes); }

// The processes that a stage plans for so many rows: all slower, other figures by themselves, or undecided by noise.
std::map<std::string, int> planned(double alpha, Stage stage, int rows) {
  GatePolicy policy;
  policy.alpha = alpha;
  Times base, slower, loud;
  for (int i = 0; i < rows; ++i) {
    const std::string name = "r" + std::to_string(i);
    base[name] = spread(5, 1, 0.003);
    slower[name] = spread(5, 1.05, 0.003);
    loud[name] = spread(5, 1.001, 0.06, 0.3);
  }
  Gate gate(policy, nullptr, kToday);
  gate.screen(suite_of_times(base), suite_of_times(stage == Stage::rerun ? loud : slower));
  if (stage == Stage::rerun) return gate.undecided();
  if (stage == Stage::confirm) return gate.suspects();
  Times alone;
  for (const auto& [name, processes] : gate.suspects()) alone[name] = spread(processes, 1, 0.003);
  gate.confirm(suite_of_times(alone), suite_of_times(alone));
  return gate.contradicted();
}

TEST(Level, IsReachedByTheProcessesOfEachStageWhateverThePolicyAsksFor) {
  const std::map<Stage, double> shares{{Stage::confirm, 0.5}, {Stage::rerun, 0.4}, {Stage::whole, 0.1}};
  for (const auto& [stage, share] : shares) {
    for (const double alpha : {0.5, 0.002, 1e-6, 1e-9, kLeastAlpha}) {
      for (const int rows : {1, 3, 100}) {
        const std::map<std::string, int> wanted = planned(alpha, stage, rows);

        ASSERT_EQ(static_cast<int>(wanted.size()), rows) << to_string(stage);
        for (const auto& [name, processes] : wanted) {
          EXPECT_LE(least_p(processes) * rows, alpha * share) << to_string(stage) << ' ' << alpha << ' ' << rows;
        }
      }
    }
  }
}

TEST(Level, ThatIsTheLeastIsReachedByTheMostProcessesOverAHundredThousandRows) {
  EXPECT_LE(least_p(kAffordable) * 1e5, kLeastAlpha * 0.1);  // the part of alpha that the last stage has
}

TEST(Level, ThatIsTheLeastConfirmsAClearRegression) {
  GatePolicy policy;
  policy.alpha = kLeastAlpha;

  EXPECT_EQ(find(gate_of({{"slow", {1, 1.1}}}, 0.003, policy), "slow").row.verdict, compare::Verdict::slower);
}

// A suspect that 12 fresh processes a side show at p of some 1 %, where the level of the confirmation is 0.1 %.
GateRow looking(double change, double alpha = 0.002) {
  GatePolicy policy;
  policy.alpha = alpha;
  Gate gate(policy, nullptr, kToday);
  gate.screen(suite_of_times({{"x", spread(5, 1, 0.003)}}), suite_of_times({{"x", spread(5, change, 0.003)}}));
  gate.confirm(suite_of_times({{"x", spread(12, 1, 0.05)}}), suite_of_times({{"x", spread(12, change, 0.05, 0.3)}}));
  return find(gate.result(), "x");
}

TEST(Looks, SlowerIsSaidWithTheLevelAtWhichItIsNotShown) {
  const GateRow row = looking(1.03);

  ASSERT_EQ(row.row.verdict, compare::Verdict::inconclusive);
  ASSERT_GT(*row.row.lower, 1);
  EXPECT_THAT(row.row.notes, testing::Contains(testing::MatchesRegex(
                                 "looks slower, but p of 0\\.0[0-9]* does not show it at the level of 0\\.100 %")));
}

TEST(Looks, FasterIsSaidLikewise) {
  EXPECT_THAT(looking(1 / 1.03).row.notes, testing::Contains(testing::StartsWith("looks faster, but p of 0.0")));
}

TEST(Looks, NothingIsSaidWhereTheIntervalHoldsNoChangeOrTheLevelIsReached) {
  const GateRow open = looking(1.012), shown = looking(1.03, 0.5);

  ASSERT_LT(*open.row.lower, 1);
  ASSERT_EQ(shown.row.verdict, compare::Verdict::slower);
  for (const GateRow& row : {open, shown}) {
    EXPECT_THAT(row.row.notes, testing::Not(testing::Contains(testing::StartsWith("looks "))));
  }
}

TEST(StoredGate, SeesOnlyWhatIsBeyondTheMarginOfSessions) {
  MachineNoise calibration;
  CalibratedBenchmark& known = calibration.benchmarks["a"];
  known.sessions = {{spread(5, 1, 0.002)}, {spread(5, 1.016, 0.002)}};  // sessions differ by 1.6 %: the margin is 2 %
  const figures::Suite base = suite_of_times({{"a", spread(12, 1, 0.002)}});
  Gate within({}, &calibration, kToday), beyond({}, &calibration, kToday);
  within.against_stored(base, suite_of_times({{"a", spread(12, 1.018, 0.002)}}));
  beyond.against_stored(base, suite_of_times({{"a", spread(12, 1.03, 0.002)}}));

  EXPECT_NE(find(within.result(), "a").row.verdict, compare::Verdict::slower);
  EXPECT_EQ(find(beyond.result(), "a").row.verdict, compare::Verdict::slower);
  EXPECT_EQ(beyond.result().outcome, Outcome::regression);
}

TEST(StoredGate, SaysThatSoFewProcessesCannotShowADifference) {
  Gate gate({}, nullptr, kToday);
  gate.against_stored(suite_of_times({{"a", {1, 1.001}}}), suite_of_times({{"a", {2, 2.001}}}));

  const compare::Comparison& row = find(gate.result(), "a").row;
  EXPECT_EQ(row.verdict, compare::Verdict::inconclusive);
  EXPECT_THAT(row.notes, testing::Contains(testing::HasSubstr("cannot show any difference")));
}

TEST(StoredGate, TakesAsManyProcessesAsRanksNeed) {
  // 1 / C(20, 10) = 5.4e-6 is the least p of 10 against 10; 300 rows at 0.002 need 6.7e-6.
  EXPECT_EQ(stored_processes(10, 300, 0.002), 10);
  EXPECT_EQ(stored_processes(10, 1, 0.002), 5);
  EXPECT_FALSE(stored_processes(2, 300, 0.002));
}

TEST(StoredGate, GoesByTheBenchmarkOfFewestProcesses) {
  const auto [stored, needed] =
      processes_against(suite_of_times({{"a", spread(10, 1, 0.003)}, {"b", spread(7, 1, 0.003)}}), 0.002);
  EXPECT_EQ(stored, 7);
  EXPECT_EQ(needed, stored_processes(7, 2, 0.002));
  EXPECT_EQ(processes_against({}, 0.002).stored, 0);
  EXPECT_FALSE(processes_against({}, 0.002).needed);
}

TEST(StoredGate, CountsTheRowsThatItTests) {
  EXPECT_EQ(stored_rows(suite_of_times({{"a", spread(5, 1, 0.003)}, {"b", spread(5, 1, 0.003)}})), 2);
  EXPECT_EQ(stored_rows({}), 0);
}

TEST(Confirm, SpendsItsLevelOnTheSuspectedWayOnly) {
  const Suspect slower{{spread(12, 1, 0.003), spread(12, 1.05, 0.003)}, true, false, 0.01};
  Suspect as_logs = slower;
  for (std::vector<double>* side : {&as_logs.logs.base, &as_logs.logs.contender}) {
    for (double& value : *side) value = std::log(value);
  }
  Suspect other_way = as_logs;
  std::swap(other_way.slower, other_way.faster);
  const std::vector<Suspect> suspects{as_logs, other_way};

  const std::vector<Finding> findings = confirm(suspects, 0.002);

  EXPECT_TRUE(findings[0].slower);
  EXPECT_DOUBLE_EQ(findings[0].p_adjusted, findings[0].p);  // alone in its family
  EXPECT_FALSE(findings[1].slower);
  EXPECT_FALSE(findings[1].faster);
}

}  // namespace
}  // namespace cupel::gate
