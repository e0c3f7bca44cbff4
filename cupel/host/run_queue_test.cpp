#include "cupel/host/host_info.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace cupel::host {
namespace {

namespace fs = std::filesystem;

class RunQueue : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "cupel-run-queue-XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(root_); }

  void thread(const std::string& id, const std::string& text) {
    const fs::path folder = root_ / "proc/self/task" / id;
    fs::create_directories(folder);
    std::ofstream(folder / "schedstat") << text;
  }

  fs::path root_;
};

TEST_F(RunQueue, AddsUpWhatEveryThreadWaited) {
  thread("7", "5000 1500000000 3\n");
  thread("8", "1 500000000 1\n");

  EXPECT_EQ(waited_for_cpu_s(root_), 2.0);
}

TEST_F(RunQueue, IsUnknownWhereTheKernelKeepsNoAccount) {
  EXPECT_EQ(waited_for_cpu_s(root_), std::nullopt);
  thread("7", "");
  EXPECT_EQ(waited_for_cpu_s(root_), std::nullopt);
}

TEST_F(RunQueue, NeverGoesBackOnThisMachineWhileItsThreadsStay) {
  const std::optional<double> before_s = waited_for_cpu_s();
  const std::optional<double> after_s = waited_for_cpu_s();

  ASSERT_EQ(before_s.has_value(), after_s.has_value());
  EXPECT_LE(before_s.value_or(0), after_s.value_or(0));
}

}  // namespace
}  // namespace cupel::host
