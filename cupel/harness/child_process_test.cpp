#include "cupel/harness/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace cupel::harness {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

ChildOutput shell(const std::string& script, const std::vector<std::string>& environment = {}, double limit_s = 20) {
  return run_child("/bin/sh", {"-c", script}, environment, limit_s);
}

TEST(RunChild, GivesAllThatTheChildPrinted) {
  // More than a pipe holds (64 KiB), so that reading must go on while the child writes.
  const ChildOutput output = shell("i=0; while [ $i -lt 20000 ]; do echo abcdefg; i=$((i+1)); done");

  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.text.size(), 8u * 20000u);
}

TEST(RunChild, GivesTheExitCodeAndTheSignal) {
  EXPECT_EQ(shell("exit 3").exit_code, 3);
  EXPECT_EQ(shell("kill -9 $$").exit_code, 128 + 9);
}

TEST(RunChild, KillsAChildThatHangs) {
  const auto start = std::chrono::steady_clock::now();

  EXPECT_THROW(shell("exec sleep 60", {"PATH=/usr/bin:/bin"}, 0.2), std::runtime_error);

  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(RunChild, KillsAChildThatLivesOnBehindItsOutput) {
  EXPECT_THROW(shell("exec 1>&-; exec sleep 60", environment(), 0.2), std::runtime_error);
}

TEST(RunChild, SaysHowTheChildEnded) {
  EXPECT_EQ(ending_of(shell("exit 4")), "ended with 4");
  EXPECT_EQ(ending_of(shell("kill -9 $$")), "was killed by signal 9 (Killed)");
}

TEST(RunChild, SaysThatAProgramIsNotThere) {
  EXPECT_THROW(run_child("/nowhere/cupel_sync_child", {}, {}, 1), std::runtime_error);
}

TEST(EnvironmentWith, SetsReplacesAndRemovesOneVariableAndKeepsTheRest) {
  setenv("CUPEL_TEST_KEPT", "1", 1);
  setenv("CUPEL_TEST_CHANGED", "old", 1);

  const std::vector<std::string> set = environment_with("CUPEL_TEST_CHANGED", "new");
  const std::vector<std::string> unset = environment_with("CUPEL_TEST_CHANGED", nullptr);

  EXPECT_THAT(set, Contains("CUPEL_TEST_CHANGED=new"));
  EXPECT_THAT(set, Not(Contains("CUPEL_TEST_CHANGED=old")));
  EXPECT_THAT(set, Contains("CUPEL_TEST_KEPT=1"));
  EXPECT_THAT(unset, Not(Contains(StartsWith("CUPEL_TEST_CHANGED="))));
  EXPECT_EQ(shell("echo \"$CUPEL_TEST_CHANGED\"", set).text, "new\n");
}

TEST(BesideThisProgram, IsInTheFolderOfTheTest) {
  const std::string path = beside_this_program("sibling");

  EXPECT_THAT(path, StartsWith("/"));
  EXPECT_TRUE(path.ends_with("/sibling"));
}

}  // namespace
}  // namespace cupel::harness
