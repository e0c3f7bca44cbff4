#include "cupel/history/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "cupel/record/context.hpp"

namespace cupel::history {
namespace {

namespace fs = std::filesystem;

class Store : public testing::Test {
 protected:
  Store() { fs::remove_all(folder); }
  ~Store() override { fs::remove_all(folder); }

  static HistoryPoint point(const char* benchmark) {
    HistoryPoint made{.commit = "abc", .date = "2026-11-20T06:35:00Z", .fingerprint = {}, .benchmarks = {}};
    made.benchmarks[benchmark] = {1e-3};
    return made;
  }

  fs::path kept(const char* benchmark, bool force = false) const {
    fs::create_directories(machine);
    return keep_point(machine, point(benchmark), force);
  }

  const fs::path folder = fs::path(testing::TempDir()) / ("cupel-history-store-" + std::to_string(::getpid())),
                 machine = folder / "a-machine";
};

TEST_F(Store, KeepsAPointByItsSecondAndCommit) {
  EXPECT_EQ(kept("f/a").filename(), "20261120T063500Z-abc.json");
  EXPECT_EQ(kept("f/b").filename(), "20261120T063500Z-abc.2.json");
  EXPECT_THAT(read_points(machine), testing::ElementsAre(point("f/b"), point("f/a")));  // ".2.json" comes first
}

TEST_F(Store, ReplacesAPointOnlyWhereItIsForced) {
  kept("f/a");

  EXPECT_THROW(kept("f/a"), std::invalid_argument);
  EXPECT_EQ(kept("f/a", true).filename(), "20261120T063500Z-abc.json");
  EXPECT_EQ(read_points(machine).size(), 1u);
}

TEST_F(Store, FindsTheOnlyMachineOrTheOneThatWasChosen) {
  kept("f/a");
  EXPECT_EQ(machine_folder(folder, std::nullopt), machine);
  EXPECT_EQ(machine_folder(machine, std::nullopt), machine);

  fs::create_directories(folder / "another");
  EXPECT_THROW(machine_folder(folder, std::nullopt), std::invalid_argument);
  EXPECT_EQ(machine_folder(folder, "a-machine"), machine);
  EXPECT_THROW(machine_folder(folder, "a-third"), std::invalid_argument);
}

TEST_F(Store, HasAFolderForEachMachine) {
  EXPECT_EQ(folder_of(folder, record::Context{}), folder / machine_id(record::Context{}));
}

}  // namespace
}  // namespace cupel::history
