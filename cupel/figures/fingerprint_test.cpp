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

}  // namespace
}  // namespace cupel::figures
