#include "cupel/history/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cupel/files/errors.hpp"
#include "cupel/gate/gate_files.hpp"
#include "cupel/record/context.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::history {
namespace {

std::string date_of(std::size_t day) {
  const std::string month = std::to_string(day / 28 + 1), of_month = std::to_string(day % 28 + 1);
  return "2026-" + std::string(2 - month.size(), '0') + month + "-" + std::string(2 - of_month.size(), '0') + of_month;
}

// Five processes a point that hardly differ.
std::vector<double> processes_of(double log) {
  std::vector<double> times_s;
  for (const double offset : {-2e-4, -1e-4, 0.0, 1e-4, 2e-4}) times_s.push_back(std::exp(log + offset));
  return times_s;
}

std::vector<HistoryPoint> points_of(const std::vector<double>& logs) {
  std::vector<HistoryPoint> points;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    points.push_back({"c" + std::to_string(i), date_of(i), {}, {{"x", processes_of(logs[i])}}});
  }
  return points;
}

// The noise between sessions and processes of one code, and how many there are.
struct Noise {
  std::size_t points = 10;
  int processes = 5, benchmarks = 16;
  double between_points = 0.004, between_processes = 0.006;
};

// Unchanged code, but that the last `changed` points are slower by `change`.
std::vector<HistoryPoint> history_of(const Noise& noise, stats::Random& random, std::size_t changed = 0,
                                     double change = 0) {
  std::vector<HistoryPoint> points;
  for (std::size_t i = 0; i < noise.points; ++i) {
    HistoryPoint& point = points.emplace_back(HistoryPoint{"c" + std::to_string(i), date_of(i), {}, {}});
    for (int b = 0; b < noise.benchmarks; ++b) {
      const double level = noise.between_points * random.normal() + (i + changed >= noise.points ? change : 0);
      std::vector<double>& times_s = point.benchmarks["b" + std::to_string(b)];
      for (int k = 0; k < noise.processes; ++k) {
        times_s.push_back(1e-3 * std::exp(level + noise.between_processes * random.normal()));
      }
    }
  }
  return points;
}

// From `first` on all points are of one commit.
void measured_as_one(std::vector<HistoryPoint>& points, std::size_t first) {
  for (std::size_t i = first; i < points.size(); ++i) points[i].commit = "c" + std::to_string(first);
}

std::vector<double> noise(std::size_t count, double sigma, stats::Random& random) {
  std::vector<double> values(count);
  for (double& value : values) value = sigma * random.normal();
  return values;
}

HistoryOptions options_with(std::vector<std::string> references) {
  HistoryOptions options;
  options.references = std::move(references);
  options.today = "2026-11-20";
  return options;
}

TEST(History, LocatesAStepOfTwoPercentWithinOneCommit) {
  stats::Random random(5);
  int located = 0;
  for (int series = 0; series < 1000; ++series) {
    std::vector<double> logs = noise(60, 0.005, random);
    for (std::size_t i = 30; i < 60; ++i) logs[i] += std::log(1.02);
    const HistoryResult result = analyse(points_of(logs), options_with({}));
    for (const LevelChange& step : result.steps) {
      const int at = std::stoi(step.to.substr(1));
      if (std::abs(at - 30) <= 1) {
        ++located;
        break;
      }
    }
  }

  EXPECT_GE(located, 950);
}

TEST(History, SeesNoStepsWhereThereAreNone) {
  stats::Random random(6);
  int with_steps = 0;
  for (int series = 0; series < 1000; ++series) {
    with_steps += !analyse(points_of(noise(60, 0.005, random)), options_with({})).steps.empty();
  }

  EXPECT_LE(with_steps, 10);
}

TEST(History, SearchesTheLatestFiftyPoints) {
  std::vector<double> logs(60, 0.0);
  for (std::size_t i = 5; i < 60; ++i) logs[i] = 0.1;

  EXPECT_TRUE(analyse(points_of(logs), options_with({})).steps.empty());
}

TEST(History, SaysWhatElseChangedAtAStep) {
  std::vector<HistoryPoint> points = points_of({0, 1e-3, 0, 1e-3, 0, 1e-3, 0, 0.1, 0.101, 0.1, 0.101, 0.1, 0.101, 0.1});
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].fingerprint = {{"driver", i < 7 ? "580" : "590", figures::Hardness::soft}};
  }

  const HistoryResult result = analyse(points, options_with({}));

  ASSERT_EQ(result.steps.size(), 1u);
  EXPECT_EQ(result.steps[0].from, "c6");
  EXPECT_EQ(result.steps[0].to, "c7");
  EXPECT_THAT(result.steps[0].differences, testing::ElementsAre("driver: 580 -> 590"));
}

TEST(History, TakesACommitByItsFirstDigitsAndSaysWhatElseChangedSince) {
  const std::string full = "0123456789abcdef0123456789abcdef01234567";
  std::vector<double> logs(20, 0.0);
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = i % 2 == 0 ? 0 : 1e-3;
  for (std::size_t i = 16; i < logs.size(); ++i) logs[i] += 0.1;
  std::vector<HistoryPoint> points = points_of(logs);
  points[15].commit = full.substr(0, 12);  // as `cupel history add` writes it
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].fingerprint = {{"board", i < 19 ? "GPU-1" : "GPU-2", figures::Hardness::soft}};
  }

  for (const std::string& reference : {full, full.substr(0, 12), full.substr(0, 7)}) {
    const HistoryResult result = analyse(points, options_with({reference}));
    ASSERT_EQ(result.drifts.size(), 1u) << reference;
    EXPECT_TRUE(result.drifts[0].slower);
    EXPECT_THAT(result.drifts[0].differences, testing::ElementsAre("board: GPU-1 -> GPU-2"));
  }
  EXPECT_TRUE(analyse(points, options_with({"0123456"})).drifts.size() == 1);
  EXPECT_TRUE(analyse(points, options_with({"01234"})).drifts.empty());
}

// Each of five successive steps is below the tolerance of 1 %, so that no gate against the commit before sees one.
TEST(History, HoldsTheNewestAgainstTheReleaseSoThatSmallStepsDoNotPass) {
  stats::Random random(7);
  int by_the_third = 0, false_alarms = 0;
  for (int history = 0; history < 1000; ++history) {
    std::vector<double> logs = noise(43, 0.003, random);
    false_alarms += analyse(points_of(logs), options_with({"c39"})).regression();
    bool seen = false;
    for (std::size_t step = 1; step <= 3; ++step) {
      for (std::size_t i = 39 + step; i < 43; ++i) logs[i] += std::log(1.009);
      const std::vector<double> so_far(logs.begin(), logs.begin() + 40 + static_cast<std::ptrdiff_t>(step));
      seen = seen || analyse(points_of(so_far), options_with({"c39"})).regression();
    }
    by_the_third += seen;
  }

  EXPECT_GE(by_the_third, 950);
  EXPECT_LE(false_alarms, 5);
}

// Sixteen benchmarks of unchanged code against a commit long ago and the one before: at alpha 0.002 two histories of a
// thousand may alarm.
TEST(History, CallsUnchangedCodeSlowerInNoMoreHistoriesThanTheLevelAllows) {
  stats::Random random(8);
  for (const std::size_t points : {2u, 3u, 5u, 6u, 7u, 10u, 20u}) {
    for (const double between_points : {0.0, 0.004, 0.02}) {
      const Noise noise{.points = points, .between_points = between_points};
      int alarms = 0;
      for (int history = 0; history < 500; ++history) {
        const std::string before = "c" + std::to_string(points - 2);
        alarms += analyse(history_of(noise, random), options_with({before, "c0"})).regression();
      }

      EXPECT_LE(alarms, 5) << points << " points that differ by " << between_points;
    }
  }
}

// Sessions of one code that are skewed, have heavy tails, spikes or two levels, against the commit before and one long
// ago. The newest commit has several.
TEST(History, CallsUnchangedCodeSlowerNoMoreOftenWhereSessionsAreNotNormal) {
  double (*sessions[])(stats::Random&) = {
      [](stats::Random& random) { return 0.003 * random.exponential(); },
      [](stats::Random& random) { return 0.002 * random.normal() / std::sqrt(random.exponential()); },
      [](stats::Random& random) { return 0.003 * random.normal() + (random.uniform() < 0.05 ? std::log(3.0) : 0); },
      [](stats::Random& random) { return 0.001 * random.normal() + (random.uniform() < 0.3 ? 0.03 : 0); }};
  stats::Random random(12);
  for (std::size_t kind = 0; kind < std::size(sessions); ++kind) {
    int alarms = 0;
    for (std::size_t history = 0; history < 500; ++history) {
      std::vector<HistoryPoint> points =
          history_of({.points = 40, .benchmarks = 10, .between_points = 0, .between_processes = 0.003}, random);
      for (HistoryPoint& point : points) {
        for (auto& [name, times_s] : point.benchmarks) {
          const double session = std::exp(sessions[kind](random));
          for (double& time_s : times_s) time_s *= session;
        }
      }
      const std::size_t newest = 39 - history % 4;
      measured_as_one(points, newest);
      alarms += analyse(points, options_with({"c" + std::to_string(newest - 1), "c10"})).regression();
    }

    EXPECT_LE(alarms, 4) << kind;  // two references of 0.2 % each: 2, and two standard deviations of the count
  }
}

// A level of one benchmark, to 0.1 %, and points behind it.
std::vector<HistoryPoint> level_and(std::initializer_list<double> more) {
  std::vector<double> logs;
  for (int i = 0; i < 10; ++i) logs.push_back(0.001 * (i % 2));
  logs.insert(logs.end(), more);
  return points_of(logs);
}

TEST(History, SaysHowManyMorePointsWouldMakeAStep) {
  using testing::ElementsAre;
  using testing::HasSubstr;
  const auto warnings = [](std::initializer_list<double> more) {
    return analyse(level_and(more), options_with({})).warnings;
  };

  EXPECT_THAT(warnings({0.2, 0.21}), ElementsAre(HasSubstr("the newest 2 points of 1 benchmark (from c10 on) lie 22")));
  EXPECT_THAT(warnings({0.2, 0.21}), ElementsAre(HasSubstr("above the level before. A step needs 5 points: 3 more")));
  EXPECT_THAT(warnings({0.2, 0.2, 0.2, 0.2}), ElementsAre(HasSubstr("(from c10 on)")));
  EXPECT_THAT(warnings({0.2, 0.2, 0.2, 0.2}), ElementsAre(HasSubstr("5 points: 1 more point can show it")));
  EXPECT_THAT(warnings({-0.2}), ElementsAre(HasSubstr("below the level before. A step needs 5 points: 4 more")));
  EXPECT_THAT(warnings({0.2, 0.001}), ElementsAre());
  EXPECT_THAT(warnings({0.004, 0.004}), ElementsAre());
}

// With five points after ten, p of a step is at most 2 / 3003.
TEST(History, FindsTheStepWithThePointsThatItAsksFor) {
  const HistoryResult result = analyse(level_and({0.2, 0.2, 0.2, 0.2, 0.2}), options_with({}));

  EXPECT_EQ(result.steps.size(), 1u);
  EXPECT_TRUE(result.warnings.empty());
}

TEST(History, TakesTheBenchmarksOfTheNewestCommitFromAllOfItsPoints) {
  std::vector<HistoryPoint> points = level_and({});
  HistoryPoint other = points.back();
  other.benchmarks = {{"y", processes_of(0)}};
  points.push_back(other);

  const HistoryResult result = analyse(points, options_with({}));

  EXPECT_EQ(result.benchmarks, 2u);
  EXPECT_TRUE(result.dropped.empty());
}

TEST(History, NamesTheBenchmarksThatTheNewestCommitLacks) {
  std::vector<HistoryPoint> points = level_and({});
  points[3].benchmarks["y"] = points[5].benchmarks["y"] = processes_of(0);

  const HistoryResult result = analyse(points, options_with({}));

  EXPECT_EQ(result.benchmarks, 1u);
  ASSERT_EQ(result.dropped.size(), 1u);
  EXPECT_EQ(result.dropped[0].benchmark, "y");
  EXPECT_EQ(result.dropped[0].last, "c5");
}

TEST(History, SaysWhatOneSessionCannotShowAndHowManyCan) {
  std::vector<double> logs;
  for (int i = 0; i < 39; ++i) logs.push_back(i % 13 == 5 ? 0.03 : 0.001 * (i % 2));
  logs.push_back(0.06);

  const HistoryResult once = analyse(points_of(logs), options_with({"c38"}));
  EXPECT_FALSE(once.regression());
  EXPECT_TRUE(once.undecided());
  EXPECT_EQ(once.drifts.front().sessions_to_show, 1);
  EXPECT_THAT(once.warnings,
              testing::ElementsAre(testing::HasSubstr("1 more session of the newest commit can show it")));
}

// One session may be odd whatever the change; with three after 18 ranks can show one in sixteen.
TEST(History, FindsAClearChangeOfTheNewestCommitWithTheSessionsThatItAsksFor) {
  stats::Random random(9);
  int found = 0, asked = 0;
  for (int history = 0; history < 200; ++history) {
    const std::vector<HistoryPoint> once = history_of({.points = 20, .processes = 10}, random, 1, 0.1);
    const HistoryResult undecided = analyse(once, options_with({"c18"}));
    asked += undecided.undecided() && !undecided.regression() && undecided.drifts.front().sessions_to_show == 3;
    std::vector<HistoryPoint> again = history_of({.points = 23, .processes = 10}, random, 4, 0.1);
    measured_as_one(again, 19);
    found += analyse(again, options_with({"c18"})).regression();
  }

  EXPECT_GE(asked, 190);
  EXPECT_GE(found, 190);
}

// Before the step another code was measured: its sessions say nothing of the reference's.
TEST(History, HoldsSessionsAgainstThoseSinceTheLastStep) {
  std::vector<double> logs;
  for (int i = 0; i < 40; ++i) logs.push_back((i < 20 ? 0.2 : 0.0) + 0.001 * (i % 3));
  for (int i = 0; i < 3; ++i) logs.push_back(0.1 + 0.001 * i);
  std::vector<HistoryPoint> points = points_of(logs);
  measured_as_one(points, 40);

  EXPECT_TRUE(analyse(points, options_with({"c39"})).regression());
}

TEST(History, FindsAChangeWhereBothCommitsAreMeasuredInTurn) {
  std::vector<double> logs;
  for (int i = 0; i < 24; ++i) logs.push_back((i > 11 && i % 2 == 1 ? 0.05 : 0.0) + 0.001 * (i % 3));
  std::vector<HistoryPoint> points = points_of(logs);
  for (std::size_t i = 12; i < points.size(); ++i) points[i].commit = i % 2 == 1 ? "new" : "base";

  EXPECT_TRUE(analyse(points, options_with({"base"})).regression());
}

TEST(History, GivesNoPBelowWhatSoFewProcessesAllow) {
  stats::Random random(10);
  for (const int processes : {1, 3, 4}) {
    const HistoryResult result = analyse(
        history_of({.points = 20, .processes = processes, .benchmarks = 1}, random, 10, 0.5), options_with({"c9"}));

    ASSERT_EQ(result.drifts.size(), 1u);
    const double least = processes == 1 ? 1 / 2.0 : processes == 3 ? 1 / 20.0 : 1 / 70.0;
    EXPECT_NEAR(result.drifts[0].p_adjusted, least, 1e-9);
    EXPECT_FALSE(result.regression());
    EXPECT_FALSE(result.decidable());
    EXPECT_THAT(result.warnings, testing::ElementsAre(testing::HasSubstr("--processes 5")));
  }
}

TEST(History, SaysHowManyPointsAreNeeded) {
  const HistoryResult result = analyse(points_of({0, 0.1}), options_with({"c0"}));

  EXPECT_TRUE(result.drifts.empty());
  EXPECT_FALSE(result.decidable());
  EXPECT_THAT(result.warnings, testing::ElementsAre(testing::AllOf(testing::HasSubstr("a benchmark needs 6 points"),
                                                                   testing::HasSubstr("and has 2;"))));
  EXPECT_EQ(analyse(points_of({0, 0, 0, 0, 0, 0.1}), options_with({"c0"})).drifts.size(), 1u);
}

TEST(History, SaysWhenTheReferenceIsTheNewestCommit) {
  EXPECT_THAT(analyse(points_of({0, 0}), options_with({"c1"})).warnings,
              testing::ElementsAre(testing::HasSubstr("it is the newest")));
}

TEST(History, TakesASteadyCreepForCreepAndNotForNoise) {
  std::vector<double> logs;
  for (int i = 0; i < 13; ++i) logs.push_back(i * std::log(1.009) + 0.0003 * (i % 2));

  const HistoryResult result = analyse(points_of(logs), options_with({"c5"}));

  EXPECT_TRUE(result.regression());
  EXPECT_NEAR(result.drifts[0].ratio, std::pow(1.009, 7), 0.001);
}

TEST(History, CountsWhatWasAcceptedUntilItExpires) {
  const std::string text = R"({"cupel_accepted": 1, "accepted": [{"benchmark": "^x$", "ratio": 1.05,
      "reason": "checks its input now", "commit": "c10", "expires": "2026-12-31"}]})";
  std::vector<double> logs;
  for (int i = 0; i < 20; ++i) logs.push_back((i < 10 ? 0 : 0.049) + 0.001 * (i % 2));
  HistoryOptions options = options_with({"c8"});

  EXPECT_TRUE(analyse(points_of(logs), options).regression());
  options.accepted = accepted_from_json(text, "accepted.json");
  EXPECT_FALSE(analyse(points_of(logs), options).regression());
  EXPECT_THAT(analyse(points_of(logs), options).drifts[0].accepted, testing::HasSubstr("checks its input"));
  options.references = {"c12"};  // measured after the accepted commit: nothing is left to accept
  EXPECT_EQ(analyse(points_of(logs), options).drifts[0].accepted, "");
  options.references = {"c8"};
  options.today = "2027-01-01";
  EXPECT_TRUE(analyse(points_of(logs), options).regression());
  EXPECT_THAT(analyse(points_of(logs), options).warnings, testing::ElementsAre(testing::HasSubstr("2026-12-31")));
}

TEST(History, SaysWhenAReferenceIsNotThere) {
  const HistoryResult result = analyse(points_of({0, 0, 0, 0}), options_with({"v1"}));

  EXPECT_TRUE(result.drifts.empty());
  EXPECT_THAT(result.warnings, testing::ElementsAre(testing::HasSubstr("v1: it is not in the history")));
}

TEST(History, PutsPointsInOrderOfTimeWhateverTheOrderOfFiles) {
  std::vector<HistoryPoint> points = points_of({0, 0.001, 0, 0.1});
  std::swap(points[0], points[3]);

  EXPECT_EQ(analyse(points, options_with({})).newest, "c3");
}

TEST(HistoryPoint, ComesBackFromItsFileAsItWas) {
  const HistoryPoint point{"abc",
                           "2026-11-20T06:00:00Z",
                           {{"GPU", "H200", figures::Hardness::hard}},
                           {{"x/\"y\"", {1e-6, 2e-6}}},
                           {{"x/\"y\"", "hot"}}};

  const std::string text = to_json(point);

  EXPECT_EQ(history_point_from_json(text, "p"), point);
}

TEST(History, HoldsATimeAgainstThoseOfItsModeOnly) {
  std::vector<HistoryPoint> points = points_of({0, 1e-3, 0, 1e-3, 0, 1e-3, 0, 0.1, 0.101, 0.1, 0.101, 0.1, 0.101, 0.1});
  ASSERT_EQ(analyse(points, {}).steps.size(), 1u);

  for (std::size_t i = 0; i < points.size(); ++i) points[i].modes["x"] = i < 7 ? "cold" : "hot";

  EXPECT_TRUE(analyse(points, {}).steps.empty());
  for (HistoryPoint& point : points) point.modes["x"] = "hot";
  EXPECT_EQ(analyse(points, {}).steps.front().mode, "hot");
}

TEST(History, SaysOnWhichBoardsItsPointsWereAndWhatElseDiffers) {
  std::vector<HistoryPoint> points = points_of({0, 0.01, 0, 0, 0.01, 0.01, 0, 0.01});
  for (HistoryPoint& point : points) point.fingerprint = {{"board", "GPU-1"}, {"revision", "abc"}, {"driver", "580"}};
  points[3].fingerprint[0].value = "GPU-2";

  const HistoryResult result = analyse(points, options_with({}));

  ASSERT_EQ(result.around.size(), 1u) << "one revision is no difference";
  EXPECT_EQ(result.around[0].name, "board");
  ASSERT_EQ(result.around[0].values.size(), 2u);
  EXPECT_EQ(result.around[0].values[0].value, "GPU-1");
  EXPECT_EQ(result.around[0].values[0].points, 7);
  EXPECT_EQ(result.around[0].values[1].points, 1);
  ASSERT_TRUE(result.noise.has_value());
  EXPECT_NEAR(*result.noise, 1.4826 * 0.01 / std::sqrt(2.0), 1e-3);
  EXPECT_FALSE(analyse(points_of({0, 0, 0}), options_with({})).noise.has_value());
}

TEST(HistoryPoint, NamesTheFieldThatIsWrong) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      history_point_from_json(text, "p.json");
    } catch (const files::ReadError& error) {
      return error.what();
    }
    return "";
  };

  EXPECT_THAT(problem(R"({"cupel_history": 1, "commit": "a", "date": "2026-11-20", "locations_s": {"x": [0]}})"),
              testing::HasSubstr("/locations_s/x"));
  EXPECT_THAT(problem(R"({"cupel_history": 1, "commit": "a", "date": "2026-02-30", "locations_s": {"x": [1]}})"),
              testing::HasSubstr("/date"));
  EXPECT_THAT(problem(R"({"cupel_history": 2})"), testing::HasSubstr("/cupel_history"));
}

TEST(MachineId, IsTheSameForTheSameHardwareAndFitForAFolder) {
  record::Context a, b, c;
  a.host.cpu = b.host.cpu = "CPU (TM) 1/2";
  b.host.kernel = "another kernel";
  c.host.cpu = "CPU (TM) 1/3";

  EXPECT_EQ(machine_id(a), machine_id(b));
  EXPECT_NE(machine_id(a), machine_id(c));
  EXPECT_THAT(machine_id(a), testing::MatchesRegex("cpu-tm-1-2-[0-9a-f]+"));
}

TEST(MayBeOf, TakesWhatIsNotSaidForTheSameAndNothingElse) {
  record::Context with_ecc;
  with_ecc.device.emplace().name = "NVIDIA H200";
  with_ecc.device->ecc = true;
  record::Context silent = with_ecc, without_ecc = with_ecc, other = with_ecc, no_gpu;
  silent.device->ecc.reset();
  without_ecc.device->ecc = false;
  other.device->name = "NVIDIA H100";
  no_gpu.host.cpu = "A";
  const auto points = [](std::vector<record::Context> contexts) {
    std::vector<HistoryPoint> all(contexts.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i].fingerprint = gate::known(figures::fingerprint(contexts[i]));
    return all;
  };

  EXPECT_NE(machine_id(with_ecc), machine_id(silent));
  EXPECT_TRUE(may_be_of(points({with_ecc}), silent));
  EXPECT_TRUE(may_be_of(points({silent}), with_ecc));
  EXPECT_FALSE(may_be_of(points({with_ecc}), without_ecc));
  EXPECT_FALSE(may_be_of(points({without_ecc, silent}), with_ecc)) << "a point that says nothing hides no other";
  EXPECT_FALSE(may_be_of(points({with_ecc}), other));
  EXPECT_FALSE(may_be_of(points({with_ecc}), no_gpu));
  EXPECT_FALSE(may_be_of(points({no_gpu}), with_ecc));
  EXPECT_FALSE(may_be_of(points({no_gpu}), no_gpu)) << "hosts are told apart by their names";
  EXPECT_FALSE(may_be_of({}, with_ecc));
}

}  // namespace
}  // namespace cupel::history
