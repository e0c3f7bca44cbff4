#include "cupel/doctor/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "cupel/doctor/probe_output.hpp"

namespace cupel::doctor {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

// A folder with a script in place of the probe.
class Gather : public testing::Test {
 protected:
  Gather() { fs::create_directories(folder_); }
  ~Gather() override { fs::remove_all(folder_); }

  fs::path probe_that(const std::string& does) const {
    const fs::path probe = folder_ / "cupel-probe";
    std::ofstream(probe) << "#!/bin/sh\n" << does << "\n";
    fs::permissions(probe, fs::perms::owner_all);
    return probe;
  }

  // The answer of a probe that found a driver and two GPUs.
  std::string answer() const {
    ProbeOutput output;
    output.gpu.device_count = 2;
    const fs::path file = folder_ / "answer.json";
    std::ofstream(file) << to_json(output);
    return "cat '" + file.string() + "'";
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Gather, TakesTheFactsOfTheGpuFromTheProbe) {
  const Facts facts = gather({.program = probe_that(answer())});

  ASSERT_TRUE(facts.gpu);
  EXPECT_EQ(facts.gpu->device_count, 2);
  EXPECT_EQ(facts.gpu->trouble, "none");
}

TEST_F(Gather, SaysHowAProbeEndedThatGaveNoAnswer) {
  const Facts facts = gather({.program = probe_that("echo 'driver panic' >&2; exit 7")});

  ASSERT_TRUE(facts.gpu);
  EXPECT_EQ(facts.gpu->trouble, "other");
  EXPECT_EQ(facts.gpu->what, "cupel-probe: ended with exit code 7; last words: driver panic");
}

TEST_F(Gather, SaysThatAnAnswerCannotBeRead) {
  const Facts facts = gather({.program = probe_that("echo nonsense")});

  ASSERT_TRUE(facts.gpu);
  EXPECT_THAT(facts.gpu->what, HasSubstr("its answer cannot be read"));
}

TEST_F(Gather, ThrowsWhatTheProbeSaysOfADeviceThatIsNotThere) {
  EXPECT_THROW(gather({.program = probe_that("echo 'no GPU 7' >&2; exit 2"), .device = "7"}), std::invalid_argument);
}

TEST_F(Gather, SaysThatThereIsNoProbe) {
  const Facts facts = gather({});

  EXPECT_FALSE(facts.gpu);
  EXPECT_THAT(facts.probe_trouble, HasSubstr("not built"));
}

TEST_F(Gather, FindsTheProbeBesideTheProgram) {
  EXPECT_FALSE(find_probe(folder_));
  const fs::path probe = probe_that("exit 0");

  EXPECT_EQ(find_probe(folder_), probe);
}

}  // namespace
}  // namespace cupel::doctor
