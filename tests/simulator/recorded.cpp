#include "tests/simulator/recorded.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "cupel/stats/location.hpp"
#include "cupel/stats/random.hpp"
#include "tests/simulator/gated.hpp"
#include "tests/simulator/in_parallel.hpp"
#include "tests/simulator/simulate.hpp"

namespace cupel::simulator {
namespace {

std::vector<std::vector<double>> logs_of(const RecordedLocations& locations_us) {
  std::vector<std::vector<double>> all;
  for (const auto& [name, values] : locations_us) all.push_back(stats::logarithms(values));
  return all;
}

// All processes of each benchmark, as one group.
gate::MachineNoise calibration_of(const RecordedLocations& locations_us) {
  gate::MachineNoise calibration;
  std::size_t benchmark = 0;
  for (const auto& [name, values] : locations_us) calibration.benchmarks[name_of(benchmark++)].sessions = {{values}};
  return calibration;
}

std::vector<std::size_t> gateable_of(const gate::MachineNoise& calibration) {
  std::vector<std::size_t> gateable;
  for (std::size_t i = 0; i < calibration.benchmarks.size(); ++i) {
    if (*calibration.find(name_of(i))->gateable_at() <= kTarget) gateable.push_back(i);
  }
  return gateable;
}

// One way to deal the processes of all benchmarks: 5 of the order and the next 5.
struct Split {
  std::vector<std::size_t> order;
  std::size_t slowed = 0;  // the benchmark whose contender is slower by shift; none, where shift is 0
  double shift = 0;
  std::uint64_t seed = 0;  // of the fresh processes: each benchmark and stage draws its own, whatever else is measured
};

// The screen deals what was recorded, other stages draw from all of it.
std::vector<Locations> deal(const std::vector<std::vector<double>>& all, const Split& split,
                            std::span<const Wish> wishes, const std::string& stage) {
  std::vector<Locations> dealt;
  for (const Wish& wish : wishes) {
    const std::vector<double>& logs = all[wish.benchmark];
    Locations& sides = dealt.emplace_back();
    stats::Random random(split.seed + 3 * wish.benchmark + (stage == "rerun" ? 1 : stage == "whole" ? 2 : 0));
    for (std::size_t i = 0; i < static_cast<std::size_t>(wish.processes); ++i) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::size_t from = stage == "screen" ? split.order[5 * side + i] : random.below(logs.size());
        sides[side].push_back(logs[from] + (side == 1 && wish.benchmark == split.slowed ? split.shift : 0));
      }
    }
  }
  return dealt;
}

std::vector<bool> slower_in(const std::vector<std::vector<double>>& all, const gate::MachineNoise& calibration,
                            const Split& split) {
  return slower_of(run_gate(all.size(), &calibration, [&](std::span<const Wish> wishes, const std::string& stage) {
    return deal(all, split, wishes, stage);
  }));
}

void count(const Split& split, const std::vector<bool>& slower, RecordedCounts& counts) {
  const auto called = std::ranges::count(slower, true);
  const bool found = split.shift > 0 && slower[split.slowed];
  counts.found += found;
  counts.splits_with_alarm += called > (found ? 1 : 0);
}

}  // namespace

std::map<std::string, RecordedLocations> read_recorded(const std::string& name) {
  const std::string path = std::string(CUPEL_SIMULATOR_FOLDER) + '/' + name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  return nlohmann::json::parse(file).at("locations_us");
}

RecordedCounts split_recorded(const RecordedLocations& locations_us, int splits, double slowdown) {
  const std::vector<std::vector<double>> all = logs_of(locations_us);
  const gate::MachineNoise calibration = calibration_of(locations_us);
  const std::vector<std::size_t> gateable = gateable_of(calibration);
  std::vector<std::size_t> order(all.front().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stats::Random random(1);
  std::vector<Split> dealt;
  for (int i = 0; i < splits; ++i) {
    random.shuffle(std::span(order));
    const std::size_t slowed = gateable.at(static_cast<std::size_t>(i) % gateable.size());
    dealt.push_back({order, slowed, std::log1p(slowdown), random()});
  }
  // Fresh processes are drawn with replacement, so that there are ties: they take nearly all of the time.
  std::vector<std::vector<bool>> slower(dealt.size());
  in_parallel(splits, 2, [&](std::size_t i) { slower[i] = slower_in(all, calibration, dealt[i]); });
  RecordedCounts counts;
  for (std::size_t i = 0; i < dealt.size(); ++i) count(dealt[i], slower[i], counts);
  return counts;
}

}  // namespace cupel::simulator
