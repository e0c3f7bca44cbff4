// Properties that every comparison has, on random ones.
#include <gtest/gtest.h>

#include "cupel/compare/comparison.hpp"
#include "cupel/compare/synthetic.hpp"

namespace cupel::compare {
namespace {

using figures::append;
using figures::noisy_times;
using figures::rows_of;

constexpr int kInputs = 1000;

// Suites of a few benchmarks: any noise, any number of processes, some failed, skipped, disturbed or absent.
record::ResultSet random_set(stats::Random& random) {
  record::ResultSet results;
  const std::size_t benchmarks = 1 + random.below(8);
  const int processes = static_cast<int>(1 + random.below(9));
  for (std::size_t i = 0; i < benchmarks; ++i) {
    if (random.below(12) == 0) continue;
    const double sigma = std::exp(-9 + 8 * random.uniform());
    const double time = std::exp(random.below(2) == 0 ? 0 : 0.2 * random.normal());
    std::vector<record::Row> rows = rows_of("f/" + std::to_string(i), noisy_times(random, processes, time, sigma));
    for (record::Row& row : rows) {
      row.disturbed = random.below(15) == 0;
      if (random.below(40) == 0) {
        row.status = random.below(2) == 0 ? record::Status::failed : record::Status::skipped;
        row.series.clear();
      }
    }
    append(results, std::move(rows));
  }
  return results;
}

std::vector<Comparison> compared(const figures::Suite& a, const figures::Suite& b) { return compare({a, b}); }

const Comparison* find(const std::vector<Comparison>& rows, const Comparison& wanted) {
  for (const Comparison& row : rows) {
    if (row.name == wanted.name && row.metric == wanted.metric) return &row;
  }
  return nullptr;
}

TEST(EveryComparison, OfASuiteWithItselfIsSameOrInconclusiveWhereThereAreFigures) {
  stats::Random random(11);
  for (int i = 0; i < kInputs; ++i) {
    const figures::Suite suite = figures::suite_of(random_set(random), "a");
    for (const Comparison& row : compared(suite, suite)) {
      if (!has_figures(row.verdict)) continue;
      EXPECT_TRUE(row.verdict == Verdict::same || row.verdict == Verdict::inconclusive) << to_string(row.verdict);
      EXPECT_NEAR(row.ratio.value_or(1), 1, 1e-12);
    }
  }
}

TEST(EveryComparison, IsMirroredWhenTheSidesAreSwapped) {
  stats::Random random(12);
  int decided = 0;
  for (int i = 0; i < kInputs; ++i) {
    const figures::Suite a = figures::suite_of(random_set(random), "a"), b = figures::suite_of(random_set(random), "b");
    const std::vector<Comparison> forth = compared(a, b), back = compared(b, a);
    ASSERT_EQ(forth.size(), back.size());
    for (const Comparison& row : forth) {
      const Comparison* other = find(back, row);
      ASSERT_NE(other, nullptr);
      EXPECT_EQ(other->verdict, mirrored(row.verdict)) << row.name;
      ASSERT_EQ(row.ratio.has_value(), other->ratio.has_value());
      if (!row.ratio) continue;
      EXPECT_NEAR(*row.ratio * *other->ratio, 1, 1e-12);
      EXPECT_NEAR(row.lower.value_or(1) * other->upper.value_or(1), 1, 1e-12);
      decided += row.verdict == Verdict::slower || row.verdict == Verdict::faster;
    }
  }
  EXPECT_GT(decided, 300);
}

TEST(EveryComparison, SaysSameOnlyWhereTheTargetWouldHaveBeenSeen) {
  stats::Random random(13);
  int same = 0;
  for (int i = 0; i < kInputs; ++i) {
    for (const Comparison& row :
         compared(figures::suite_of(random_set(random), "a"), figures::suite_of(random_set(random), "b"))) {
      if (row.verdict != Verdict::same) continue;
      ++same;
      ASSERT_TRUE(row.mde);
      EXPECT_LE(*row.mde, Policy{}.target);
    }
  }
  EXPECT_GT(same, 100);
}

TEST(EveryComparison, OfAFailedBenchmarkHasNoRatio) {
  stats::Random random(14);
  int failures = 0;
  for (int i = 0; i < kInputs; ++i) {
    for (const Comparison& row :
         compared(figures::suite_of(random_set(random), "a"), figures::suite_of(random_set(random), "b"))) {
      if (row.baseline.failed + row.contender.failed == 0) continue;
      ++failures;
      EXPECT_EQ(row.verdict, Verdict::failed);
      EXPECT_FALSE(row.ratio);
    }
  }
  EXPECT_GT(failures, 100);
}

// At most 1 in 20 of 200 suites of 300 unchanged benchmarks, 5 + 5 processes, may raise an alarm: 10 and four standard
// deviations. Noise from 0.1 % to 3 %, an eighth of the benchmarks with two levels 3 % apart.
TEST(ASuiteAgainstItself, RarelyRaisesAnAlarm) {
  stats::Random random(15);
  int alarms = 0;
  constexpr int kSuites = 200;
  const auto times = [&](std::size_t benchmark, double sigma) {
    std::vector<double> drawn = noisy_times(random, 5, 1, sigma);
    for (double& time : drawn) time *= benchmark % 8 == 0 && random.below(2) == 0 ? 1.03 : 1;
    return drawn;
  };
  for (int suite = 0; suite < kSuites; ++suite) {
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < 300; ++i) {
      const double sigma = 0.001 * std::exp(3.4 * static_cast<double>(i) / 300);
      Candidate& candidate = candidates.emplace_back();
      candidate.baseline = times(i, sigma);
      candidate.contender = times(i, sigma);
    }
    conclude(candidates, {});
    bool alarm = false;
    for (const Candidate& candidate : candidates) {
      alarm = alarm || candidate.row.verdict == Verdict::slower || candidate.row.verdict == Verdict::faster;
    }
    alarms += alarm;
  }
  RecordProperty("alarms", alarms);

  EXPECT_LE(alarms, 10 + 4 * 3);
}

}  // namespace
}  // namespace cupel::compare
