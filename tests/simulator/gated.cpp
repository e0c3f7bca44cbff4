#include "tests/simulator/gated.hpp"

#include <cmath>

#include "cupel/figures/suite.hpp"
#include "cupel/gate/stages.hpp"

namespace cupel::simulator {
namespace {

// Wide enough that names sort as benchmarks do.
constexpr std::size_t kDigits = 4;

std::size_t benchmark_of(const std::string& name) { return std::stoul(name); }

figures::Suite suite_of(std::span<const Wish> wishes, const std::vector<Locations>& seen, std::size_t side) {
  figures::Suite suite;
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    figures::Benchmark& benchmark = suite.benchmarks.emplace_back();
    benchmark.name = name_of(wishes[i].benchmark);
    figures::Locations& locations = benchmark.modes.emplace_back();
    for (const double log : seen[i][side]) locations.values_s.push_back(std::exp(log));
    benchmark.ok = static_cast<int>(locations.values_s.size());
    locations.samples = benchmark.ok;
  }
  return suite;
}

std::vector<Wish> wishes_of(const gate::Wanted& wanted) {
  std::vector<Wish> wishes;
  for (const auto& [name, processes] : wanted) wishes.push_back({benchmark_of(name), processes});
  return wishes;
}

// A benchmark takes a tenth of a second in a process.
double seconds_of(const gate::Wanted& wanted) {
  double seconds = 0;
  for (const auto& [name, processes] : wanted) seconds += 2 * 0.1 * processes;
  return seconds;
}

gate::Wanted all_of(std::size_t benchmarks) {
  gate::Wanted wanted;
  for (std::size_t i = 0; i < benchmarks; ++i) wanted[name_of(i)] = kScreened;
  return wanted;
}

}  // namespace

std::string name_of(std::size_t benchmark) {
  const std::string digits = std::to_string(benchmark);
  return std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

void add_session(gate::MachineNoise& calibration, const std::vector<Locations>& seen) {
  const std::vector<Wish> wishes = wishes_of(all_of(seen.size()));
  gate::add_session(calibration, suite_of(wishes, seen, 0), suite_of(wishes, seen, 1), kScreened);
}

gate::GateResult run_gate(std::size_t benchmarks, const gate::MachineNoise* calibration, const Draw& draw) {
  gate::Gate gate({}, calibration, "2026-11-20");
  gate::Surroundings surroundings;
  double elapsed_s = 0;
  surroundings.elapsed_s = [&] { return elapsed_s; };
  surroundings.expected_s = seconds_of;
  surroundings.measure = [&](const gate::Wanted& wanted, const std::string& stage) {
    elapsed_s += seconds_of(wanted);
    const std::vector<Wish> wishes = wishes_of(wanted);
    const std::vector<Locations> seen = draw(wishes, stage);
    return gate::StageSuites{suite_of(wishes, seen, 0), suite_of(wishes, seen, 1)};
  };
  gate::StageSettings settings;
  settings.all = all_of(benchmarks);
  gate::run_stages(gate, settings, surroundings);
  return gate.result();
}

std::vector<bool> slower_of(const gate::GateResult& result) {
  std::vector<bool> slower;
  for (const gate::GateRow& row : result.rows) slower.push_back(row.row.verdict == compare::Verdict::slower);
  return slower;
}

}  // namespace cupel::simulator
