// Prints the tables of docs/statistics.md on power and false alarms under six noises, and on machines whose starts are
// not alike: cupel_gate_noises [GATES].
#include <cstdio>
#include <cstdlib>

#include "tests/simulator/noises.hpp"

namespace {

using namespace cupel::simulator;

double percent(int count, int gates) { return 100.0 * count / gates; }

void print_row(const Noise& noise, int gates) {
  std::printf("| %s |", noise.name.c_str());
  for (const double slowdown : {0.03, 0.05, 0.1}) {
    for (const bool calibrated : {false, true}) {
      const NoiseCounts counts =
          count_gates({.noise = noise, .calibrated = calibrated, .slowdown = slowdown, .gates = gates});
      std::printf("%s %.1f%s", calibrated ? " /" : "", percent(counts.found, gates), calibrated ? " |" : "");
    }
  }
  NoiseCounts unchanged[2];
  for (const bool calibrated : {false, true}) {
    unchanged[calibrated] = count_gates({.noise = noise, .calibrated = calibrated, .slowdown = 0, .gates = gates});
  }
  std::printf(" %.2f / %.2f |", percent(unchanged[0].alarms, gates), percent(unchanged[1].alarms, gates));
  std::printf(" %.1f / %.1f |", percent(unchanged[0].undecided, gates), percent(unchanged[1].undecided, gates));
  std::printf(" %.0f / %.0f |\n", 1.0 * unchanged[0].processes / gates, 1.0 * unchanged[1].processes / gates);
}

void print_machine(const Noise& noise, int gates) {
  std::printf("| %s |", noise.name.c_str());
  for (const double slowdown : {0.0, 0.03, 0.05}) {
    for (const bool in_pairs : {true, false}) {
      const NoiseCounts counts =
          count_gates({.noise = noise, .slowdown = slowdown, .in_pairs = in_pairs, .gates = gates});
      const int count = slowdown > 0 ? counts.found : counts.alarms;
      std::printf("%s %.2f%s", in_pairs ? "" : " /", percent(count, gates), in_pairs ? "" : " |");
    }
  }
  std::printf("\n");
}

}  // namespace

int main(int count, char** arguments) {
  const int gates = count > 1 ? std::atoi(arguments[1]) : 400;
  std::printf(
      "| noise of the first of nine benchmarks | 3 %% slower, found | 5 %% | 10 %% | false alarms | exit 6 | processes "
      "|\n"
      "|---|--:|--:|--:|--:|--:|--:|\n");
  for (const Noise& noise : six_noises()) print_row(noise, gates);
  std::printf(
      "\n| machine, starts in pairs / drawn among all | false alarms | 3 %% slower, found | 5 %% "
      "|\n|---|--:|--:|--:|\n");
  for (const Noise& noise : machines()) print_machine(noise, gates);
}
