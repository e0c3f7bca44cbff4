// Prints the tables of docs/statistics.md on simulated suites and recorded processes: cupel_gate_suites [SUITES
// [SPLITS]].
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/simulator/recorded.hpp"
#include "tests/simulator/simulate.hpp"

namespace {

using namespace cupel::simulator;

constexpr int kChanged = 400;

void print_suites(const char* name, int suites) {
  const Model model = model_of(name);
  const Counts same = simulate({.model = model, .unchanged_suites = suites});
  const Counts slowed = simulate({.model = model, .changed_suites = kChanged});
  std::printf("| %s | %d of %d | ", name, same.suites_with_alarm, suites);
  for (std::size_t kind = 0; kind < 4; ++kind) {
    std::printf("%s%.0f", kind == 0 ? "" : " / ", 100 * same.gateable_share[kind]);
  }
  std::printf(" %% | ");
  for (std::size_t kind = 0; kind < 4; ++kind) {
    std::printf("%s%d of %d", kind == 0 ? "" : " / ", slowed.found[kind], slowed.gateable[kind]);
  }
  std::printf(" | %.1f %% |\n", 100 * detection(model, slowed));
  std::fflush(stdout);
}

void print_coverage() {
  std::printf("\n| noise | 5 | 7 | 12 processes a side |\n|---|--:|--:|--:|\n");
  for (std::size_t kind = 0; kind < 4; ++kind) {
    std::printf("| %s |", kKinds[kind]);
    for (const int processes : {5, 7, 12}) {
      std::printf(" %.1f %% |", 100 * coverage(model_of("suite"), processes, 200, 1)[kind]);
    }
    std::printf("\n");
  }
}

void print_recorded(const char* file, int splits) {
  for (const auto& [mode, locations] : read_recorded(file)) {
    std::printf("| %s | %d of %d | %.1f %% | %.2f %% |\n", mode.c_str(),
                split_recorded(locations, splits).splits_with_alarm, splits,
                100.0 * split_recorded(locations, splits, 0.03).found / splits,
                100.0 * split_recorded(locations, splits, 0.003).found / splits);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int suites = count > 1 ? std::atoi(arguments[1]) : 100, splits = count > 2 ? std::atoi(arguments[2]) : 200;
  if (suites > 0) {
    std::printf(
        "| constants | unchanged suites with an alarm | gateable at 3 %%: large / small / power / host | 3 %% found of "
        "these | together |\n|---|--:|---|---|--:|\n");
    for (const char* name : {"study", "none", "settle_rounds", "suite"}) print_suites(name, suites);
    print_coverage();
  }
  if (splits > 0) {
    std::printf("\n| measured | splits with an alarm | 3 %% found | 0.3 %% called slower |\n|---|--:|--:|--:|\n");
    print_recorded("h200_process_locations.json", splits);
    print_recorded("suite_process_locations.json", splits);
  }
}
