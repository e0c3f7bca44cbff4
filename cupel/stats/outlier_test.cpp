#include "cupel/stats/outlier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "cupel/stats/random.hpp"

namespace cupel::stats {
namespace {

// NIST/SEMATECH e-Handbook, 1.3.5.17.3, after Rosner (1983): with up to ten outliers at 5 %, three are found, though
// neither the first nor the second is one by itself. Critical values as printed there.
const std::vector<double> kRosner{-0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56,
                                  1.58,  1.65, 1.69, 1.70, 1.76, 1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10,
                                  2.14,  2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.40, 2.47, 2.54, 2.62, 2.64, 2.90, 2.92,
                                  2.92,  2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01};

int count(const std::vector<Apart>& values) {
  return static_cast<int>(std::ranges::count_if(values, [](const Apart& one) { return one.outlier; }));
}

TEST(Outliers, HaveThePublishedCriticalValues) {
  const std::vector<double> critical = outlier_critical(kRosner.size(), 0.05);

  EXPECT_NEAR(critical[0], 3.158, 1e-3);
  EXPECT_NEAR(critical[1], 3.151, 1e-3);
  EXPECT_NEAR(critical[2], 3.143, 1e-3);
  EXPECT_NEAR(critical[9], 3.085, 1e-3);
}

TEST(Outliers, AreThePublishedThreeThoughTheyHideEachOther) {
  const std::vector<Apart> found = outliers(kRosner, outlier_critical(kRosner.size(), 0.05));

  EXPECT_EQ(count(found), 3);
  EXPECT_TRUE(found[51].outlier && found[52].outlier && found[53].outlier);
}

TEST(Outliers, OfEqualValuesAreTheOthersInfinitelyFar) {
  const std::vector<Apart> found = outliers(std::vector{5.0, 5.0, 5.0, 4.0}, outlier_critical(4, 0.01));

  EXPECT_EQ(found[0].z, 0);
  EXPECT_EQ(found[3].z, -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(found[3].outlier);
}

TEST(Outliers, OfTwoValuesAreNone) { EXPECT_EQ(count(outliers(std::vector{1.0, 9.0}, outlier_critical(2, 0.05))), 0); }

TEST(Outliers, AreFoundInNormalSamplesAsOftenAsAlphaSays) {
  Random random(7);
  for (const std::size_t n : {3u, 8u, 64u}) {
    const std::vector<double> critical = outlier_critical(n, 0.05);
    int flagged = 0;
    for (int i = 0; i < 4000; ++i) {
      std::vector<double> sample;
      for (std::size_t j = 0; j < n; ++j) sample.push_back(random.normal());
      flagged += count(outliers(sample, critical)) > 0 ? 1 : 0;
    }

    // 200 expected, sd 14. Rosner's critical values are close from n = 25 on; below, up to a half more is flagged.
    EXPECT_GE(flagged, 200 - 45) << n;
    EXPECT_LE(flagged, n < 25 ? 300 : 200 + 45) << n;
  }
}

}  // namespace
}  // namespace cupel::stats
