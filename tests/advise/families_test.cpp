// What every family of this build is tagged with: ids of the catalogue, and a before and an after of each scenario.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cupel/catalogue/catalogue.hpp"
#include "cupel/runner/families.hpp"

namespace cupel {
namespace {

using record::AdviceTag;
using record::Role;

struct Tagged {
  std::string family, name;
  AdviceTag tag;
};

std::vector<Tagged> tagged_in(const std::string& profile) {
  runner::Settings settings;
  settings.profile = profile;
  std::vector<Tagged> all;
  for (runner::Family& family : runner::find_families(CUPEL_BENCH)) {
    runner::fill_listing(family, settings);
    EXPECT_EQ(family.problem, "") << family.name;
    for (const record::ListedBenchmark& benchmark : family.listing.benchmarks) {
      for (const AdviceTag& tag : benchmark.advice) all.push_back({family.name, benchmark.name, tag});
    }
  }
  return all;
}

class FamiliesTest : public testing::TestWithParam<const char*> {};

TEST_P(FamiliesTest, AreTaggedWithPiecesOfTheCatalogueThatNameThem) {
  for (const Tagged& tagged : tagged_in(GetParam())) {
    const catalogue::CatalogueRow* row = catalogue::built_in().find(tagged.tag.id);
    ASSERT_NE(row, nullptr) << tagged.name << ": there is no advice '" << tagged.tag.id << "' in docs/advice";
    EXPECT_NE(std::ranges::find(row->families, tagged.family), row->families.end())
        << tagged.name << ": docs/advice does not name family " << tagged.family << " for " << tagged.tag.id;
  }
}

// No piece promises a benchmark that is not there. A build of the host side has the host's part of a family alone.
#ifdef CUPEL_WITH_CUDA
TEST(Families, HaveABenchmarkForEveryPieceThatNamesThem) {
  std::set<std::pair<std::string, std::string>> measured;  // piece, family
  std::set<std::string> families;
  for (const Tagged& tagged : tagged_in("full")) {
    measured.emplace(tagged.tag.id, tagged.family);
    families.insert(tagged.family);
  }
  for (const catalogue::CatalogueRow& row : catalogue::built_in().rows) {
    for (const std::string& family : row.families) {
      if (!families.contains(family)) continue;
      EXPECT_TRUE(measured.contains({row.id, family})) << row.id << ": " << family;
    }
  }
}
#endif

TEST_P(FamiliesTest, HaveABeforeForEveryAfterAndSomethingBesideEveryBefore) {
  std::map<std::string, std::set<Role>> roles;
  for (const Tagged& tagged : tagged_in(GetParam()))
    roles[tagged.tag.id + " " + tagged.tag.scenario].insert(tagged.tag.role);
  for (const auto& [scenario, seen] : roles) {
    EXPECT_TRUE(seen.contains(Role::before) || !seen.contains(Role::after)) << scenario;
    EXPECT_TRUE(seen.size() > 1 || !seen.contains(Role::before)) << scenario << ": nothing beside its before";
  }
}

TEST_P(FamiliesTest, HaveOneBeforeAScenarioAndNameTheirAfters) {
  std::map<std::string, std::string> befores, afters;
  for (const Tagged& tagged : tagged_in(GetParam())) {
    const std::string key = tagged.tag.id + " " + tagged.tag.scenario;
    if (tagged.tag.role == Role::before) {
      EXPECT_TRUE(befores.emplace(key, tagged.name).second) << key << ": " << befores[key] << ", " << tagged.name;
    } else {
      const std::string side = key + " " + tagged.tag.variant;
      EXPECT_TRUE(afters.emplace(side, tagged.name).second) << side << ": " << afters[side] << ", " << tagged.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, FamiliesTest, testing::Values("quick", "standard", "full"));

}  // namespace
}  // namespace cupel
