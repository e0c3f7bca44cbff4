#include "cupel/doctor/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cupel/doctor/fixtures.hpp"

namespace cupel::doctor {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(DoctorText, HasALineAFindingAndWhatToDoBelow) {
  const std::vector<Finding> findings = {{Severity::ok, "a", "all well", "", ""},
                                         {Severity::warn, "b", "not so well", "It is slow.", "Do this."}};

  EXPECT_EQ(as_text(findings, 100),
            "ok     all well\n"
            "warn   not so well\n"
            "       It is slow.\n"
            "       -> Do this.\n"
            "\n"
            "0 errors, 1 warning\n");
}

TEST(DoctorText, WrapsLongLinesUnderTheirStart) {
  const std::string words =
      "word word word word word word word word word word word word word word word word word word word";
  const std::string text = as_text({{Severity::info, "a", words, words + " " + words, words}}, 100);

  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_THAT(text, HasSubstr("\n          word"));  // under the first word after the arrow
}

TEST(DoctorText, OfAServerInOrderComplainsOfNothing) {
  const std::string text = as_text(judge(fixtures::server_in_order()), 100);

  EXPECT_THAT(text, HasSubstr("8 logical CPUs, 2 of them usable here, 2 NUMA nodes"));
  EXPECT_THAT(text, EndsWith("0 errors, 0 warnings\n"));
  EXPECT_THAT(text, Not(HasSubstr("->")));
}

TEST(DoctorJson, SaysWhetherThereIsAGpuAndEveryFinding) {
  const Facts facts = fixtures::server_in_order();
  const auto findings = judge(facts);

  const json file = json::parse(as_json(facts, findings));

  EXPECT_EQ(file["usable_gpu"], true);
  EXPECT_EQ(file["device"], "NVIDIA H200");
  ASSERT_EQ(file["findings"].size(), findings.size());
  EXPECT_EQ(file["findings"][0]["id"], findings[0].id);
  EXPECT_EQ(file["findings"][0]["severity"], "ok");
}

TEST(DoctorJson, WithoutAGpuHasNoDevice) {
  const Facts facts = fixtures::host_only();

  const json file = json::parse(as_json(facts, judge(facts)));

  EXPECT_EQ(file["usable_gpu"], false);
  EXPECT_EQ(file["device"], nullptr);
}

TEST(DoctorJson, SurvivesTextThatIsNotUtf8) {
  Facts facts = fixtures::server_in_order();
  facts.host.info.cpu = "broken \xff name";

  EXPECT_TRUE(json::accept(as_json(facts, judge(facts))));
}

}  // namespace
}  // namespace cupel::doctor
