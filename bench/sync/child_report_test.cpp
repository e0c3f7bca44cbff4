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
    R"({"blocking":true,"launched":192,"ran":191,"launches_per_sample":64,"samples_s":[2.5e-06,0.125]})";

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

TEST(ChildReport, SaysWhatIsWrong) {
  EXPECT_THAT(message_of("CUDA error"), HasSubstr("its output is no report"));
  EXPECT_THAT(message_of(R"({"blocking":"yes"})"), HasSubstr("boolean"));
  EXPECT_THAT(message_of(R"({"blocking":true,"launched":1})"), HasSubstr("'ran' not found"));
}

TEST(ChildReport, RefusesTimesThatAreNoTimes) {
  const std::string head = R"({"blocking":true,"launched":1,"ran":1,"launches_per_sample":1,"samples_s":[)";
  EXPECT_THAT(message_of(head + "1e-6]}"), HasSubstr("no error"));

  for (const char* sample : {"nan", "null", "-1e-6", "0", "\"fast\""}) {
    EXPECT_THAT(message_of(head + sample + "]}"), HasSubstr("cupel_sync_child: ")) << sample;
  }
}

}  // namespace
}  // namespace cupel::bench::sync
