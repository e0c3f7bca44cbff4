#include "cupel/advice/stages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/stats/random.hpp"

namespace cupel::advice {
namespace {

using enum AdviceVerdict;
using testing::ElementsAre;
using Verdicts = std::vector<AdviceVerdict>;

PairedPoint point(const std::string& scenario, AdviceVerdict verdict, const std::string& variant = "") {
  PairedPoint paired;
  paired.point.scenario = scenario;
  paired.point.verdict = verdict;
  paired.variant = variant;
  return paired;
}

std::vector<PairedPoint> at_sizes(const Verdicts& verdicts) {
  std::vector<PairedPoint> points;
  long size = 1024;
  for (const AdviceVerdict verdict : verdicts) {
    points.push_back(point("h2d/bytes:" + std::to_string(size), verdict));
    size *= 4;
  }
  return points;
}

std::string holds_of(const Verdicts& verdicts) {
  const std::vector<AdviceCurve> curves = curves_of(at_sizes(verdicts));
  return curves.size() == 1 ? holds(curves.front(), catalogue::AdviceKind::gain) : "not one curve";
}

TEST(Smoothed, KeepsAChangeAtAnEnd) {
  EXPECT_THAT(smoothed(Verdicts{harms, pays, pays}), ElementsAre(harms, pays, pays));
  EXPECT_THAT(smoothed(Verdicts{pays, pays, no_difference}), ElementsAre(pays, pays, no_difference));
}

TEST(Smoothed, TakesOneOddPointBetweenOthersForNoise) {
  EXPECT_THAT(smoothed(Verdicts{pays, harms, pays}), ElementsAre(pays, pays, pays));
  EXPECT_THAT(smoothed(Verdicts{no_difference, no_difference, pays, no_difference, no_difference}),
              testing::Each(no_difference));
}

TEST(Smoothed, BelievesTwoNeighboursThatAgree) {
  EXPECT_THAT(smoothed(Verdicts{pays, harms, harms, pays}), ElementsAre(pays, harms, harms, pays));
}

TEST(Smoothed, LetsUndecidedPointsGoWithTheirNeighbours) {
  EXPECT_THAT(smoothed(Verdicts{pays, undecided, pays}), ElementsAre(pays, pays, pays));
  EXPECT_THAT(smoothed(Verdicts{undecided, undecided}), testing::Each(undecided));
}

// Every sequence of four levels up to length 7, against all divisions into stretches.
TEST(Smoothed, CostsNoMoreThanAnyOtherDivision) {
  const std::vector<AdviceVerdict> levels{pays, harms, no_difference};
  const auto cost = [](const Verdicts& verdicts, const Verdicts& division) {
    int sum = 0;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      if (verdicts[i] != undecided && verdicts[i] != division[i]) sum += 5;
      if (i > 0 && division[i] != division[i - 1]) sum += 3;
    }
    return sum;
  };
  stats::Random random(1);
  for (int run = 0; run < 300; ++run) {
    Verdicts verdicts{pays};  // one decided point at least
    for (std::size_t n = random.below(6); n > 0; --n) verdicts.push_back(static_cast<AdviceVerdict>(random.below(4)));
    const int found = cost(verdicts, smoothed(verdicts));
    std::size_t divisions = 1;
    for (std::size_t i = 0; i < verdicts.size(); ++i) divisions *= levels.size();
    for (std::size_t code = 0; code < divisions; ++code) {
      Verdicts division;
      for (std::size_t rest = code; division.size() < verdicts.size(); rest /= levels.size()) {
        division.push_back(levels[rest % levels.size()]);
      }
      ASSERT_LE(found, cost(verdicts, division));
    }
  }
}

TEST(Holds, SaysFromWhichSizeOn) {
  EXPECT_EQ(holds_of({no_difference, pays, pays}), "pays from 4 KiB on");
  EXPECT_EQ(holds_of({pays, pays, no_difference, no_difference}), "pays up to 4 KiB");
  EXPECT_EQ(holds_of({pays, pays, pays}), "pays everywhere");
  EXPECT_EQ(holds_of({no_difference, no_difference}), "no difference");
  EXPECT_EQ(holds_of({harms, harms, pays}), "harms up to 4 KiB; pays at 16 KiB");
  EXPECT_EQ(holds_of({no_difference, no_difference, pays, pays, no_difference, no_difference}),
            "pays from 16 KiB to 64 KiB");
}

TEST(Holds, NamesTheOddPoint) { EXPECT_EQ(holds_of({pays, harms, pays}), "pays at most sizes; but harms at 4 KiB"); }

TEST(Holds, ClaimsNothingBeyondTheLastDecidedSize) {
  EXPECT_EQ(holds_of({pays, pays, undecided}), "pays up to 4 KiB; 1 undecided");
  EXPECT_EQ(holds_of({pays, undecided, pays}), "pays at most sizes; 1 undecided");
  EXPECT_EQ(holds_of({undecided, undecided}), "undecided");
}

TEST(Holds, LeavesSizesOutThatCouldNotRun) {
  EXPECT_EQ(holds_of({pays, pays, not_measurable}), "pays everywhere");
  EXPECT_EQ(holds_of({not_measurable, not_measurable}), "not measurable");
}

TEST(Holds, SpeaksOfCostsAsCosts) {
  const std::vector<AdviceCurve> curves = curves_of(at_sizes({harms, no_difference}));

  EXPECT_EQ(holds(curves.front(), catalogue::AdviceKind::cost), "costs at 1 KiB; costs nothing at 4 KiB");
}

TEST(Curves, RunAlongTheLastParameterThatVaries) {
  const auto curves = curves_of({point("step/kernels:1/bytes:1024", pays), point("step/kernels:10/bytes:1024", pays)});

  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].axis, "kernels");
  EXPECT_EQ(curves[0].scenario, "step/bytes:1024");
}

TEST(Curves, AreOneForEachValueOfTheOtherParameters) {
  const auto curves = curves_of({point("step/kernels:1/bytes:1024", pays), point("step/kernels:1/bytes:2048", pays),
                                 point("step/kernels:10/bytes:1024", pays), point("step/kernels:10/bytes:2048", pays)});

  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].axis, "bytes");
  EXPECT_EQ(curves[1].scenario, "step/kernels:10");
}

TEST(Curves, AreInOrderOfSizeWhateverTheOrderOfThePoints) {
  const auto curves = curves_of({point("h2d/bytes:65536", pays), point("h2d/bytes:1024", pays)});

  EXPECT_EQ(curves[0].points[0].size, 1024);
  EXPECT_EQ(curves[0].points[1].size, 65536);
}

TEST(Curves, KeepVariantsApart) {
  const auto curves = curves_of({point("split/bytes:1", pays, "one_copy"), point("split/bytes:1", pays, "batched"),
                                 point("split/bytes:2", pays, "one_copy"), point("split/bytes:2", pays, "batched")});

  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].variant, "one_copy");
  EXPECT_EQ(curves[0].points.size(), 2u);
}

TEST(Curves, WithoutAParameterAreSinglePoints) {
  const auto curves = curves_of({point("launch", pays), point("", pays), point("wait/mode:spin", pays)});

  ASSERT_EQ(curves.size(), 3u);
  for (const AdviceCurve& curve : curves) EXPECT_EQ(curve.axis, "");
  EXPECT_EQ(holds(curves[0], catalogue::AdviceKind::gain), "pays");
}

TEST(Curves, RunAlongWholeNumbersOnly) {
  const auto curves = curves_of({point("s/x:inf", pays), point("s/x:nan", pays), point("s/x:1e5", pays),
                                 point("s/x:-1", pays), point("s/x:99999999999999999999", pays), point("s/x:", pays)});

  EXPECT_EQ(curves.size(), 6u);
}

TEST(ReadableScenario, ScalesSizesInBytesOnly) {
  EXPECT_EQ(readable_scenario("h2d/bytes:4096"), "h2d/bytes:4 KiB");
  EXPECT_EQ(readable_scenario("holes/block_bytes:16777216"), "holes/block_bytes:16 MiB");
  EXPECT_EQ(readable_scenario("step/kernels:4096"), "step/kernels:4096");
  EXPECT_EQ(readable_scenario("a:bytes:4096/bytes/bytes:/abcd:1"), "a:bytes:4096/bytes/bytes:/abcd:1");
  EXPECT_EQ(readable_scenario("bytes:99999999999999999999999"), "bytes:99999999999999999999999");
  EXPECT_EQ(readable_scenario("bytes:"), "bytes:");
  EXPECT_EQ(readable_scenario(""), "");
}

}  // namespace
}  // namespace cupel::advice
