#include "cupel/figures/facts.hpp"

#include <gtest/gtest.h>

#include "cupel/record/context.hpp"

namespace cupel::figures {
namespace {

record::Context context_on(const std::string& device) {
  record::Context context;
  context.build.git_revision = "abc";
  if (!device.empty()) {
    context.device.emplace();
    context.device->name = device;
  }
  return context;
}

TEST(AnotherRun, IsNoneBetweenAFamilyOnTheDeviceAndOneThatNeedsNone) {
  EXPECT_EQ(other_run(context_on("H200"), context_on(""), false), "");
  EXPECT_EQ(other_run(context_on("H200"), context_on(""), true), "GPU: H200 there, none here");
  EXPECT_EQ(other_run(context_on(""), context_on("H200"), true), "GPU: none there, H200 here");
  EXPECT_EQ(other_run(context_on("H200"), context_on("H100"), true), "GPU: H200 there, H100 here");
}

TEST(AnotherRun, IsThatOfAnotherBoardOrDriver) {
  record::Context there = context_on("H200"), here = there;
  there.device->uuid = "GPU-1";
  EXPECT_EQ(other_run(there, here, true), "") << "one of both does not say";
  here.device->uuid = "GPU-2";
  EXPECT_EQ(other_run(there, here, true), "UUID: GPU-1 there, GPU-2 here");
  here.device->uuid = "GPU-1";
  there.device->driver_version = "570.1";
  here.device->driver_version = "580.1";
  EXPECT_EQ(other_run(there, here, true), "driver: 570.1 there, 580.1 here");
}

TEST(AnotherRun, IsTheNodeWhereBothSidesKnowIt) {
  record::Context there = context_on(""), here = context_on("");
  there.run.node = "n3";
  EXPECT_EQ(other_run(there, here, false), "");
  here.run.node = "n4";
  EXPECT_EQ(other_run(there, here, false), "node: n3 there, n4 here");
}

TEST(AnotherRun, IsTheBuildWhenItWasMadeFromOtherSources) {
  record::Context here = context_on("");
  here.build.git_revision = "def";
  EXPECT_EQ(other_run(context_on(""), here, false), "revision: abc there, def here");
  here = context_on("");
  here.build.git_dirty = true;
  EXPECT_EQ(other_run(context_on(""), here, false), "revision: abc there, abc, changed here");
}

}  // namespace
}  // namespace cupel::figures
