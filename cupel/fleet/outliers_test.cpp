#include "cupel/fleet/outliers.hpp"

#include <gtest/gtest.h>

namespace cupel::fleet {
namespace {

FleetFigure outlier(const std::string& name, double ratio, const std::string& family = "") {
  FleetFigure figure;
  figure.name = name;
  figure.ratio = ratio;
  figure.outlier = true;
  figure.family = family;
  return figure;
}

// A family that is slower, with two of its three benchmarks, and a benchmark of another family.
Fleet slow_family() {
  Fleet fleet;
  fleet.families = {outlier("gemm", 1.1), outlier("conv", 1.3)};
  fleet.families.back().outlier = false;
  fleet.benchmarks = {outlier("gemm/a", 1.2, "gemm"), outlier("gemm/b", 1.1, "gemm"), outlier("gemm/c", 0.8, "gemm"),
                      outlier("conv/a", 1.4, "conv")};
  return fleet;
}

TEST(Outliers, AreFamiliesBeforeBenchmarksThatDoNotStandOutWithOne) {
  const Fleet fleet = slow_family();

  const Outliers outliers = outliers_of(fleet, false);

  ASSERT_EQ(outliers.rows.size(), 3u);
  EXPECT_EQ(outliers.rows[0].what, Part::family);
  EXPECT_EQ(outliers.rows[0].figure->name, "gemm");
  EXPECT_EQ(outliers.rows[1].figure->name, "gemm/c") << "it is quicker: to the other side";
  EXPECT_EQ(outliers.rows[2].figure->name, "conv/a") << "its family does not stand out";
  EXPECT_EQ(outliers.folded, 2u);
  EXPECT_EQ(benchmarks_within(fleet, fleet.families[0]), 2);
}

TEST(Outliers, AreAllWhereAllAreAskedFor) {
  const Fleet fleet = slow_family();

  const Outliers outliers = outliers_of(fleet, true);

  EXPECT_EQ(outliers.rows.size(), 5u);
  EXPECT_EQ(outliers.folded, 0u);
}

TEST(Outliers, BeginWithTheMachineThatIsSlowerInEverything) {
  Fleet fleet;
  fleet.everything = {outlier(kEverything, 1.2)};
  fleet.families = {outlier("gemm", 1.1), outlier("conv", 0.7)};

  const Outliers outliers = outliers_of(fleet, false);

  ASSERT_EQ(outliers.rows.size(), 3u);
  EXPECT_EQ(outliers.rows[0].what, Part::machine);
  EXPECT_EQ(outliers.rows[1].figure->name, "conv") << "the largest effect first";
}

}  // namespace
}  // namespace cupel::fleet
