// The figures that the gate promises, counted on random splits of recorded processes: of each benchmark one location a
// process. Each split deals the processes of one machine into two sides of 5 for the screen; suspects are confirmed
// with processes drawn from all of them, with replacement.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "cupel/gate/gate.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/power.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/stats/random.hpp"
#include "tests/simulator/in_parallel.hpp"
#include "tests/simulator/simulate.hpp"

namespace cupel::simulator {
namespace {

// Benchmark to one location in microseconds for each process.
using RecordedLocations = std::map<std::string, std::vector<double>>;

struct RecordedCounts {
  int splits_with_alarm = 0;
  int found = 0;  // splits in which the slowed benchmark was called slower; not among the alarms
};

// One benchmark's recorded processes.
struct Recorded {
  std::vector<double> logs;
  double sigma = 0;
};

std::vector<Recorded> recorded_of(const RecordedLocations& locations_us) {
  std::vector<Recorded> all;
  for (const auto& [name, values] : locations_us) {
    std::vector<double> logs = stats::logarithms(values);
    const double sigma = stats::standard_deviation(logs);
    all.push_back({std::move(logs), sigma});
  }
  return all;
}

std::vector<std::size_t> gateable_of(const std::vector<Recorded>& all) {
  std::vector<std::size_t> gateable;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (stats::gateable(all[i].sigma, std::log1p(kTarget))) gateable.push_back(i);
  }
  return gateable;
}

// Whether 5 processes of the order and the next 5, these slower by shift, make the benchmark suspect.
bool is_suspect(const Recorded& benchmark, std::span<const std::size_t> order, double shift) {
  gate::Logs screened;
  for (std::size_t i = 0; i < 5; ++i) {
    screened.base.push_back(benchmark.logs[order[i]]);
    screened.contender.push_back(benchmark.logs[order[5 + i]] + shift);
  }
  return gate::screen(screened, gate::GateRules(), benchmark.sigma).slower;
}

gate::Charge draw_fresh(const Recorded& benchmark, double shift, stats::Random& random) {
  gate::Charge charge{{}, true, false, gate::GateRules().tolerance};
  const int fresh = stats::confirm_processes(benchmark.sigma, std::log1p(kTarget));
  for (int i = 0; i < fresh; ++i) {
    charge.logs.base.push_back(benchmark.logs[random.below(benchmark.logs.size())]);
    charge.logs.contender.push_back(benchmark.logs[random.below(benchmark.logs.size())] + shift);
  }
  return charge;
}

struct Suspects {
  std::vector<gate::Charge> charges;
  std::vector<bool> is_slowed;
};

// slowed: the benchmark that is slower by shift; none, where shift is 0.
Suspects deal(const std::vector<Recorded>& all, std::span<const std::size_t> order, std::size_t slowed, double shift,
              stats::Random& random) {
  Suspects suspects;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double by = i == slowed ? shift : 0;
    if (!is_suspect(all[i], order, by)) continue;
    suspects.charges.push_back(draw_fresh(all[i], by, random));
    suspects.is_slowed.push_back(by > 0);
  }
  return suspects;
}

void count(const Suspects& suspects, const std::vector<gate::Finding>& findings, RecordedCounts& counts) {
  int alarms = 0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].slower) ++(suspects.is_slowed[i] ? counts.found : alarms);
  }
  counts.splits_with_alarm += alarms > 0;
}

// A file beside this one: mode of measuring to what it saw.
std::map<std::string, RecordedLocations> read_recorded(const std::string& name) {
  const std::string path = std::string(CUPEL_SIMULATOR_FOLDER) + '/' + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return nlohmann::json::parse(file).at("locations_us");
}

// slowdown: what the contender's side of one benchmark that is gateable at 3 %, another one in each split, is made
// slower by; 0.03 is 3 %.
RecordedCounts split_recorded(const RecordedLocations& locations_us, int splits, double slowdown = 0) {
  const std::vector<Recorded> all = recorded_of(locations_us);
  const std::vector<std::size_t> gateable = gateable_of(all);
  std::vector<std::size_t> order(all.front().logs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stats::Random random(1);
  std::vector<Suspects> suspects;
  for (int split = 0; split < splits; ++split) {
    random.shuffle(std::span(order));
    const std::size_t slowed = gateable.at(static_cast<std::size_t>(split) % gateable.size());
    suspects.push_back(deal(all, order, slowed, std::log1p(slowdown), random));
  }
  // Which takes nearly all of the time: fresh processes are drawn with replacement, so that there are ties.
  std::vector<std::vector<gate::Finding>> findings(suspects.size());
  in_parallel(splits, 2, [&](std::size_t i) { findings[i] = gate::confirm(suspects[i].charges, kAlpha); });
  RecordedCounts counts;
  for (std::size_t i = 0; i < suspects.size(); ++i) count(suspects[i], findings[i], counts);
  return counts;
}

TEST(Acceptance, RaisesNoAlarmOnRandomSplitsOfRecordedProcesses) {
  const auto recorded = read_recorded("h200_process_locations.json");
  ASSERT_EQ(recorded.size(), 3u);
  for (const auto& [mode, locations] : recorded) {
    ASSERT_EQ(locations.size(), 28u);
    EXPECT_EQ(split_recorded(locations, 200).splits_with_alarm, 0) << mode;
  }
}

// This suite's own quick run, 248 benchmarks on an H200 whose host went back and forth between two speeds: one
// comparison in 200 at most.
TEST(Acceptance, AlarmsAtMostOnceInTwoHundredRandomSplitsOfThisSuitesProcesses) {
  const auto recorded = read_recorded("suite_process_locations.json");
  ASSERT_EQ(recorded.size(), 1u);
  for (const auto& [mode, locations] : recorded) {
    ASSERT_EQ(locations.size(), 248u);
    EXPECT_LE(split_recorded(locations, 1000).splits_with_alarm, 5) << mode;
  }
}

using RecordedSlowdown = testing::TestWithParam<std::string>;
INSTANTIATE_TEST_SUITE_P(In, RecordedSlowdown, testing::Values("none", "settle", "settle_rounds"),
                         [](const auto& mode) { return mode.param; });

// The recorded version of tests/gate/real_gates slowdown.
TEST_P(RecordedSlowdown, OfThreePercentIsFound) {
  const auto recorded = read_recorded("h200_process_locations.json");

  EXPECT_GE(split_recorded(recorded.at(GetParam()), 400, 0.03).found, 380);
}

// It is real, but none of anybody's concern: it may not be called one of the tolerance, 1 %, more often than one in
// 200.
TEST_P(RecordedSlowdown, OfThreePerMilleIsNot) {
  const auto recorded = read_recorded("h200_process_locations.json");

  EXPECT_LE(split_recorded(recorded.at(GetParam()), 400, 0.003).found, 2);
}

}  // namespace
}  // namespace cupel::simulator
