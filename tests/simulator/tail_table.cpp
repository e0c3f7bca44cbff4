// Prints the table of docs/statistics.md on tails inside processes: cupel_tail_noises [ROWS].
#include <cstdio>
#include <cstdlib>

#include "tests/simulator/tails.hpp"

int main(int count, char** arguments) {
  using namespace cupel::simulator;
  const int rows = count > 1 ? std::atoi(arguments[1]) : 1000;
  std::printf(
      "| noise of samples | unchanged, noted: 5 + 5 processes | 12 + 12 | 32 + 32 | 2 %% of the new samples three "
      "times as "
      "long: 5 + 5 | 5 %% |\n|---|--:|--:|--:|--:|--:|\n");
  for (const Noise& noise : sample_noises()) {
    std::printf("| %s |", noise.name.c_str());
    const auto print = [&](int processes, double slow) {
      const int noted = count_longer_tails({.noise = noise, .processes = processes, .slow = slow, .rows = rows});
      std::printf(" %.2f %% |", 100.0 * noted / rows);
    };
    for (const int processes : {5, 12, 32}) print(processes, 0);
    for (const double slow : {0.02, 0.05}) print(5, slow);
    std::printf("\n");
  }
}
