#include "cupel/bands/store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>

#include "cupel/figures/suite.hpp"
#include "cupel/record/record.hpp"

namespace cupel::bands {
namespace {

namespace fs = std::filesystem;

figures::Suite suite_of_board(const std::string& uuid) {
  figures::Suite made;
  made.context.run.started = "2026-11-20T12:00:00Z";
  made.context.device.emplace();
  made.context.device->name = "A GPU";
  made.context.device->uuid = uuid;
  figures::Benchmark benchmark;
  benchmark.name = "memory/copy/bytes:1024";
  benchmark.family = "memory";
  benchmark.modes = {{record::Mode::cold, {1e-5}, 30}};
  made.benchmarks = {benchmark};
  return made;
}

class Store : public testing::Test {
 protected:
  Store() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Store() override { fs::remove_all(folder); }

  const fs::path folder = fs::path(testing::TempDir()) / ("cupel-bands-store-" + std::to_string(::getpid()));
};

TEST_F(Store, KeepsTheBoardsOfAModelInAFile) {
  const fs::path file = keep_board(folder, suite_of_board("GPU-11111111-2222-3333-4444-555555555555"));
  EXPECT_EQ(file.filename(), "a-gpu.json");
  EXPECT_EQ(keep_board(folder, suite_of_board("GPU-99999999-2222-3333-4444-555555555555")), file);

  EXPECT_EQ(bands_of_model(folder, "A GPU").boards.size(), 2u);
  EXPECT_EQ(read_bands(folder).size(), built_in().size() + 1);
  EXPECT_TRUE(bands_of_model(folder, "another").boards.empty());
}

TEST_F(Store, HasWhatIsBuiltInWhereThereIsNoFolder) {
  EXPECT_EQ(read_bands("").size(), built_in().size());
  EXPECT_EQ(read_bands(folder / "not there").size(), built_in().size());
}

TEST_F(Store, LeavesAFileAsItWasWhereABoardCannotBeAdded) {
  keep_board(folder, suite_of_board("GPU-11111111-2222-3333-4444-555555555555"));

  EXPECT_THROW(keep_board(folder, suite_of_board("")), std::invalid_argument);
  EXPECT_EQ(bands_of_model(folder, "A GPU").boards.size(), 1u);
}

TEST_F(Store, HasNoJudgementOfAResultWithoutADevice) { EXPECT_TRUE(judge(folder, record::ResultSet{}).model.empty()); }

}  // namespace
}  // namespace cupel::bands
