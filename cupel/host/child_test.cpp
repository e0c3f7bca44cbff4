#include "cupel/host/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace cupel::host {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

ChildCommand shell(const std::string& script) {
  ChildCommand command;
  command.program = "/bin/sh";
  command.arguments = {"-c", script};
  return command;
}

TEST(RunChild, KeepsBothStreamsAndTheExitCode) {
  const ChildResult child = run_child(shell("echo out; echo err >&2; exit 7"));

  EXPECT_EQ(child.ending, Ending::exited);
  EXPECT_EQ(child.code, 7);
  EXPECT_EQ(child.output_text, "out\n");
  EXPECT_EQ(child.error_text, "err\n");
}

TEST(RunChild, GivesAnEmptyInput) { EXPECT_EQ(run_child(shell("read line; echo \"<$line>\"")).output_text, "<>\n"); }

TEST(RunChild, TellsTheSignalThatEndedIt) {
  const ChildResult child = run_child(shell("kill -ABRT $$"));

  EXPECT_EQ(child.ending, Ending::signalled);
  EXPECT_EQ(child.code, SIGABRT);
  EXPECT_THAT(signal_name(child.code), HasSubstr("SIGABRT"));
}

TEST(RunChild, SaysWhyAProgramCannotBeStarted) {
  ChildCommand command;
  command.program = "/nowhere/at/all";

  const ChildResult child = run_child(command);

  EXPECT_EQ(child.ending, Ending::not_started);
  EXPECT_EQ(child.error_text, "No such file or directory");
}

TEST(RunChild, EndsAChildThatIgnoresBeingAskedTo) {
  ChildCommand command = shell("trap '' TERM; while :; do sleep 0.05; done");
  command.time_limit_s = 0.1;
  command.grace_s = 0.1;

  EXPECT_EQ(run_child(command).ending, Ending::timed_out);
}

TEST(RunChild, EndsWhenItsWatcherSaysSo) {
  EXPECT_EQ(run_child(shell("sleep 60"), [] { return false; }).ending, Ending::cancelled);
}

TEST(RunChild, KeepsTheEndOfALongOutput) {
  ChildCommand command = shell("i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done");
  command.keep_bytes = 100;

  const ChildResult child = run_child(command);

  EXPECT_EQ(child.output_text.size(), 100u);
  EXPECT_TRUE(child.output_cut);
  EXPECT_EQ(last_line(child.output_text), "line 4999");
}

TEST(RunChild, KeepsTheBeginningWhenAsked) {
  ChildCommand command = shell("echo abcdef; echo ghi");
  command.keep_bytes = 4;
  command.keep_head = true;

  EXPECT_EQ(run_child(command).output_text, "abcd");
}

TEST(RunChild, DoesNotWaitForWhatTheChildLeavesBehind) {
  const ChildResult child = run_child(shell("sleep 60 & echo started"));

  EXPECT_EQ(child.ending, Ending::exited);
  EXPECT_LT(child.wall_s, 30);
}

TEST(RunChild, HearsEachLineWhileTheChildRuns) {
  ChildCommand command = shell("printf 'one\\ntw' >&2; sleep 0.2; printf 'o\\nthree' >&2; sleep 60");
  std::vector<std::string> lines;
  command.hears = [&](const std::string& line) {
    lines.push_back(line);
    return false;
  };

  run_child(command, [&] { return lines.size() < 2; });

  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
}

TEST(RunChild, GivesAChildThatSaysItIsAtWorkItsTimeAnew) {
  ChildCommand command = shell("for n in 1 2 3 4 5 6 7 8; do echo at work >&2; sleep 0.2; done");
  command.time_limit_s = 1;
  command.hears = [](const std::string& line) { return line == "at work"; };

  EXPECT_EQ(run_child(command).ending, Ending::exited);

  command.hears = {};
  EXPECT_EQ(run_child(command).ending, Ending::timed_out);
}

TEST(EndingText, SaysWhatEndedTheChildAndLeavesItsOwnExitToTheCaller) {
  ChildResult child;
  child.error_text = "No such file or directory";
  EXPECT_EQ(ending_text(child, "done"), "cannot be started: No such file or directory");
  child.ending = Ending::timed_out;
  child.wall_s = 90;
  EXPECT_EQ(ending_text(child, "done"), "not done within the time limit, ended after 1 min 30 s");
  child.ending = Ending::cancelled;
  EXPECT_EQ(ending_text(child, "done"), "interrupted");
  child.ending = Ending::exited;
  EXPECT_EQ(ending_text(child, "done"), "done");
}

TEST(LastWords, AreThoseOfTheErrorStream) {
  const ChildResult child = run_child(shell("echo first >&2; echo second >&2; kill -9 $$"));

  EXPECT_EQ(with_last_words(ending_text(child, ""), child), "killed by SIGKILL (Killed); last words: second");
  EXPECT_EQ(with_last_words("why", {}), "why");
}

TEST(UsageWords, AreAllLinesWithoutTheNameOfTheProgram) {
  const ChildCommand command = shell("printf '/bin/sh: no GPU 7; there are:\\n  0  \\033[31mred\\n\\n' >&2; exit 2");

  EXPECT_EQ(usage_words(command, run_child(command)), "no GPU 7; there are:\n  0  [31mred");
}

TEST(LastLine, IsFitForARecordWhateverWasPrinted) {
  EXPECT_EQ(last_line("first\nsecond \x1b[31mred\xff\n \n"), "second [31mred?");
  EXPECT_EQ(last_line("only"), "only");
  EXPECT_EQ(last_line(" \n\n"), "");
  EXPECT_EQ(last_line(std::string(500, 'x')).size(), 203u);
}

TEST(RunChild, TakesALimitAlsoFromAChildThatClosedItsOutput) {
  ChildCommand command = shell("exec 1>&- 2>&-; exec sleep 60");
  command.time_limit_s = 0.2;

  EXPECT_EQ(run_child(command).ending, Ending::timed_out);
}

TEST(ExitedWith, IsOfAChildThatEndedByItself) {
  EXPECT_TRUE(exited_with(run_child(shell("exit 9")), 9));
  EXPECT_FALSE(exited_with(run_child(shell("kill -9 $$")), 9));
}

TEST(EnvironmentWith, SetsReplacesAndRemovesVariablesAndKeepsTheRest) {
  setenv("CUPEL_TEST_KEPT", "1", 1);
  setenv("CUPEL_TEST_CHANGED", "old", 1);
  setenv("CUPEL_TEST_REMOVED", "old", 1);

  const std::vector<std::string> all = environment_with({{"CUPEL_TEST_CHANGED", "new"}, {"CUPEL_TEST_REMOVED", ""}});

  EXPECT_THAT(all, Contains("CUPEL_TEST_CHANGED=new"));
  EXPECT_THAT(all, Not(Contains("CUPEL_TEST_CHANGED=old")));
  EXPECT_THAT(all, Contains("CUPEL_TEST_KEPT=1"));
  EXPECT_THAT(all, Not(Contains(StartsWith("CUPEL_TEST_REMOVED="))));
  ChildCommand command = shell("echo \"$CUPEL_TEST_CHANGED\"");
  command.environment = all;
  EXPECT_EQ(run_child(command).output_text, "new\n");
}

TEST(BesideThisProgram, IsInTheFolderOfTheTest) {
  const std::string path = beside_this_program("sibling");

  EXPECT_THAT(path, StartsWith("/"));
  EXPECT_TRUE(path.ends_with("/sibling"));
}

}  // namespace
}  // namespace cupel::host
