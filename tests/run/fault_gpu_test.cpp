// A kernel that faults under `cupel run`: its row says so, and the others are measured in a fresh process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "cupel/host/child.hpp"
#include "cupel/record/json.hpp"

namespace cupel {
namespace {

namespace fs = std::filesystem;

const record::Row& row_of(const record::ResultSet& results, const std::string& name) {
  const auto found = std::ranges::find(results.rows, name, &record::Row::name);
  if (found == results.rows.end()) throw std::runtime_error("no row " + name);
  return *found;
}

// The middle one of the family's rows faults.
void expect_one_row_to_fail(const std::string& family, const std::string& before, const std::string& after) {
  // From the folder of the test: the tree may be packed and moved.
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path output = fs::temp_directory_path() / "cupel-fault-test.json";
  setenv("CUPEL_BENCH_DIR", (here / "../tests" / family).c_str(), 1);
  host::ChildCommand command;
  command.program = here / "../bin/cupel";
  command.arguments = {"run", "--quick", "--processes", "2", "--force", "--output", output.string()};
  command.time_limit_s = 120;

  const host::ChildResult ended = host::run_child(command);

  ASSERT_EQ(ended.ending, host::Ending::exited) << ended.error_text;
  EXPECT_EQ(ended.code, 4) << ended.error_text;
  const record::ResultSet results = record::read_any(output).results;
  EXPECT_EQ(results.rows.size(), 6u);
  const record::Row& fault = row_of(results, family + "/fault");
  EXPECT_EQ(fault.status, record::Status::failed);
  EXPECT_TRUE(fault.series.empty());
  EXPECT_NE(fault.reason, "");
  for (const std::string& name : {before, after}) {
    const record::Row& row = row_of(results, family + "/" + name);
    EXPECT_EQ(row.status, record::Status::ok) << row.reason;
    EXPECT_FALSE(row.series.empty());
  }
  fs::remove(output);
  fs::remove(fs::path(output).replace_extension(".html"));
}

TEST(AFaultingKernel, FailsItsRowAndNoOther) { expect_one_row_to_fail("faulting", "a_spin", "z_spin"); }

TEST(AFaultingKernel, AmidATrainingStepFailsItsRowAndNoOther) {
  expect_one_row_to_fail("faulting_step", "a_step", "z_step");
}

}  // namespace
}  // namespace cupel
