#include "cupel/doctor/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "cupel/doctor/fixtures.hpp"

namespace cupel::doctor {

void PrintTo(const Finding& f, std::ostream* out) { *out << to_string(f.severity) << ' ' << f.id << ": " << f.title; }

namespace {

using fixtures::server_in_order;
using testing::AllOf;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

/// Findings that are neither ok nor part of a machine in order.
std::vector<Finding> complaints(const Facts& facts) {
  std::vector<Finding> found = judge(facts);
  std::erase_if(found, [](const Finding& f) { return f.severity == Severity::ok; });
  return found;
}

/// The machine has exactly one complaint: this.
void expect_only(const Facts& facts, Severity severity, const std::string& id) {
  const std::vector<Finding> found = complaints(facts);
  ASSERT_EQ(found.size(), 1u) << testing::PrintToString(found);
  EXPECT_EQ(found[0].id, id);
  EXPECT_EQ(found[0].severity, severity) << to_string(found[0].severity);
  EXPECT_FALSE(found[0].meaning.empty());
}

TEST(Doctor, FindsNothingToSayOfAServerInOrder) {
  const Facts facts = server_in_order();

  EXPECT_THAT(complaints(facts), testing::IsEmpty());
  EXPECT_TRUE(usable_gpu(facts));
  EXPECT_GT(judge(facts).size(), 8u);
}

TEST(Doctor, GivesEveryFindingAnIdATitleAndComplaintsAMeaning) {
  for (const Facts& facts : {server_in_order(), fixtures::host_only(), fixtures::old_driver(), Facts{}}) {
    EXPECT_THAT(judge(facts), Each(AllOf(Field(&Finding::id, Not("")), Field(&Finding::title, Not(HasSubstr("\n"))))));
    EXPECT_THAT(complaints(facts), Each(Field(&Finding::meaning, Not(""))));
  }
}

TEST(Doctor, SaysThatTheGpuSideIsNotBuiltAndStillChecksTheHost) {
  Facts facts = fixtures::host_only();
  expect_only(facts, Severity::info, "gpu");

  facts.host.info.governor = "powersave";

  EXPECT_FALSE(usable_gpu(facts));
  EXPECT_EQ(complaints(facts).size(), 2u);
}

TEST(Doctor, PassesOnWhyADriverCannotBeUsedAndWhatToDo) {
  const std::vector<Finding> found = complaints(fixtures::old_driver());

  ASSERT_GE(found.size(), 1u);
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_THAT(found[0].title, HasSubstr("12.4"));
  EXPECT_THAT(found[0].action, HasSubstr("580"));
  EXPECT_FALSE(usable_gpu(fixtures::old_driver()));
}

TEST(Doctor, WarnsOfADriverOlderThanTheToolkitWithinAMajorVersion) {
  Facts facts = server_in_order();
  facts.gpu->runtime_cuda = 13010;

  expect_only(facts, Severity::warn, "driver");
}

TEST(Doctor, WarnsOfKernelsThatTheDriverHadToCompile) {
  Facts facts = server_in_order();
  facts.gpu->code_jit = true;
  facts.gpu->code_architecture = 100;

  expect_only(facts, Severity::warn, "code");
  EXPECT_THAT(complaints(facts)[0].action, HasSubstr("-DCMAKE_CUDA_ARCHITECTURES=100"));
}

TEST(Doctor, TakesALibraryNewerInItsMinorVersionAndWarnsOfAnOlderOne) {
  Facts facts = server_in_order();
  facts.context.libraries = {{"cudnn", "9.12.0", "9.20.0"}};
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.context.libraries = {{"cudnn", "9.12.0", "9.9.3"}};

  expect_only(facts, Severity::warn, "library-cudnn");
  EXPECT_THAT(complaints(facts)[0].title, AllOf(HasSubstr("9.9.3"), HasSubstr("9.12.0")));
}

TEST(Doctor, CallsAnotherMajorVersionOfALibraryAnError) {
  Facts facts = server_in_order();
  facts.context.libraries = {{"cublas", "13.1.0", "12.9.1"}};

  expect_only(facts, Severity::error, "library-cublas");
}

TEST(Doctor, NamesTheFileOfALibrary) {
  Facts facts = server_in_order();
  facts.context.libraries = {{"cublas", "13.1.0", "13.3.1", "~/v/nvidia/cu13/lib/libcublas.so.13"}};

  const std::vector<Finding> findings = judge(facts);

  EXPECT_THAT(findings, testing::Contains(Field(&Finding::title,
                                                "cublas 13.3.1 loaded from ~/v/nvidia/cu13/lib/libcublas.so.13, "
                                                "13.1.0 compiled against")));
}

TEST(Doctor, TellsALibraryThatIsMissingFromOneThatCannotBeLoaded) {
  Facts facts = server_in_order();
  facts.context.libraries = {{"nccl", "", ""}};
  expect_only(facts, Severity::info, "library-nccl");

  facts.context.libraries = {{"nccl", "2.27.7", ""}};
  expect_only(facts, Severity::warn, "library-nccl");
  EXPECT_THAT(complaints(facts)[0].action, HasSubstr("pip install 'nvidia-nccl-cu13>=2,<3' beside cupel's wheel"));

  facts.context.libraries = {{"nccl", "", "2.27.7"}};
  expect_only(facts, Severity::info, "library-nccl");
}

TEST(Doctor, WarnsOfALinkWithFewerLanes) {
  Facts facts = server_in_order();
  facts.gpu->busy_pcie_width = 8;

  expect_only(facts, Severity::warn, "pcie-width");
  EXPECT_THAT(complaints(facts)[0].meaning, HasSubstr("8/16"));
}

TEST(Doctor, JudgesTheLinkUnderLoadAndNotWhenIdle) {
  Facts facts = server_in_order();
  facts.context.device->pcie_generation = 1;
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.gpu->busy_pcie_generation = 3;

  expect_only(facts, Severity::warn, "pcie-generation");
}

TEST(Doctor, WarnsWhenEccIsOffAndIsSilentWhereThereIsNone) {
  Facts facts = server_in_order();
  facts.context.device->ecc = std::nullopt;
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.context.device->ecc = false;

  expect_only(facts, Severity::warn, "ecc");
}

TEST(Doctor, WarnsOfMigPersistencePowerLimitAndNeighbours) {
  Facts mig = server_in_order(), persistence = mig, power = mig, neighbours = mig, mode = mig;
  mig.context.device->mig = true;
  persistence.context.device->persistence = false;
  power.context.device->power_limit_w = 500;
  neighbours.gpu->foreign_processes = 2;
  mode.gpu->compute_mode = "exclusive_process";

  expect_only(mig, Severity::warn, "mig");
  EXPECT_THAT(complaints(mig)[0].meaning, HasSubstr("the memory peak"));
  expect_only(persistence, Severity::warn, "persistence");
  expect_only(power, Severity::warn, "power-limit");
  expect_only(neighbours, Severity::warn, "foreign-processes");
  expect_only(mode, Severity::info, "compute-mode");
}

TEST(Doctor, TellsHeldClocksFromHot) {
  Facts slow = server_in_order(), hot = slow, capped = slow;
  slow.gpu->busy_sm_clock_hz = 1200e6;
  hot.gpu->busy_throttle_reasons = {"hw_slowdown", "hw_thermal"};
  capped.gpu->busy_throttle_reasons = {"sw_power_cap"};

  expect_only(slow, Severity::warn, "clocks");
  expect_only(hot, Severity::warn, "clocks");
  EXPECT_THAT(complaints(hot)[0].meaning, HasSubstr("Heat"));
  EXPECT_THAT(complaints(slow)[0].meaning, Not(HasSubstr("Heat")));
  EXPECT_THAT(complaints(capped), testing::IsEmpty());
}

TEST(Doctor, SaysThatNothingIsMonitoredWithoutNvml) {
  Facts facts = server_in_order();
  facts.gpu->nvml_trouble = "NVML cannot be loaded";

  expect_only(facts, Severity::warn, "nvml");
}

TEST(Doctor, ComparesThePlaceOfTheGpuWithWhereThisProcessMayRun) {
  Facts far = server_in_order(), anywhere = far, single = far;
  far.host.allowed_cpus = {0, 1};
  anywhere.host.allowed_cpus = {0, 4};
  single.host.node_cpus = {{0, {0, 1, 2, 3, 4, 5, 6, 7}}};

  expect_only(far, Severity::warn, "numa");
  EXPECT_THAT(complaints(far)[0].action, HasSubstr("--cpunodebind=1"));
  expect_only(anywhere, Severity::info, "numa");
  EXPECT_THAT(complaints(single), testing::IsEmpty());
}

TEST(Doctor, CallsMissingPageLockedMemoryAnError) {
  Facts facts = server_in_order();
  facts.gpu->pinned_trouble = "cudaErrorMemoryAllocation";

  expect_only(facts, Severity::error, "pinned-memory");
}

TEST(Doctor, WarnsOfASmallLimitOfLockedMemoryInAContainer) {
  Facts facts = server_in_order();
  facts.host.memlock_limit_bytes = 8 << 20;
  expect_only(facts, Severity::info, "locked-memory");

  facts.host.container_kind = "docker";

  const std::vector<Finding> found = complaints(facts);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].id, "container");
  EXPECT_EQ(found[1].id, "locked-memory");
  EXPECT_EQ(found[1].severity, Severity::warn);
  EXPECT_THAT(found[1].title, HasSubstr("8 MiB"));
  EXPECT_THAT(found[1].action, HasSubstr("memlock=-1"));
}

TEST(Doctor, WarnsOfLittleSharedMemory) {
  Facts facts = server_in_order();
  facts.host.shared_memory_free_bytes = std::int64_t{8} << 30;
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.host.shared_memory_free_bytes = 64 << 20;

  expect_only(facts, Severity::warn, "shared-memory");
}

// Eight GPUs in order: all reach each other, all links are up.
Facts joined_server() {
  Facts facts = server_in_order();
  facts.gpu->peer_pairs = 28;
  facts.gpu->nvlinks_up = 144;
  facts.gpu->nvlinks_down = 0;
  return facts;
}

TEST(Doctor, SaysWhatJoinsTheGpusOfAServer) {
  EXPECT_THAT(complaints(joined_server()), testing::IsEmpty());
  EXPECT_THAT(judge(joined_server()),
              testing::Contains(Field(&Finding::title, "144 of 144 NVLinks of all GPUs are up")));
  EXPECT_THAT(judge(joined_server()),
              testing::Contains(Field(&Finding::title, "peer access in 28 of 28 pairs of GPUs")));
}

TEST(Doctor, WarnsOfGpusThatDoNotReachEachOther) {
  Facts facts = joined_server();
  facts.gpu->peer_pairs = 10;

  expect_only(facts, Severity::warn, "peer-access");
}

TEST(Doctor, WarnsOfNvlinksThatAreDown) {
  Facts facts = joined_server();
  facts.gpu->nvlinks_up = 142;
  facts.gpu->nvlinks_down = 2;

  expect_only(facts, Severity::warn, "nvlink");
}

TEST(Doctor, HoldsTheCudaOfNcclAgainstTheDrivers) {
  Facts facts = joined_server();
  facts.gpu->driver_cuda = 13000;
  for (const int same_or_older : {12080, 13000, 13010}) {
    facts.gpu->nccl_cuda = same_or_older;
    EXPECT_THAT(complaints(facts), testing::IsEmpty()) << same_or_older;
  }
  EXPECT_THAT(judge(facts),
              testing::Contains(Field(&Finding::title, "NCCL is built with CUDA 13.1, the driver takes CUDA 13.0")));

  facts.gpu->nccl_cuda = 14000;
  expect_only(facts, Severity::error, "nccl-driver");
}

TEST(Doctor, NamesTheBridgesWhoseAcsIsInTheWayOfPeersOnPcieAlone) {
  Facts facts = joined_server();
  facts.host.redirecting_bridges = {"0000:00:01.0", "0000:02:04.0"};
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.gpu->nvlinks_up = facts.gpu->nvlinks_down = std::nullopt;
  expect_only(facts, Severity::warn, "acs");
}

TEST(Doctor, WarnsOfAnIommuInTheWayOfPeersOnPcieAlone) {
  Facts facts = joined_server();
  facts.host.iommu_translates = true;
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.gpu->nvlinks_up = facts.gpu->nvlinks_down = std::nullopt;
  expect_only(facts, Severity::warn, "iommu");

  facts.gpu->device_count = 1;
  EXPECT_THAT(complaints(facts), testing::IsEmpty());
}

TEST(Doctor, WarnsOfASmallMemoryLimit) {
  Facts facts = server_in_order();
  facts.host.cgroup_memory_bytes = std::int64_t{64} << 30;
  EXPECT_THAT(complaints(facts), testing::IsEmpty());

  facts.host.cgroup_memory_bytes = std::int64_t{2} << 30;

  expect_only(facts, Severity::warn, "memory-limit");
}

TEST(Doctor, WarnsOfAGovernorThatSavesPower) {
  Facts facts = server_in_order();
  facts.host.info.governor = "powersave";
  expect_only(facts, Severity::warn, "governor");

  facts.host.info.governor = "schedutil";
  expect_only(facts, Severity::info, "governor");

  facts.host.info.governor = "";
  EXPECT_THAT(complaints(facts), testing::IsEmpty());
}

TEST(Doctor, WarnsOfABuildThatIsNotOptimised) {
  Facts facts = server_in_order();
  facts.context.build.type = "Debug";

  expect_only(facts, Severity::warn, "build");
}

}  // namespace
}  // namespace cupel::doctor
