#include "cupel/timing/quick_streams.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "cupel/timing/rig.hpp"

namespace cupel::timing {
namespace {

// As shows_two_levels() has it: more than the readings of one level differ by, less than two levels do.
constexpr double kNoise = 0.03;

class QuickStreamsOfADevice : public ::testing::Test {
 protected:
  QuickStreamsOfADevice() {
    hold_.load(Rig::get().stream());  // the rig has woken the device
    Rig::get().settle();
  }

  Hold hold_;
  LaunchSpacing spacing_{hold_};
};

TEST_F(QuickStreamsOfADevice, AreTwoThatOutliveTheOthers) {
  const QuickStreams quick = quick_streams(spacing_);

  EXPECT_NE(quick.stream.get(), quick.beside.get());
  EXPECT_GT(quick.launch_spacing_s, 0);
  EXPECT_GE(quick.slowest_launch_spacing_s, quick.launch_spacing_s);
  EXPECT_GT(spacing_.read_s(quick.stream), 0);
  EXPECT_GT(spacing_.read_s(quick.beside), 0);
}

TEST_F(QuickStreamsOfADevice, AreInTheRecordOfTheProcess) {
  const record::Calibration& calibration = Rig::get().calibration();

  ASSERT_TRUE(calibration.launch_spacing_s && calibration.slowest_launch_spacing_s);
  EXPECT_GT(*calibration.launch_spacing_s, 0);
  EXPECT_GE(*calibration.slowest_launch_spacing_s, *calibration.launch_spacing_s);
}

// Prints what docs/method.md asks of a device: the levels, and that the chosen stream keeps its own.
TEST_F(QuickStreamsOfADevice, AreNoSlowerThanTheFirstStream) {
  const cuda::Stream first;
  const QuickStreams quick = quick_streams(spacing_);
  const double first_s = spacing_.read_s(first);
  const double again_s = spacing_.read_s(quick.stream);
  std::printf(
      "from kernel to kernel, us: first stream %.3f, quickest %.3f, slowest %.3f; the others gone, quickest %.3f"
      ", the one beside it %.3f\n",
      first_s * 1e6, quick.launch_spacing_s * 1e6, quick.slowest_launch_spacing_s * 1e6, again_s * 1e6,
      spacing_.read_s(quick.beside) * 1e6);

  EXPECT_LT(again_s, (1 + kNoise) * first_s);
  EXPECT_NEAR(again_s, quick.launch_spacing_s, kNoise * quick.launch_spacing_s) << "with the others destroyed";
}

TEST_F(QuickStreamsOfADevice, GiveTheProcessAStreamThatStaysQuick) {
  const double chosen_s = *Rig::get().calibration().launch_spacing_s;

  const double now_s = spacing_.read_s(Rig::get().stream());

  std::printf("the timed stream, us from kernel to kernel: %.3f when it was chosen, %.3f now\n", chosen_s * 1e6,
              now_s * 1e6);
  EXPECT_NEAR(now_s, chosen_s, kNoise * chosen_s);
}

}  // namespace
}  // namespace cupel::timing
