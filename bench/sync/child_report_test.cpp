#include "bench/sync/child_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace cupel::bench::sync {
namespace {

using testing::HasSubstr;

std::string message_of(const std::string& text) {
  try {
    child_report_from(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

const std::string kReport =
    "cupel-sync-child 1\nblocking 1\nlaunched 192\nran 191\nlaunches_per_sample 64\nsamples 2\n2.5e-06\n0.125\n";

TEST(ChildReport, IsReadFromItsText) {
  const ChildReport report = child_report_from(kReport);

  EXPECT_TRUE(report.blocking);
  EXPECT_EQ(report.launched, 192u);
  EXPECT_EQ(report.ran, 191u);
  EXPECT_EQ(report.launches_per_sample, 64);
  EXPECT_EQ(report.samples_s, (std::vector<double>{2.5e-6, 0.125}));
}

TEST(ChildReport, KeepsEveryBitOfItsSamplesOnTheWay) {
  ChildReport report;
  report.launches_per_sample = 1;
  report.samples_s = {1.0 / 3, 2.9999999999999997e-6, 5e-324};

  const ChildReport read = child_report_from(to_text(report));

  EXPECT_EQ(read.samples_s, report.samples_s);
  EXPECT_FALSE(read.blocking);
}

TEST(ChildReport, CutAnywhereIsRefused) {
  for (std::size_t length = 0; length < kReport.size(); ++length) {
    EXPECT_THROW(child_report_from(kReport.substr(0, length)), std::runtime_error) << "first " << length << " bytes";
  }
}

TEST(ChildReport, NamesTheLineThatIsWrong) {
  EXPECT_THAT(message_of("CUDA error\n"), HasSubstr("line 1"));
  EXPECT_THAT(message_of("cupel-sync-child 1\nblocking yes\n"), HasSubstr("line 2"));
  EXPECT_THAT(message_of("cupel-sync-child 1\nblocking 0\nlaunched -1\n"), HasSubstr("line 3"));
}

TEST(ChildReport, RefusesTimesThatAreNoTimes) {
  const std::string head = "cupel-sync-child 1\nblocking 0\nlaunched 1\nran 1\nlaunches_per_sample 1\nsamples 1\n";
  EXPECT_THAT(message_of(head + "1e-6\n"), HasSubstr("no error"));

  for (const char* sample : {"nan", "inf", "-1e-6", "0", "1e-6 ", "", "fast"}) {
    EXPECT_THAT(message_of(head + sample + "\n"), HasSubstr("line 7")) << sample;
  }
}

TEST(ChildReport, RefusesMoreSamplesThanItAnnouncedOrThanThereCanBe) {
  EXPECT_THAT(message_of(kReport + "1e-6\n"), HasSubstr("more than was announced"));
  EXPECT_THAT(message_of("cupel-sync-child 1\nblocking 0\nlaunched 1\nran 1\nlaunches_per_sample 1\n"
                         "samples 99999999999999\n"),
              HasSubstr("more samples"));
}

}  // namespace
}  // namespace cupel::bench::sync
