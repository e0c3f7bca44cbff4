#include "bench/transfer/numa.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cupel::bench::transfer {
namespace {

namespace fs = std::filesystem;

// A /sys of two nodes, with one device on the second and one that does not tell.
class FakeSys : public testing::Test {
 protected:
  FakeSys() {
    write("devices/system/node/has_memory", "0-1\n");
    write("bus/pci/devices/0000:3b:00.0/numa_node", "1\n");
    write("bus/pci/devices/0000:00:06.0/numa_node", "-1\n");
  }
  ~FakeSys() override { fs::remove_all(root_); }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  fs::path root_ = fs::temp_directory_path() / ("cupel_numa_test_" + std::to_string(getpid()));
};

TEST(ParseNodeList, TakesNodesAndRanges) {
  EXPECT_EQ(parse_node_list("0"), (std::vector<int>{0}));
  EXPECT_EQ(parse_node_list("0-1"), (std::vector<int>{0, 1}));
  EXPECT_EQ(parse_node_list("0-2,8,10-11"), (std::vector<int>{0, 1, 2, 8, 10, 11}));
  EXPECT_EQ(parse_node_list(""), std::vector<int>{});
}

TEST(ParseNodeList, RefusesWhatIsNoList) {
  for (const char* text : {"a", "0-", "-1", "0,,1", "0 1", "4096", "0-99999999999"}) {
    EXPECT_THROW(parse_node_list(text), std::invalid_argument) << text;
  }
}

TEST_F(FakeSys, NamesTheNodesWithMemory) { EXPECT_EQ(memory_nodes(root_), (std::vector<int>{0, 1})); }

TEST_F(FakeSys, NamesTheNodeOfADeviceInAnyCase) {
  EXPECT_EQ(node_of_pci_device("0000:3b:00.0", root_), 1);
  EXPECT_EQ(node_of_pci_device("0000:3B:00.0", root_), 1);
}

TEST_F(FakeSys, KnowsNoNodeOfADeviceThatDoesNotTell) {
  EXPECT_EQ(node_of_pci_device("0000:00:06.0", root_), std::nullopt);
  EXPECT_EQ(node_of_pci_device("0000:99:00.0", root_), std::nullopt);
}

TEST(MemoryNodes, AreNoneWhereTheSystemDoesNotTell) { EXPECT_TRUE(memory_nodes("/nowhere").empty()); }

}  // namespace
}  // namespace cupel::bench::transfer
