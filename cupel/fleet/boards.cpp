#include "cupel/fleet/boards.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "cupel/figures/copies.hpp"
#include "cupel/figures/fingerprint.hpp"
#include "cupel/figures/suite.hpp"

namespace cupel::fleet {
namespace {

// Two names of a board: the one that tells it, and the one that people read. Empty where nothing tells it.
std::pair<std::string, std::string> board_of(const record::Context& context) {
  if (context.device) return {context.device->uuid, figures::board_of(context)};
  return {context.run.node, context.run.node};
}

// Each suite has a text that tells its machine: its board, else the first suite that has the same times.
std::vector<std::string> machines_of(const std::vector<figures::Suite>& suites) {
  figures::SeenResults seen;
  std::vector<std::string> machines;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    std::string machine = board_of(suites[i].context).first;
    if (machine.empty()) {
      const std::string own = "suite " + std::to_string(i), copied = seen.copy_of(own, figures::prints_of(suites[i]));
      machine = copied.empty() ? own : copied;
    }
    machines.push_back(std::move(machine));
  }
  return machines;
}

// The suite that stands for each, by index: the newest of its machine, of equally new ones the last.
std::vector<std::size_t> stand_ins(const std::vector<figures::Suite>& suites) {
  const std::vector<std::string> machines = machines_of(suites);
  std::map<std::string, std::size_t> newest;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    const auto [found, is_new] = newest.emplace(machines[i], i);
    if (!is_new && suites[found->second].context.run.started <= suites[i].context.run.started) found->second = i;
  }
  std::vector<std::size_t> all;
  for (const std::string& machine : machines) all.push_back(newest.at(machine));
  return all;
}

int add_what_it_lacks(figures::Suite& suite, figures::Suite& older) {
  std::set<std::string> names;
  for (const figures::Benchmark& benchmark : suite.benchmarks) names.insert(benchmark.name);
  int added = 0;
  for (figures::Benchmark& benchmark : older.benchmarks) {
    if (!names.insert(benchmark.name).second) continue;
    suite.benchmarks.push_back(std::move(benchmark));
    ++added;
  }
  return added;
}

}  // namespace

std::vector<Again> count_boards_once(std::vector<figures::Suite>& suites) {
  const std::vector<std::size_t> stand_in = stand_ins(suites);
  std::vector<Again> again;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    if (stand_in[i] == i) continue;
    figures::Suite& newest = suites[stand_in[i]];
    const int added = add_what_it_lacks(newest, suites[i]);
    again.push_back({suites[i].label, newest.label, board_of(newest.context).second, added});
  }
  std::vector<figures::Suite> once;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    if (stand_in[i] == i) once.push_back(std::move(suites[i]));
  }
  suites = std::move(once);
  return again;
}

}  // namespace cupel::fleet
