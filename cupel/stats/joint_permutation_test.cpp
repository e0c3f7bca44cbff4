#include "cupel/stats/joint_permutation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "cupel/stats/random.hpp"

namespace cupel::stats {
namespace {

TEST(JointPermutation, OfSeparatedRowsHasTheLeastP) {
  const std::vector<TwoSamples> rows{{{1, 2, 3, 4, 5}, {11, 12, 13, 14, 15}}, {{1, 2, 3, 4, 5}, {1.5, 2.5, 3.5, 0, 5}}};

  const std::vector<double> p = joint_permutation_p(rows, 0.01);

  EXPECT_DOUBLE_EQ(p[0], 2.0 / 252);
  EXPECT_GT(p[1], 0.5);
}

TEST(JointPermutation, IsTheSameWithTheSidesSwapped) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    std::vector<TwoSamples> rows(3), swapped(3);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (int k = 0; k < 5; ++k) rows[r].a.push_back(random.normal());
      for (int k = 0; k < 6; ++k) rows[r].b.push_back(random.normal());
      swapped[r] = {rows[r].b, rows[r].a};
    }
    EXPECT_EQ(joint_permutation_p(rows, 0.01), joint_permutation_p(swapped, 0.01));
  }
}

// Five processes a side of 300 rows: what Welch's t with Holm's adjustment called changed in two of five suites.
TEST(JointPermutation, KeepsTheLevelOfASuiteWhoseRowsHaveTwoLevels) {
  Random random(4);
  int alarms = 0;
  constexpr int kSuites = 200;
  for (int suite = 0; suite < kSuites; ++suite) {
    std::vector<TwoSamples> rows(300);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::vector<double>* side : {&rows[r].a, &rows[r].b}) {
        for (int k = 0; k < 5; ++k) {
          const bool two_levels = r % 8 == 0;
          side->push_back(two_levels ? 0.0005 * random.normal() + (random.uniform() < 0.5 ? 0.05 : 0)
                                     : 0.005 * random.normal());
        }
      }
    }
    alarms += std::ranges::min(joint_permutation_p(rows, 0.01)) <= 0.05;
  }
  EXPECT_LE(alarms, 10 + 3 * 3);  // 5 % of 200, and three standard deviations of the count
}

TEST(JointPermutation, RefusesRowsOfOtherSizes) {
  const std::vector<TwoSamples> rows{{{1, 2}, {1, 2}}, {{1, 2, 3}, {1, 2}}};

  EXPECT_THROW(joint_permutation_p(rows, 0.01), std::invalid_argument);
  EXPECT_TRUE(joint_permutation_p({}, 0.01).empty());
}

}  // namespace
}  // namespace cupel::stats
