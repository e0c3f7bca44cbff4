#include "cupel/foretell/step.hpp"

#include <gtest/gtest.h>

#include "cupel/foretell/synthetic.hpp"

namespace cupel::foretell {
namespace {

using record::CopyDirection;
using record::HostMemory;
using record::WaitCause;

const Micro& nothing() {
  static const Micro micro({});
  return micro;
}

TEST(Step, OfADeviceThatIsBusyIsTheDevices) {
  const record::StepProfile profile = profile_of_10_ms();

  const Step step(profile, nothing());

  EXPECT_FALSE(step.host_binds());
  EXPECT_DOUBLE_EQ(step.device_s(), 0.010);
  EXPECT_DOUBLE_EQ(step.gain({.device = Estimate::exactly(0.002)}).value, 0.002);
  EXPECT_DOUBLE_EQ(step.gain({.host = Estimate::exactly(0.0005)}).value, 0);
}

TEST(Step, WhoseHostIsSlowerGainsFromTheHostAlone) {
  record::StepProfile profile = profile_of_10_ms();
  profile.enqueue_s = 0.011;
  profile.kernels = {{.kind = record::KernelKind::gemm, .calls = 1, .time_s = 0.004}};

  const Step step(profile, nothing());

  EXPECT_TRUE(step.host_binds());
  EXPECT_DOUBLE_EQ(step.gain({.device = Estimate::exactly(0.002)}).value, 0);
  EXPECT_DOUBLE_EQ(step.gain({.host = Estimate::exactly(0.009)}).value, 0.006) << "from there on the device binds";
}

TEST(Step, OfATraceIsTheHostsWhereTheDeviceIdles) {
  record::StepProfile profile = profile_of_10_ms();
  profile.source = "torch.profiler";
  profile.switches.launch = "eager";
  profile.kernels = {{.kind = record::KernelKind::gemm, .calls = 1, .time_s = 0.004}};
  profile.enqueue_s = 0.002;  // as read on a quiet host

  EXPECT_TRUE(Step(profile, nothing()).host_binds());
  profile.kernels.front().time_s = 0.0098;
  profile.enqueue_s = 0.020;  // as read on a host that others use, too
  EXPECT_FALSE(Step(profile, nothing()).host_binds());
}

TEST(Step, LosesWhatItWaitsFor) {
  record::StepProfile profile = profile_of_10_ms();
  profile.waits = {{WaitCause::loss, 2}};
  const Micro micro({figure("sync/readback/every_step/memory:pinned/kernels:1/bytes:64", 0.032),
                     figure("sync/readback/at_end/memory:pinned/kernels:1/bytes:64", 0.016)});

  const Step step(profile, micro);

  EXPECT_DOUBLE_EQ(step.waits_s(), 0.002) << "16 ms more over 16 steps, twice";
  EXPECT_DOUBLE_EQ(step.gain({.waits = Estimate::exactly(0.002)}).value, 0.002);
}

TEST(Step, HeldUpByAPageableCopyComputesInWhatIsLeft) {
  record::StepProfile profile = profile_of_10_ms();
  profile.copies = {{.direction = CopyDirection::h2d,
                     .memory = HostMemory::pageable,
                     .blocking = true,
                     .calls = 1,
                     .bytes = 100,
                     .time_s = 0.003}};

  EXPECT_DOUBLE_EQ(Step(profile, nothing()).device_s(), 0.007);
}

TEST(Step, GainsAsMuchAsIsSureAndAsMuchAsMayBe) {
  const record::StepProfile profile = profile_of_10_ms();

  const Estimate gain = Step(profile, nothing()).gain({.device = {0.002, 0.001, 0.004}});

  EXPECT_DOUBLE_EQ(gain.low, 0.001);
  EXPECT_DOUBLE_EQ(gain.high, 0.004);
}

}  // namespace
}  // namespace cupel::foretell
