#include "cupel/harness/data_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "cupel/harness/run.hpp"

namespace cupel::harness {
namespace {

using std::chrono::milliseconds;

class DataFolder : public testing::Test {
 protected:
  DataFolder() { ::setenv("XDG_CACHE_HOME", cache_.c_str(), 1); }
  ~DataFolder() override { std::filesystem::remove_all(cache_); }

  static bool exists() { return std::filesystem::exists(data_folder()); }

  const std::string cache_ = testing::TempDir() + "cupel-data-folder-" + std::to_string(::getpid());
};

TEST_F(DataFolder, IsRemovedByWhoUsesItAlone) {
  use_data_folder();
  EXPECT_TRUE(exists());

  clean_data_folder();

  EXPECT_FALSE(exists());
  use_data_folder();
  EXPECT_TRUE(exists());
  clean_data_folder();
}

// The other one looks for its data at its end, which are there.
TEST_F(DataFolder, IsCleanedOnceNobodyElseUsesIt) {
  int began[2];
  ASSERT_EQ(::pipe(began), 0);
  const pid_t other = ::fork();
  ASSERT_GE(other, 0);
  if (other == 0) {
    use_data_folder();
    [[maybe_unused]] const auto told = ::write(began[1], "x", 1);
    std::this_thread::sleep_for(milliseconds(300));
    ::_exit(exists() ? 0 : 1);
  }
  char byte = 0;
  ASSERT_EQ(::read(began[0], &byte, 1), 1);

  clean_data_folder();

  EXPECT_FALSE(exists());
  int status = 1;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0) << "the data were removed while it used them";
}

}  // namespace
}  // namespace cupel::harness
