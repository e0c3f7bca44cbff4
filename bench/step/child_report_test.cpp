// The child is a shell script, which ends as it is told.
#include "bench/step/child_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/harness/clock.hpp"
#include "cupel/harness/run.hpp"

namespace cupel::bench::step {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kReport = R"({"recorded_steps":4,"loss":2.25,"samples_s":[0.0025,0.125]})";

ChildReport run(const std::string& script, double limit_s = 20) {
  return report_of_child("/bin/sh", {"-c", script}, limit_s);
}

// Returns the error of a child that was not skipped.
std::string failure_of(const std::string& script, double limit_s = 20) {
  try {
    run(script, limit_s);
  } catch (const harness::Skip& skip) {
    return std::string("skipped: ") + skip.what();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

std::string skip_of(const std::string& script) {
  try {
    run(script);
  } catch (const harness::Skip& skip) {
    return skip.what();
  }
  return "not skipped";
}

TEST(ChildReport, IsReadFromItsText) {
  const ChildReport report = child_report_from(kReport);

  EXPECT_EQ(report.recorded_steps, 4);
  EXPECT_EQ(report.loss, 2.25);
  EXPECT_EQ(report.samples_s, (std::vector<double>{0.0025, 0.125}));
}

TEST(ChildReport, KeepsEveryBitOfItsSamplesOnTheWay) {
  const ChildReport report{.recorded_steps = 4, .loss = 0.1, .samples_s = {1.0 / 3, 2.9999999999999997e-6, 5e-324}};

  const ChildReport read = child_report_from(to_text(report));

  EXPECT_EQ(read.recorded_steps, report.recorded_steps);
  EXPECT_EQ(read.loss, report.loss);
  EXPECT_EQ(read.samples_s, report.samples_s);
}

TEST(ChildReport, SaysThatALossIsNoNumber) {
  const ChildReport report{.loss = std::numeric_limits<double>::quiet_NaN(), .samples_s = {1e-3}};

  EXPECT_TRUE(std::isnan(child_report_from(to_text(report)).loss));
}

TEST(ChildReport, CutAnywhereIsRefused) {
  for (std::size_t length = 0; length < kReport.size(); ++length) {
    EXPECT_THROW(child_report_from(kReport.substr(0, length)), std::runtime_error) << "first " << length << " bytes";
  }
}

TEST(ChildReport, WithTimesThatAreNoTimesIsRefused) {
  for (const char* sample : {"nan", "null", "-1e-6", "0", "\"fast\""}) {
    const std::string text = R"({"recorded_steps":0,"loss":1,"samples_s":[)" + std::string(sample) + "]}";
    EXPECT_THROW(child_report_from(text), std::runtime_error) << sample;
  }
}

TEST(ReportOfChild, IsWhatAChildPrintedThatEndedWell) {
  const ChildReport report = run("echo '" + kReport + "'");

  EXPECT_EQ(report.recorded_steps, 4);
  EXPECT_EQ(report.samples_s, (std::vector<double>{0.0025, 0.125}));
}

TEST(ReportOfChild, HandsTheArgumentsOn) {
  const ChildReport report = report_of_child(
      "/bin/sh", {"-c", R"(printf '{"recorded_steps":%s,"loss":1,"samples_s":[%s]}' $0 $1)", "7", "0.5"}, 20);

  EXPECT_EQ(report.recorded_steps, 7);
  EXPECT_EQ(report.samples_s, std::vector<double>{0.5});
}

TEST(ReportOfChild, SaysWhyAChildFailed) {
  EXPECT_EQ(failure_of("echo 'out of memory: 3 GiB wanted'; exit 4"),
            "sh: ended with exit code 4: out of memory: 3 GiB wanted");
  EXPECT_EQ(failure_of("echo first; echo; echo 'the last line'; echo; exit 4"),
            "sh: ended with exit code 4: the last line");
  EXPECT_EQ(failure_of("exit 2"), "sh: ended with exit code 2");
  EXPECT_EQ(failure_of("echo 'no such device' >&2; exit 2"), "sh: ended with exit code 2; last words: no such device");
  EXPECT_EQ(failure_of("printf '%01000d' 0; exit 4"), "sh: ended with exit code 4: " + std::string(200, '0') + "...");
}

TEST(ReportOfChild, IsSkippedWhereTheChildCannotRunHere) {
  EXPECT_EQ(skip_of("echo 'out of memory: 3 GiB wanted'; exit 7"),
            "the profiled step cannot run here: out of memory: 3 GiB wanted");
}

// Though it had printed its report.
TEST(ReportOfChild, NamesTheSignalThatKilledAChild) {
  EXPECT_EQ(failure_of("echo '" + kReport + "'; kill -KILL $$"), "sh: killed by SIGKILL (Killed)");
  EXPECT_EQ(failure_of("kill -SEGV $$"), "sh: killed by SIGSEGV (Segmentation fault)");
  EXPECT_EQ(failure_of("kill -ABRT $$"), "sh: killed by SIGABRT (Aborted)");
}

TEST(ReportOfChild, IsRefusedWhereItIsNone) {
  EXPECT_THAT(failure_of("exit 0"), StartsWith("sh: its output is no report: "));
  EXPECT_THAT(failure_of("echo 'loading libraries'"), StartsWith("sh: its output is no report: "));
  EXPECT_THAT(failure_of("echo '" + kReport + "'; echo '" + kReport + "'"),
              StartsWith("sh: its output is no report: "));
  EXPECT_THAT(failure_of(R"(echo '{"loss":1,"samples_s":[1]}')"),
              AllOf(StartsWith("sh: its output is no report: "), HasSubstr("'recorded_steps' not found")));
}

TEST(ReportOfChild, IsNotWaitedForWithoutEnd) {
  const harness::Clock::time_point start = harness::Clock::now();

  EXPECT_THAT(failure_of("echo '" + kReport + "'; exec sleep 60", 0.2),
              StartsWith("sh: not done within the time limit"));

  EXPECT_LT(harness::seconds_since(start), 30);
}

TEST(ReportOfChild, SaysThatThereIsNoSuchProgram) {
  EXPECT_THROW(report_of_child("/nowhere/cupel_step_profiled", {}, 1), std::runtime_error);
}

TEST(ReportOfChild, IsSkippedWhereTheChildCannotMeasure) {
  EXPECT_EQ(skip_of("echo 'libcupti.so.13 cannot be loaded'; exit 6"),
            "CUPTI cannot be used: libcupti.so.13 cannot be loaded");
  EXPECT_EQ(skip_of("exit 6"), "CUPTI cannot be used");
  EXPECT_EQ(skip_of("echo 'all devices are busy'; exit 5"),
            "a second process may not use the device (compute mode exclusive?): all devices are busy");
}

}  // namespace
}  // namespace cupel::bench::step
