#include "cupel/device/device_info.hpp"

#include <gtest/gtest.h>

namespace cupel::device {
namespace {

TEST(PciId, IsWrittenAsNvmlWritesIt) {
  EXPECT_EQ(full_pci_id("0000:3b:00.0"), "00000000:3B:00.0");
  EXPECT_EQ(full_pci_id("00000000:3B:00.0"), "00000000:3B:00.0");
  EXPECT_EQ(full_pci_id("10000:06:1f.7"), "00010000:06:1F.7");
  EXPECT_EQ(full_pci_id("none"), "none");
}

TEST(Uuid, IsGroupedAsNvidiaSmiShowsIt) {
  const unsigned char bytes[16] = {0x5f, 0x1c, 0x2b, 0x7e, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xaa, 0xff};

  EXPECT_EQ(uuid_text(bytes), "GPU-5f1c2b7e-0001-0203-0405-06070809aaff");
}

TEST(KernelModule, ItsVersionIsReadFromBothFlavours) {
  EXPECT_EQ(
      kernel_module_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19\nGCC version:"),
      "535.104.05");
  EXPECT_EQ(
      kernel_module_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\n"),
      "580.95.05");
  EXPECT_EQ(kernel_module_version(""), "");
  EXPECT_EQ(kernel_module_version("no version here ."), "");
}

}  // namespace
}  // namespace cupel::device
