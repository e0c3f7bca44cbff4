#include "cupel/host/cpu_wait.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

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

  // state: as /proc/<pid>/stat has it.
  void child_thread(const std::string& id, double waited_s, char state = 'S') {
    thread(id, "0 " + std::to_string(static_cast<long long>(waited_s * 1e9)) + " 1\n");
    std::ofstream(tasks() / id / "stat") << id << " (a) R (b) " << state << " 1 1\n";
  }
  fs::path tasks() const { return root_ / "proc/self/task"; }

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

using std::chrono::milliseconds;

TEST_F(RunQueue, OfAChildIsWhatItsThreadsWaitedOverTheTimeThatItRan) {
  const CpuWait::Clock::time_point start{};
  child_thread("7", 5);  // before the account began
  CpuWait account(tasks(), 2, start);

  child_thread("7", 5.1, 'R');
  account.look(start + milliseconds(1000));
  child_thread("8", 0.2);  // begun meanwhile
  account.look(start + milliseconds(2000));
  fs::remove_all(tasks() / "8");  // and ended
  account.look(start + milliseconds(3000));

  EXPECT_NEAR(account.share().value_or(-1), 0.1, 1e-9);
}

TEST_F(RunQueue, OfAChildLeavesOutTheTimeInWhichItsOwnThreadsFillTheCpus) {
  const CpuWait::Clock::time_point start{};
  CpuWait account(tasks(), 2, start);

  child_thread("7", 0.9, 'R');
  child_thread("8", 0.9, 'R');
  account.look(start + milliseconds(1000));
  EXPECT_EQ(account.share(), std::nullopt);

  child_thread("7", 1, 'R');
  child_thread("8", 0.9);
  account.look(start + milliseconds(2000));
  EXPECT_NEAR(account.share().value_or(-1), 0.1, 1e-9);
}

TEST_F(RunQueue, OfAChildWithOneThreadCountsWhereThereIsOneCpu) {
  const CpuWait::Clock::time_point start{};
  CpuWait account(tasks(), 1, start);

  child_thread("7", 0.5, 'R');
  account.look(start + milliseconds(1000));

  EXPECT_NEAR(account.share().value_or(-1), 0.5, 1e-9);
}

TEST_F(RunQueue, OfAChildIsUnknownWithoutAnAccountAndInTooShortATime) {
  const CpuWait::Clock::time_point start{};
  CpuWait none(tasks(), 2, start);
  none.look(start + milliseconds(1000));
  EXPECT_EQ(none.share(), std::nullopt);

  child_thread("7", 0);
  CpuWait brief(tasks(), 2, start);
  child_thread("7", 0.004);
  brief.look(start + milliseconds(50));
  EXPECT_EQ(brief.share(), std::nullopt);
}

}  // namespace
}  // namespace cupel::host
