#include "cupel/figures/fingerprint.hpp"

#include <gtest/gtest.h>

#include "cupel/record/context.hpp"

namespace cupel::figures {
namespace {

TEST(Fingerprint, TellsHardDifferencesFromSoftOnes) {
  record::Context a, b;
  a.device = record::DeviceInfo{};
  a.device->name = "NVIDIA H200";
  a.device->driver_version = "580.1";
  b = a;
  EXPECT_TRUE(differences(a, b).empty());

  b.device->driver_version = "570.2";
  ASSERT_EQ(differences(a, b).size(), 1u);
  EXPECT_FALSE(any_hard(differences(a, b)));
  EXPECT_EQ(to_string(differences(a, b)[0]), "driver: 580.1 -> 570.2");

  b.device->name = "NVIDIA H100";
  EXPECT_TRUE(any_hard(differences(a, b)));
  EXPECT_EQ(differences(a, b)[0].name, "GPU");
}

TEST(Fingerprint, HoldsHostsAgainstTheirProcessorAndTakesTheUnknownForSoft) {
  record::Context a, b;
  a.host.cpu = "A";
  b.host.cpu = "B";
  EXPECT_TRUE(any_hard(differences(a, b)));

  b.host.cpu.clear();
  EXPECT_FALSE(any_hard(differences(a, b)));

  b.device = record::DeviceInfo{};
  b.device->name = "NVIDIA H200";
  EXPECT_TRUE(any_hard(differences(a, b)));
}

}  // namespace
}  // namespace cupel::figures
