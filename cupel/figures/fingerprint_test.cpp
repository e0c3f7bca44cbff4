#include "cupel/figures/fingerprint.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cupel/figures/facts.hpp"
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

record::Context h200() {
  record::Context context;
  context.device.emplace();
  context.device->name = "NVIDIA H200";
  context.device->uuid = "GPU-c48a3e62-1111";
  context.device->sm_count = 132;
  context.device->pcie_generation_max = 5;
  context.device->pcie_width = 16;
  context.host.cpu = "AMD EPYC 9654";
  context.host.memory_bytes = std::int64_t{1} << 40;
  context.libraries = {{.name = "cublas", .compiled = "13.0", .loaded = "13.1"},
                       {.name = "nvjpeg", .compiled = "13.0", .loaded = ""}};
  return context;
}

TEST(Facts, AreSaidAsPeopleReadThem) {
  const std::vector<Fact> all = facts(h200());

  EXPECT_EQ(value_of(all, "GPU"), "NVIDIA H200");
  EXPECT_EQ(value_of(all, "board"), "GPU-c48a3e62");
  EXPECT_EQ(value_of(all, "PCIe"), "PCIe 5.0 x16");
  EXPECT_EQ(value_of(all, "cuBLAS"), "13.1");
  EXPECT_EQ(value_of(all, "cuBLAS built against"), "13.0");
  EXPECT_EQ(value_of(all, "nvjpeg built against"), "13.0, and not loaded");
  EXPECT_EQ(value_of(all, "host memory"), "1 TiB");
  EXPECT_EQ(value_of(all, "driver"), "");
  EXPECT_EQ(value_of(all, "no such fact"), "");
}

TEST(Facts, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const Fact& fact : facts(h200())) EXPECT_TRUE(names.insert(fact.name).second) << fact.name;
}

TEST(Facts, WithAHardnessAreTheFingerprint) {
  std::vector<std::string> hard_or_soft, keys;
  for (const Fact& fact : facts(h200())) {
    if (fact.hardness != Hardness::none) hard_or_soft.push_back(fact.name);
  }
  for (const Key& key : fingerprint(h200())) keys.push_back(key.name);

  EXPECT_EQ(keys, hard_or_soft);
}

TEST(Facts, OfAHostWithoutAGpuHaveAHardProcessor) {
  record::Context context = h200();
  context.device.reset();
  for (const Fact& fact : facts(context)) {
    if (fact.name == "CPU") {
      EXPECT_EQ(fact.hardness, Hardness::hard);
    }
    if (fact.name == "GPU") {
      EXPECT_FALSE(fact.value);
    }
  }
}

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
