#include "tests/foretell/score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cupel/foretell/synthetic.hpp"

namespace cupel::foretell {
namespace {

using record::StepProfile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Micro& launches() {
  static const Micro micro({figure("sync/graph/enqueue/impl:launches/bytes:4096/kernels:100", 0),
                            figure("sync/graph/complete/impl:launches/bytes:16777216/kernels:100", 1),
                            figure("sync/graph/complete/impl:graph/bytes:16777216/kernels:100", 1)});
  return micro;
}

// 12 ms without anything, 11 ms without a fill, 10 ms with all.
std::vector<figures::Figure> steps() {
  return {figure("step/waterfall/add:nothing/net:n/batch:1", 0.012),
          figure("step/waterfall/add:no_fill/net:n/batch:1", 0.010),
          figure("step/waterfall/drop:no_fill/net:n/batch:1", 0.011)};
}

StepProfile profile(const std::string& name, double step_s, double fill_s) {
  StepProfile profile = profile_of_10_ms();
  profile.benchmark = "step/waterfall/" + name + "/net:n/batch:1";
  profile.step_s = step_s;
  profile.switches.gradients = fill_s > 0 ? "filled" : "replaced";
  if (fill_s > 0) profile.kernels = {{.kind = record::KernelKind::fill, .calls = 1, .time_s = fill_s}};
  return profile;
}

TEST(CheckedChange, AreTheStepsOfAWaterfallThatHaveAProfile) {
  const std::vector<StepProfile> profiles = {profile("add:no_fill", 0.010, 0), profile("drop:no_fill", 0.011, 0.0008)};

  const std::vector<CheckedChange> checked = checked_changes(steps(), profiles, launches());

  ASSERT_EQ(checked.size(), 1u);  // of add:nothing there is none
  EXPECT_EQ(checked[0].change, "drop:no_fill");
  EXPECT_EQ(checked[0].where, "net:n batch:1");
  EXPECT_THAT(checked[0].pieces, ElementsAre("no_fill"));
  EXPECT_NEAR(checked[0].measured_s.value, 0.001, 1e-9);
  EXPECT_NEAR(checked[0].foretold_s.value, 0.0008, 1e-9);
  EXPECT_NEAR(checked[0].error(), 0.2, 1e-6);
  EXPECT_TRUE(checked[0].matters());
  EXPECT_TRUE(checked[0].sign_is_right());
}

TEST(CheckedChange, AddedPiecesAreHeldAgainstTheRungBefore) {
  const std::vector<StepProfile> profiles = {profile("add:nothing", 0.012, 0.002), profile("add:no_fill", 0.010, 0)};

  const std::vector<CheckedChange> checked = checked_changes(steps(), profiles, launches());

  ASSERT_EQ(checked.size(), 1u);
  EXPECT_EQ(checked[0].change, "add:no_fill");
  EXPECT_NEAR(checked[0].foretold_s.value, 0.002, 1e-9);
  EXPECT_NEAR(checked[0].measured_s.value, 0.002, 1e-9);
}

TEST(CheckedChange, WithoutRowsSayWhichAreMissing) {
  const std::vector<StepProfile> profiles = {profile("add:no_fill", 0.010, 0), profile("drop:no_fill", 0.011, 0.0008)};

  const std::vector<CheckedChange> checked = checked_changes(steps(), profiles, Micro({}));

  ASSERT_EQ(checked.size(), 1u);
  EXPECT_THAT(checked[0].silent, HasSubstr("sync/graph/"));
}

CheckedChange measured_and_foretold(double measured_s, double foretold_s) {
  return {.where = "w",
          .change = "c",
          .before_s = 1,
          .measured_s = Estimate::exactly(measured_s),
          .foretold_s = Estimate::exactly(foretold_s)};
}

TEST(Tally, CountsSignsAndErrorsOfWhatMovesTheStep) {
  CheckedChange silent = measured_and_foretold(0.5, 0);
  silent.silent = "no rows";
  const std::vector<CheckedChange> checked = {measured_and_foretold(0.1, 0.09), measured_and_foretold(0.1, -0.1),
                                              measured_and_foretold(-0.1, -0.05), measured_and_foretold(0.001, -1),
                                              silent};

  const Tally tally = tally_of(checked);

  EXPECT_EQ(tally.foretold, 4);
  EXPECT_EQ(tally.silent, 1);
  EXPECT_EQ(tally.matter, 3);
  EXPECT_EQ(tally.right, 2);
  EXPECT_NEAR(tally.error, 0.5, 1e-9);  // of 0.1, 0.5 and 2
}

TEST(Tally, AGainThatIsForetoldAsNothingHasNoRightSign) { EXPECT_FALSE(measured_and_foretold(0.1, 0).sign_is_right()); }

}  // namespace
}  // namespace cupel::foretell
