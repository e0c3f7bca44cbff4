#include "cupel/host/host_info.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

namespace cupel::host {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

/// A root of its own for each test, with the files that the test puts there.
class HostInfo : public testing::Test {
 protected:
  HostInfo() {
    std::string pattern = (fs::temp_directory_path() / "cupel-host-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root_ = pattern;
  }
  ~HostInfo() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  void put(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  fs::path root_;
};

TEST(CpuList, HoldsSinglesAndRanges) { EXPECT_THAT(parse_cpu_list("0-2,8,10-11\n"), ElementsAre(0, 1, 2, 8, 10, 11)); }

TEST(CpuList, PassesOverWhatIsMalformed) {
  EXPECT_THAT(parse_cpu_list(""), IsEmpty());
  EXPECT_THAT(parse_cpu_list("x,3,5-,-7,9-8,0-999999999,4"), ElementsAre(3, 4));
}

TEST(NodesOf, AreThoseThatOwnOneOfTheCpus) {
  const std::map<int, std::vector<int>> nodes = {{0, {0, 1}}, {1, {2, 3}}, {2, {}}};

  EXPECT_THAT(nodes_of({3}, nodes), ElementsAre(1));
  EXPECT_THAT(nodes_of({0, 2}, nodes), ElementsAre(0, 1));
  EXPECT_THAT(nodes_of({}, nodes), IsEmpty());
}

TEST_F(HostInfo, OfAnX86ServerNamesItsParts) {
  put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) Platinum 8480C\n\nprocessor\t: 1\n");
  put("sys/devices/system/cpu/online", "0-223\n");
  put("sys/devices/system/node/online", "0-1\n");
  put("proc/meminfo", "MemTotal:       2113460240 kB\nMemFree: 1 kB\n");
  put("proc/self/status", "Name:\tcupel\nCpus_allowed_list:\t0-15,112-127\n");
  put("etc/os-release", "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  put("proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");

  const record::HostInfo info = read_host_info(root_);

  EXPECT_EQ(info.cpu, "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(info.logical_cpus, 224);
  EXPECT_EQ(info.usable_cpus, 32);
  EXPECT_EQ(info.numa_nodes, 2);
  EXPECT_EQ(info.memory_bytes, std::int64_t{2113460240} * 1024);
  EXPECT_EQ(info.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(info.kernel, "6.1.0-18-amd64");
  EXPECT_EQ(info.governor, "powersave");
  EXPECT_FALSE(info.container);
}

TEST_F(HostInfo, OfAnArmServerHasItsRegisterNumbers) {
  put("proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd4f\n\nprocessor\t: 1\n");

  const record::HostInfo info = read_host_info(root_);

  EXPECT_EQ(info.cpu, "Arm implementer 0x41 part 0xd4f");
  EXPECT_EQ(info.logical_cpus, 2);
  EXPECT_EQ(info.usable_cpus, 0) << "not known";
}

TEST_F(HostInfo, OfAnEmptyTreeIsEmptyAndNotAnError) {
  const HostFacts facts = read_host_facts(root_);

  EXPECT_EQ(facts.info.cpu, "");
  EXPECT_EQ(facts.info.memory_bytes, 0);
  EXPECT_EQ(facts.memlock_limit_bytes, std::nullopt);
  EXPECT_EQ(facts.cgroup_memory_bytes, std::nullopt);
  EXPECT_THAT(facts.node_cpus, IsEmpty());
}

TEST_F(HostInfo, TellsContainersByTheMarkTheyLeave) {
  EXPECT_EQ(read_host_facts(root_).container_kind, "");
  put("proc/1/cgroup", "0::/kubepods.slice/pod12\n");
  EXPECT_EQ(read_host_facts(root_).container_kind, "kubernetes");
  put("proc/1/cgroup", "0::/\n");
  put(".dockerenv", "");
  EXPECT_EQ(read_host_facts(root_).container_kind, "docker");
  put("run/.containerenv", "");
  EXPECT_EQ(read_host_facts(root_).container_kind, "podman");
  EXPECT_TRUE(read_host_info(root_).container);
}

TEST_F(HostInfo, KnowsWslByItsKernel) {
  put("proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n");

  EXPECT_TRUE(read_host_facts(root_).wsl);
}

TEST_F(HostInfo, KnowsHowMuchSharedMemoryIsLeft) {
  EXPECT_EQ(read_host_facts(root_).shared_memory_free_bytes, std::nullopt);

  put("dev/shm/something", "");

  const double left = static_cast<double>(read_host_facts(root_).shared_memory_free_bytes.value());
  constexpr double kMeanwhile = 1 << 30;  // others write to this disk
  EXPECT_NEAR(left, static_cast<double>(std::filesystem::space(root_).available), kMeanwhile);
  EXPECT_LT(left, static_cast<double>(std::filesystem::space(root_).capacity));
}

TEST_F(HostInfo, TellsAnIommuThatTranslatesFromOneThatLetsPass) {
  put("sys/kernel/iommu_groups/0/type", "identity\n");
  EXPECT_FALSE(read_host_facts(root_).iommu_translates);

  put("sys/kernel/iommu_groups/1/type", "DMA-FQ\n");

  EXPECT_TRUE(read_host_facts(root_).iommu_translates);
}

TEST_F(HostInfo, ReadsTheSoftLimitOfLockedMemory) {
  put("proc/self/limits",
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max locked memory         8388608              unlimited            bytes     \n");

  EXPECT_EQ(read_host_facts(root_).memlock_limit_bytes, 8388608);
}

TEST_F(HostInfo, AnUnlimitedLockedMemoryIsNoLimit) {
  put("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes     \n");

  EXPECT_EQ(read_host_facts(root_).memlock_limit_bytes, std::nullopt);
}

TEST_F(HostInfo, TheSmallestMemoryLimitOnTheWayUpBinds) {
  put("proc/self/cgroup", "0::/system.slice/job.scope\n");
  put("sys/fs/cgroup/memory.max", "max\n");
  put("sys/fs/cgroup/system.slice/memory.max", "4294967296\n");
  put("sys/fs/cgroup/system.slice/job.scope/memory.max", "8589934592\n");

  EXPECT_EQ(read_host_facts(root_).cgroup_memory_bytes, 4294967296);
}

TEST_F(HostInfo, ReadsTheOlderCgroupLayoutToo) {
  put("proc/self/cgroup", "5:memory:/job\n3:cpu,cpuacct:/job\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1073741824\n");

  EXPECT_EQ(read_host_facts(root_).cgroup_memory_bytes, 1073741824);
}

TEST_F(HostInfo, ReadsWhereItMayRunAndWhatEachNodeOwns) {
  put("proc/self/status", "Name:\tx\nCpus_allowed_list:\t4-5\n");
  put("sys/devices/system/node/online", "0-1\n");
  put("sys/devices/system/node/node0/cpulist", "0-3\n");
  put("sys/devices/system/node/node1/cpulist", "4-7\n");

  const HostFacts facts = read_host_facts(root_);

  EXPECT_THAT(facts.allowed_cpus, ElementsAre(4, 5));
  EXPECT_THAT(nodes_of(facts.allowed_cpus, facts.node_cpus), ElementsAre(1));
}

TEST(ThisMachine, HasAProcessorMemoryAndAKernel) {
  const record::HostInfo info = read_host_info();

  EXPECT_NE(info.cpu, "");
  EXPECT_GT(info.logical_cpus, 0);
  EXPECT_GT(info.memory_bytes, 0);
  EXPECT_NE(info.kernel, "");
}

}  // namespace
}  // namespace cupel::host
