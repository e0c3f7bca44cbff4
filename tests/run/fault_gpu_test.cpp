// A kernel that faults under `cupel run`: its row says so, and the others are measured in a fresh process.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cupel/record/json.hpp"
#include "cupel/host/child.hpp"

namespace cupel {
namespace {

namespace fs = std::filesystem;

const record::Row& row_of(const record::ResultSet& results, const std::string& name) {
  const auto found = std::ranges::find(results.rows, name, &record::Row::name);
  if (found == results.rows.end()) throw std::runtime_error("no row " + name);
  return *found;
}

TEST(AFaultingKernel, FailsItsRowAndNoOther) {
  // From the folder of the test: the tree may be packed and moved.
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  const fs::path output = fs::temp_directory_path() / "cupel-fault-test.json";
  setenv("CUPEL_BENCH_DIR", (here / "../tests/faulting").c_str(), 1);
  host::ChildCommand command;
  command.program = here / "../bin/cupel";
  command.arguments = {"run", "--quick", "--processes", "2", "--force", "--output", output.string()};
  command.time_limit_s = 120;

  const host::ChildResult ended = host::run_child(command);

  ASSERT_EQ(ended.ending, host::Ending::exited) << ended.error_text;
  EXPECT_EQ(ended.code, 4) << ended.error_text;
  const record::ResultSet results = record::read_any(output).results;
  EXPECT_EQ(results.rows.size(), 6u);
  EXPECT_EQ(row_of(results, "faulting/fault").status, record::Status::failed);
  EXPECT_NE(row_of(results, "faulting/fault").reason, "");
  for (const char* name : {"faulting/a_spin", "faulting/z_spin"}) {
    EXPECT_EQ(row_of(results, name).status, record::Status::ok) << row_of(results, name).reason;
    EXPECT_FALSE(row_of(results, name).series.empty());
  }
  fs::remove(output);
  fs::remove(fs::path(output).replace_extension(".html"));
}

}  // namespace
}  // namespace cupel
