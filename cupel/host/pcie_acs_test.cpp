#include "cupel/host/pcie_acs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

namespace cupel::host {
namespace {

namespace fs = std::filesystem;

// A configuration space whose second extended capability is ACS with that control word.
std::string config(unsigned control) {
  std::string bytes(4096, '\0');
  const auto put = [&](std::size_t at, unsigned value) {
    for (int i = 0; i < 4; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i));
  };
  put(0x100, 0x148u << 20 | 1u << 16 | 0x0001);  // advanced error reporting
  put(0x148, 0u << 20 | 1u << 16 | 0x000d);
  put(0x14c, control << 16 | 0x001f);
  return bytes;
}

class PcieAcs : public testing::Test {
 protected:
  PcieAcs() : root_(fs::temp_directory_path() / ("cupel-acs-" + std::to_string(getpid()))) {}
  ~PcieAcs() override { fs::remove_all(root_); }

  void put(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file, std::ios::binary) << text;
  }

  // A device of that class below the bridges.
  void device(const std::string& bridges, const std::string& address, const std::string& vendor,
              const std::string& device_class) const {
    const std::string folder = "sys/devices/pci0000:00/" + bridges + "/" + address;
    put(folder + "/vendor", vendor + "\n");
    put(folder + "/class", device_class + "\n");
    fs::create_directories(root_ / "sys/bus/pci/devices");
    fs::create_directory_symlink(root_ / folder, root_ / "sys/bus/pci/devices" / address);
  }

  fs::path root_;
};

constexpr unsigned kRequests = 1u << 2, kCompletions = 1u << 3, kValidation = 1u;
const std::string kPort = "0000:00:01.0", kSwitch = "0000:01:00.0", kDown = "0000:02:04.0";

TEST_F(PcieAcs, NamesTheBridgesAboveAGpuThatRedirect) {
  const std::string bridges = kPort + "/" + kSwitch + "/" + kDown;
  device(bridges, "0000:03:00.0", "0x10de", "0x030200");
  device(bridges, "0000:04:00.0", "0x10de", "0x030200");
  put("sys/devices/pci0000:00/" + kPort + "/config", config(kCompletions));
  put("sys/devices/pci0000:00/" + kPort + "/" + kSwitch + "/config", config(kValidation));
  put("sys/devices/pci0000:00/" + bridges + "/config", config(kRequests | kValidation));

  EXPECT_THAT(redirecting_bridges(root_), testing::ElementsAre(kPort, kDown));
}

TEST_F(PcieAcs, OfOtherDevicesAndWhatCannotBeReadDoNotCount) {
  device(kPort, "0000:03:00.0", "0x10de", "0x040300");  // the sound of a graphics board
  device(kPort, "0000:04:00.0", "0x8086", "0x030000");
  put("sys/devices/pci0000:00/" + kPort + "/config", config(kRequests));
  EXPECT_THAT(redirecting_bridges(root_), testing::IsEmpty());

  device(kDown, "0000:05:00.0", "0x10de", "0x030000");
  put("sys/devices/pci0000:00/" + kDown + "/config", config(kRequests).substr(0, 64));  // who is not root sees so much
  EXPECT_THAT(redirecting_bridges(root_), testing::IsEmpty());
  EXPECT_THAT(redirecting_bridges(root_ / "not/there"), testing::IsEmpty());
}

TEST_F(PcieAcs, AListThatRunsInACircleEnds) {
  device(kPort, "0000:03:00.0", "0x10de", "0x030200");
  std::string circle(4096, '\0');
  circle[0x100] = 1;
  circle[0x103] = 0x10;  // the next is this one
  put("sys/devices/pci0000:00/" + kPort + "/config", circle);

  EXPECT_THAT(redirecting_bridges(root_), testing::IsEmpty());
}

}  // namespace
}  // namespace cupel::host
