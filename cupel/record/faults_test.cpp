#include "cupel/record/faults.hpp"

#include <gtest/gtest.h>

#include "cupel/record/machine.hpp"

namespace cupel::record {
namespace {

TEST(Faults, AGovernorIsHarmfulWhereItSavesPower) {
  HostInfo host;
  EXPECT_FALSE(governor_fault(host)) << "a virtual machine has none";
  host.governor = "performance";
  EXPECT_FALSE(governor_fault(host));
  host.governor = "schedutil";
  EXPECT_FALSE(governor_fault(host).value().is_harmful);
  host.governor = "powersave";
  EXPECT_TRUE(governor_fault(host).value().is_harmful);
}

TEST(Faults, ALinkIsHeldAgainstWhatItCouldBe) {
  EXPECT_FALSE(pcie_width_fault(16, 16));
  EXPECT_FALSE(pcie_width_fault(16, std::nullopt));
  EXPECT_FALSE(pcie_width_fault(std::nullopt, 16));
  EXPECT_FALSE(pcie_width_fault(0, 16)) << "a virtual machine that does not say";
  EXPECT_EQ(pcie_width_fault(8, 16).value().what, "the GPU's link has 8 of 16 lanes");
  EXPECT_FALSE(pcie_generation_fault(5, 5));
  EXPECT_FALSE(pcie_generation_fault(std::nullopt, 5));
  EXPECT_EQ(pcie_generation_fault(3, 5, "a copy reached 9 GB/s").value().what,
            "the GPU's link runs as PCIe 3.0, 5.0 is possible; a copy reached 9 GB/s");
}

TEST(Faults, ABuildIsOneUnlessItIsOptimisedOrUnknown) {
  for (const char* type : {"", "Release", "RelWithDebInfo"}) EXPECT_FALSE(build_fault(type)) << type;
  EXPECT_TRUE(build_fault("Debug"));
  EXPECT_TRUE(build_fault("MinSizeRel"));
}

TEST(Faults, PersistenceIsOneWhereItIsKnownToBeOff) {
  DeviceInfo device;
  EXPECT_FALSE(persistence_fault(device));
  device.persistence = true;
  EXPECT_FALSE(persistence_fault(device));
  device.persistence = false;
  EXPECT_TRUE(persistence_fault(device));
}

TEST(Faults, APowerLimitIsOneWhereItIsKnownToBeBelowTheBoardsOwn) {
  DeviceInfo device;
  EXPECT_FALSE(power_limit_fault(device));
  device.power_limit_w = 500;
  EXPECT_FALSE(power_limit_fault(device)) << "a file from before the board's own was recorded";
  device.power_limit_default_w = 500;
  EXPECT_FALSE(power_limit_fault(device));
  device.power_limit_default_w = 700;
  EXPECT_EQ(power_limit_fault(device).value().what, "the power limit is 500 W, 700 W by default");
  device.power_limit_w.reset();
  EXPECT_FALSE(power_limit_fault(device));
}

TEST(Faults, HeatAndBrakesAreThrottlingAndThePowerLimitIsNot) {
  for (const char* reason : {"hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"}) {
    EXPECT_TRUE(is_throttling(reason)) << reason;
  }
  EXPECT_FALSE(is_throttling("sw_power_cap"));
  EXPECT_FALSE(is_throttling("sync_boost"));
}

}  // namespace
}  // namespace cupel::record
