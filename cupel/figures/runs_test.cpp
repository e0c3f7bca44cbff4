#include "cupel/figures/runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>

#include "cupel/figures/suite.hpp"
#include "cupel/figures/synthetic.hpp"
#include "cupel/record/json.hpp"

namespace cupel::figures {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Runs : public testing::Test {
 protected:
  Runs() {
    fs::remove_all(folder);
    fs::create_directories(folder / "run");
  }
  ~Runs() override { fs::remove_all(folder); }

  std::string written(const std::string& file, const std::string& benchmark) const {
    record::ResultSet results;
    if (!benchmark.empty()) append(results, rows_of(benchmark, {1e-3, 1.1e-3}));
    record::write(results, folder / file);
    return (folder / file).string();
  }

  const fs::path folder = fs::path(testing::TempDir()) / ("cupel-runs-" + std::to_string(::getpid()));
  std::vector<std::string> told;
  const std::function<void(std::string_view)> tell = [this](std::string_view line) { told.emplace_back(line); };
};

TEST_F(Runs, AreTheFilesOfAFolderJoinedWhereTheyArePartsOfOne) {
  const std::string a = written("run/a.json", "f/a"), b = written("run/b.json", "g/b");

  const auto runs = read_runs({(folder / "run").string()}, tell);

  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(runs[0].files, ElementsAre(a, b));
  EXPECT_EQ(read_run((folder / "run").string()).results.rows.size(), runs[0].results.rows.size());
  EXPECT_EQ(read_suite((folder / "run").string()).benchmarks.size(), 2u);
  EXPECT_EQ(read_suite(a).benchmarks.size(), 1u);
  EXPECT_TRUE(told.empty());
}

TEST_F(Runs, OfFilesThatAreNamedSinglyAreOneInEachFolder) {
  fs::create_directories(folder / "other");
  const std::string a = written("run/a.json", "f/a"), b = written("run/b.json", "g/b"),
                    c = written("other/c.json", "h/c");

  const auto runs = read_runs({a, c, (folder / "other" / ".." / "run" / "b.json").string()}, tell);

  ASSERT_EQ(runs.size(), 2u);
  EXPECT_THAT(runs[0].files, ElementsAre(a, testing::EndsWith("b.json")));
  EXPECT_THAT(runs[1].files, ElementsAre(c));
  EXPECT_EQ(runs[0].results.rows.size(), 4u);
}

TEST_F(Runs, StayApartWhereTheyMeasuredTheSame) {
  written("run/a.json", "f/a");
  written("run/b.json", "f/a");

  EXPECT_EQ(read_runs({(folder / "run").string()}, tell).size(), 2u);
  EXPECT_THROW(read_run((folder / "run").string()), std::invalid_argument);
}

TEST_F(Runs, TellOfAFileWithoutResultsAndRefuseAFolderWithoutFiles) {
  EXPECT_EQ(read_runs({written("empty.json", "")}, tell).size(), 1u);
  EXPECT_THAT(told, ElementsAre(HasSubstr("empty.json has no results")));
  EXPECT_THROW(figures::files_of({(folder / "run").string()}), std::invalid_argument);
}

}  // namespace
}  // namespace cupel::figures
