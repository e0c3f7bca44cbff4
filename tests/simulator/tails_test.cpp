// The note on tails inside processes is seldom wrong, and finds those that triple: docs/statistics.md.
#include "tests/simulator/tails.hpp"

#include <gtest/gtest.h>

namespace cupel::simulator {
namespace {

// 0.4 % of 1,000 are 4, and twice their standard deviation is as much again.
TEST(SimulatedTails, AreSeldomSaidToBeLongerWhereNothingChanged) {
  for (const Noise& noise : sample_noises()) {
    for (const int processes : {5, 12}) {
      EXPECT_LE(count_longer_tails({.noise = noise, .processes = processes, .rows = 1000}), 8)
          << noise.name << ", " << processes;
    }
  }
}

TEST(SimulatedTails, AreSaidToBeLongerWhereTheyTripleInAllProcesses) {
  for (const Noise& noise : six_noises()) {
    const bool has_tails_already = noise.name.starts_with("spikes");
    if (has_tails_already) continue;
    EXPECT_GE(count_longer_tails({.noise = noise, .slow = 0.05}), 380) << noise.name;
  }
}

}  // namespace
}  // namespace cupel::simulator
