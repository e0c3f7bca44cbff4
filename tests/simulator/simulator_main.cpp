// Tries the gate, and the rules of other tools, on simulated suites and on recorded processes.
//
//   cupel_gate_simulator                  every table of docs/statistics.md
//   cupel_gate_simulator --quick          the same with an eighth of the suites
//   cupel_gate_simulator --only NAME      one of: main, sequential, stored, quiet, noisy, h200, gate, coverage,
//   recorded cupel_gate_simulator --suites N       unchanged suites of the main table and of gate (default 4000)
//   cupel_gate_simulator --threads N      (default 2)
#include <fmt/core.h>

#include <chrono>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/simulator/recorded.hpp"
#include "tests/simulator/simulate.hpp"

namespace {

using namespace cupel::simulator;

struct Flags {
  std::string only;
  int suites = 4000, divide = 1, threads = 2;
};

Flags read_flags(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string flag = argv[i];
    if (flag == "--quick") {
      flags.divide = 8;
    } else if (i + 1 < argc && flag == "--only") {
      flags.only = argv[++i];
    } else if (i + 1 < argc && flag == "--suites") {
      flags.suites = std::stoi(argv[++i]);
    } else if (i + 1 < argc && flag == "--threads") {
      flags.threads = std::stoi(argv[++i]);
    } else {
      throw std::invalid_argument("unknown flag " + flag);
    }
  }
  return flags;
}

void print_table(const Flags& flags, const std::string& title, Model model, double scale, Design design, int suites,
                 int changed) {
  Experiment experiment;
  experiment.model = std::move(model);
  experiment.scale = scale;
  experiment.design = design;
  experiment.unchanged_suites = suites / flags.divide;
  experiment.changed_suites = changed / flags.divide;
  experiment.slowdowns = {0.01, 0.02, 0.03, 0.05};
  experiment.peers = true;
  experiment.threads = flags.threads;
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = table(simulate(experiment));
  fmt::print("### {}\n\n{}\n", title, text);
  std::fflush(stdout);
  fmt::print(stderr, "{}: {:.0f} s\n", title,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
}

// Without the peers a suite costs a fifth, so that more of them can be had: false alarms of a good gate are rare.
void print_gate_alone(const Flags& flags) {
  struct Condition {
    const char* name;
    double scale;
    Design design;
  };
  constexpr Condition kConditions[] = {{"interleaved", 1, Design::interleaved},
                                       {"all of one side, then all of the other", 1, Design::sequential},
                                       {"screened against a stored baseline", 1, Design::stored},
                                       {"half the noise", 0.5, Design::interleaved},
                                       {"twice the noise", 2, Design::interleaved}};
  fmt::print("### The gate alone, {} unchanged suites of 300 benchmarks each\n\n", flags.suites / flags.divide);
  fmt::print("| the screen | suites with an alarm | alarms |\n|---|--:|--:|\n");
  for (const Condition& condition : kConditions) {
    Experiment experiment;
    experiment.model = study_model();
    experiment.scale = condition.scale;
    experiment.design = condition.design;
    experiment.unchanged_suites = flags.suites / flags.divide;
    experiment.threads = flags.threads;
    const Counts counts = simulate(experiment);
    const RuleCount& gate = counts.rule(kGateRule);
    fmt::print("| {} | {} | {} |\n", condition.name, gate.suites_with_alarm, gate.alarms);
    std::fflush(stdout);
  }
  fmt::print("\n");
}

void print_coverage(const Flags& flags) {
  const int comparisons = 10'000 / flags.divide;
  fmt::print(
      "### Coverage of the 95 % interval of a ratio, {} comparisons each\n\n| noise | 5 | 7 | 12 processes a side "
      "|\n|---|--:|--:|--:|\n",
      comparisons);
  for (const char* shape : {"normal", "skewed", "bimodal"}) {
    fmt::print("| {} |", shape);
    for (const int processes : {5, 7, 12}) fmt::print(" {:.1f} % |", 100 * coverage(shape, processes, comparisons, 1));
    fmt::print("\n");
  }
  fmt::print("\n");
}

void print_recorded(const Flags& flags) {
  const int splits = 10'000 / flags.divide;
  fmt::print(
      "### Recorded processes of one H200, {} random splits each\n\n| measured | suspects a split | splits with an "
      "alarm | 3 % found | 0.3 % called slower |\n|---|--:|--:|--:|--:|\n",
      splits);
  for (const char* path : {CUPEL_SIMULATOR_RECORDED, CUPEL_SIMULATOR_RECORDED_SUITE}) {
    for (const auto& [mode, locations] : read_recorded(path)) {
      const RecordedCounts counts = split_recorded(locations, splits, 1);
      const auto share = [&](double slowdown) {
        return 100.0 * split_recorded(locations, splits, 1, slowdown).found / splits;
      };
      fmt::print("| {} | {:.2f} | {} | {:.1f} % | {:.2f} % |\n", mode, static_cast<double>(counts.suspects) / splits,
                 counts.splits_with_alarm, share(0.03), share(0.003));
    }
  }
  fmt::print("\n");
}

int run(const Flags& flags) {
  const std::vector<std::pair<std::string, std::function<void()>>> parts{
      {"main",
       [&] {
         print_table(flags, "The study's noise, interleaved", study_model(), 1, Design::interleaved, flags.suites, 320);
       }},
      {"h200",
       [&] {
         print_table(flags, "Noise fitted to one H200 (settle, 3 rounds), interleaved", h200_model("settle_rounds"), 1,
                     Design::interleaved, flags.suites / 4, 160);
         print_table(flags, "Noise fitted to one H200 without settling, interleaved", h200_model("none"), 1,
                     Design::interleaved, flags.suites / 4, 160);
       }},
      {"sequential",
       [&] {
         print_table(flags, "All of one side, then all of the other", study_model(), 1, Design::sequential, 600, 120);
       }},
      {"stored", [&] { print_table(flags, "Against a stored baseline", study_model(), 1, Design::stored, 600, 120); }},
      {"quiet", [&] { print_table(flags, "Half the noise", study_model(), 0.5, Design::interleaved, 600, 120); }},
      {"noisy", [&] { print_table(flags, "Twice the noise", study_model(), 2, Design::interleaved, 600, 120); }},
      {"gate", [&] { print_gate_alone(flags); }},
      {"coverage", [&] { print_coverage(flags); }},
      {"recorded", [&] { print_recorded(flags); }}};
  bool any = false;
  for (const auto& [name, print] : parts) {
    if (!flags.only.empty() && flags.only != name) continue;
    print();
    any = true;
  }
  if (!any) throw std::invalid_argument("there is no table '" + flags.only + "'");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(read_flags(argc, argv));
  } catch (const std::exception& error) {
    fmt::print(stderr, "cupel_gate_simulator: {}\n", error.what());
    return 2;
  }
}
