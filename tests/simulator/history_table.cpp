// Prints the table of docs/statistics.md on the newest commit of a history: cupel_history_noises [HISTORIES].
#include <cstdio>
#include <cstdlib>

#include "tests/simulator/histories.hpp"

namespace {

using namespace cupel::simulator;

double percent(int count, int histories) { return 100.0 * count / histories; }

void print_row(const Noise& noise, std::size_t sessions, int histories) {
  const HistoryCounts same = count_histories({.noise = noise, .sessions = sessions, .histories = histories});
  const HistoryCounts slower =
      count_histories({.noise = noise, .sessions = sessions, .slowdown = 0.05, .histories = histories});
  const int asking = slower.undecided > 0 ? slower.undecided : 1;
  std::printf("| %s | %zu | %.2f | %.1f | %.1f | %.1f | %.1f | %.1f |\n", noise.name.c_str(), sessions,
              percent(same.slower, histories), percent(same.undecided, histories), percent(slower.at_once, histories),
              percent(slower.undecided, histories), 1.0 * slower.asked / asking, percent(slower.slower, histories));
}

}  // namespace

int main(int count, char** arguments) {
  const int histories = count > 1 ? std::atoi(arguments[1]) : 400;
  std::printf(
      "| noise of sessions | sessions | unchanged: SLOWER | INCONCLUSIVE | 5 %% slower: SLOWER at once | INCONCLUSIVE "
      "| "
      "sessions asked for | SLOWER with these |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const Noise& noise : session_noises()) {
    for (const std::size_t sessions : {5u, 10u, 20u, 40u}) print_row(noise, sessions, histories);
  }
}
