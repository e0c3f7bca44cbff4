// How often the stated intervals of a ratio hold the truth, in simulated comparisons.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "cupel/stats/effect.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::stats {
namespace {

// What one process adds to the logarithm of a time.
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

double coverage_of_ratio(int count, const ProcessNoise& noise) {
  Random random(static_cast<std::uint64_t>(count));
  int held = 0;
  for (int i = 0; i < kComparisons; ++i) {
    const std::vector<double> a = processes(count, 0, noise, random);
    const std::vector<double> b = processes(count, kTruth, noise, random);
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

TEST(Coverage, OfTheRatioLiesBetween93And97AndAHalfPercent) {
  for (const Named& named : kNoises) {
    for (const int count : {5, 7, 12}) {
      const double coverage = coverage_of_ratio(count, named.noise);

      EXPECT_GE(coverage, 0.93) << named.name << ' ' << count;
      EXPECT_LE(coverage, 0.975) << named.name << ' ' << count;
      RecordProperty(named.name + std::to_string(count), std::to_string(coverage));
    }
  }
}

TEST(Coverage, OfTheRatioIsTheLevelThatTheIntervalStates) {
  Random random(1);
  for (const int count : {3, 4, 5, 7, 12}) {
    const double stated =
        hodges_lehmann(processes(count, 0, kNoises[0].noise, random), processes(count, 0, kNoises[0].noise, random))
            .interval.level;

    // Four standard errors of 10,000 comparisons.
    EXPECT_NEAR(coverage_of_ratio(count, kNoises[0].noise), stated,
                4 * std::sqrt(stated * (1 - stated) / kComparisons));
  }
}

TEST(Coverage, OfThePairedRatioIsTheLevelThatTheIntervalStates) {
  Random random(2);
  for (const Named& named : kNoises) {
    for (const int count : {5, 7, 12}) {
      const double stated = hodges_lehmann(processes(count, 0, named.noise, random)).interval.level;
      const double coverage = coverage_of_paired_ratio(count, named.noise);

      EXPECT_NEAR(coverage, stated, 4 * std::sqrt(stated * (1 - stated) / kComparisons)) << named.name << ' ' << count;
      EXPECT_GE(coverage, 0.93);
      EXPECT_LE(coverage, 0.975);
    }
  }
}

}  // namespace
}  // namespace cupel::stats
