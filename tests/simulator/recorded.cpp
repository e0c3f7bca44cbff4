#include "tests/simulator/recorded.hpp"

#include <cmath>
#include <fstream>
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

}  // namespace

std::map<std::string, RecordedLocations> read_recorded(const std::string& name) {
  const std::string path = std::string(CUPEL_SIMULATOR_FOLDER) + '/' + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return nlohmann::json::parse(file).at("locations_us");
}

RecordedCounts split_recorded(const RecordedLocations& locations_us, int splits, double slowdown) {
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

}  // namespace cupel::simulator
