#include "cupel/runner/resume.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "cupel/record/record.hpp"

namespace cupel::runner {
namespace {

using testing::ElementsAre;

// A run of two families with five processes and a goal for its noise.
record::ResultSet earlier() {
  record::ResultSet results;
  record::RunInfo& run = results.context.run;
  run.profile = "standard";
  run.processes = 5;
  run.seed = 7;
  run.timer = "events";
  run.families = {"gemm", "conv"};
  Settings settings;
  settings.noise_goal = 0.01;
  for (const auto& [flag, value] : notes(settings)) run.notes[flag] = value;
  run.notes["--advice"] = "tf32,graphs";
  return results;
}

std::string refusal(const Asked& asked) {
  try {
    begun_run(asked, earlier());
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}

TEST(ANewRun, HasTheDefaultsOfItsProfile) {
  Asked asked;
  asked.seed = 9;

  const Begun begun = begun_run(asked, std::nullopt);

  EXPECT_EQ(begun.settings.profile, "quick");
  EXPECT_EQ(begun.settings.processes, default_processes("quick"));
  EXPECT_EQ(begun.settings.seed, 9u);
  EXPECT_EQ(begun.settings.timer, "events");
}

TEST(AResumedRun, GoesOnAsItWasBegun) {
  const Begun begun = begun_run({}, earlier());

  EXPECT_EQ(begun.settings.profile, "standard");
  EXPECT_EQ(begun.settings.processes, 5);
  EXPECT_EQ(begun.settings.seed, 7u);
  EXPECT_EQ(begun.settings.noise_goal, 0.01);
  EXPECT_THAT(begun.selection.families, ElementsAre("gemm", "conv"));
  EXPECT_THAT(begun.selection.advice, ElementsAre("tf32", "graphs"));
}

TEST(AResumedRun, MayBeAskedForAgainInAnyOrder) {
  Asked asked;
  asked.processes = 5;
  asked.selection.families = {"conv", "gemm"};

  EXPECT_EQ(refusal(asked), "");
}

TEST(AResumedRun, RefusesWhatDiffersAndNamesBoth) {
  Asked processes, filter, noise, zeros;
  processes.processes = 3;
  filter.selection.filters = {"square"};
  noise.settings.noise_goal = 0.02;
  zeros.settings.zeros = true;

  EXPECT_EQ(refusal(processes),
            "number of processes is 5 in the file, 3 on the command line; leave it out, or start a new run");
  EXPECT_EQ(refusal(filter), "filters '' in the file, 'square' on the command line; leave it out, or start a new run");
  EXPECT_EQ(refusal(noise),
            "noise goal is 0.01 in the file, 0.02 on the command line; leave it out, or start a new run");
  EXPECT_EQ(refusal(zeros), "the file was begun without --zeros; leave it out, or start a new run");
}

TEST(AResumedRun, MayCleanUpAndHaveLonger) {
  Asked asked;
  asked.settings.clean_data = true;
  asked.settings.timeout_s = 600;

  const Begun begun = begun_run(asked, earlier());

  EXPECT_TRUE(begun.settings.clean_data);
  EXPECT_EQ(begun.settings.timeout_s, 600);
}

}  // namespace
}  // namespace cupel::runner
