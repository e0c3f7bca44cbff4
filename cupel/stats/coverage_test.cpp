// Counts how often the stated intervals of a ratio contain the truth, in simulated comparisons.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/random.hpp"
#include "cupel/stats/reference/measured.hpp"

namespace cupel::stats {
namespace {

using reference::report;

// The noise that one process adds to the logarithm of a time.
using ProcessNoise = std::function<double(Random&)>;

struct Named {
  const char* name;
  ProcessNoise noise;
};

const std::vector<Named> kNoises{
    {"normal", [](Random& r) { return 0.005 * r.normal(); }},
    {"skewed", [](Random& r) { return 0.005 * r.exponential(); }},
    // Most processes in one mode, some 3 % slower.
    {"bimodal", [](Random& r) { return 0.005 * r.normal() + (r.uniform() < 0.3 ? 0.03 : 0.0); }},
};

constexpr int kComparisons = 10'000;
const double kTruth = std::log(1.03);

std::vector<double> processes(int count, double shift, const ProcessNoise& noise, Random& random) {
  std::vector<double> locations(static_cast<std::size_t>(count));
  for (double& x : locations) x = shift + noise(random);
  return locations;
}

// A clock that drifts by 0.5 % and remembers nine tenths of itself from process to process, as the study of the gate
// assumes, and moves every time measured by that much.
std::vector<double> drift(int count, Random& random) {
  constexpr double kDeviation = 0.005;
  constexpr double kMemory = 0.9;
  std::vector<double> clock(static_cast<std::size_t>(count));
  double state = kDeviation * random.normal();
  for (double& x : clock) {
    x = state;
    state = kMemory * state + kDeviation * std::sqrt(1 - kMemory * kMemory) * random.normal();
  }
  return clock;
}

enum class Order { steady, drawn, sequential };

// The side of each of the 2 * count starts, true for the contender's: in an order that is drawn, or all of the one
// before all of the other.
std::vector<char> starts(Order order, int count, Random& random) {
  std::vector<char> of_contender(2 * static_cast<std::size_t>(count), 0);
  std::fill_n(of_contender.end() - count, count, 1);
  if (order == Order::drawn) random.shuffle(std::span(of_contender));
  return of_contender;
}

double coverage_of_ratio(int count, const ProcessNoise& noise, Order order = Order::steady) {
  Random random(static_cast<std::uint64_t>(count));
  int held = 0;
  for (int i = 0; i < kComparisons; ++i) {
    std::vector<double> a = processes(count, 0, noise, random);
    std::vector<double> b = processes(count, kTruth, noise, random);
    if (order != Order::steady) {
      const std::vector<double> clock = drift(2 * count, random);
      const std::vector<char> of_contender = starts(order, count, random);
      auto next_a = a.begin(), next_b = b.begin();
      for (std::size_t k = 0; k < clock.size(); ++k) *(of_contender[k] ? next_b++ : next_a++) += clock[k];
    }
    held += hodges_lehmann(a, b).ratio_interval().contains(1.03);
  }
  return static_cast<double>(held) / kComparisons;
}

// Before and after of one process: what the process adds to both cancels, and each adds noise of its own.
double coverage_of_paired_ratio(int count, const ProcessNoise& noise) {
  Random random(static_cast<std::uint64_t>(count));
  int held = 0;
  for (int i = 0; i < kComparisons; ++i) {
    std::vector<double> differences = processes(count, kTruth, noise, random);
    for (double& d : differences) d -= noise(random);
    held += hodges_lehmann(differences).ratio_interval().contains(1.03);
  }
  return static_cast<double>(held) / kComparisons;
}

std::string title(const char* what, const Named& named, int count) {
  return std::string(what) + ", " + named.name + ", " + std::to_string(count) + " processes";
}

TEST(Coverage, OfTheRatioLiesBetween93And97AndAHalfPercent) {
  for (const Named& named : kNoises) {
    for (const int count : {5, 7, 12}) {
      const double coverage = coverage_of_ratio(count, named.noise);
      report(title("ratio", named, count), coverage);

      EXPECT_GE(coverage, 0.93) << named.name << ' ' << count;
      EXPECT_LE(coverage, 0.975) << named.name << ' ' << count;
    }
  }
}

TEST(Coverage, OfTheRatioIsTheLevelThatTheIntervalStates) {
  Random random(1);
  for (const int count : {3, 4, 5, 7, 12}) {
    const std::vector<double> a = processes(count, 0, kNoises[0].noise, random);
    const std::vector<double> b = processes(count, 0, kNoises[0].noise, random);
    const double stated = hodges_lehmann(a, b).interval.level;

    // Four standard errors of 10,000 comparisons.
    EXPECT_NEAR(coverage_of_ratio(count, kNoises[0].noise), stated,
                4 * std::sqrt(stated * (1 - stated) / kComparisons));
  }
}

// Interleaved starts share the drift, which widens the intervals more than it moves their centre; one side after the
// other, the drift is taken for an effect.
TEST(Coverage, HoldsUnderDriftWhereTheOrderOfStartsIsDrawnOnly) {
  for (const Named& named : kNoises) {
    for (const int count : {5, 7, 12}) {
      const double drawn = coverage_of_ratio(count, named.noise, Order::drawn);
      const double sequential = coverage_of_ratio(count, named.noise, Order::sequential);
      report(title("ratio under drift, drawn order", named, count), drawn);
      report(title("ratio under drift, one after the other", named, count), sequential);

      EXPECT_GE(drawn, 0.95);
      EXPECT_LT(sequential, drawn - 0.01);
    }
  }
}

TEST(Coverage, OfThePairedRatioIsTheLevelThatTheIntervalStates) {
  Random random(2);
  for (const Named& named : kNoises) {
    for (const int count : {5, 7, 12}) {
      const double stated = hodges_lehmann(processes(count, 0, named.noise, random)).interval.level;
      const double coverage = coverage_of_paired_ratio(count, named.noise);
      report(title("paired ratio", named, count), coverage);

      EXPECT_NEAR(coverage, stated, 4 * std::sqrt(stated * (1 - stated) / kComparisons)) << named.name << ' ' << count;
      EXPECT_GE(coverage, 0.93);
      EXPECT_LE(coverage, 0.975);
    }
  }
}

}  // namespace
}  // namespace cupel::stats
