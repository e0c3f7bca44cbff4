// `cupel doctor` run as a program, with scripts in place of cupel-probe: one that answers, and those that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cupel/doctor/fixtures.hpp"
#include "cupel/doctor/probe_output.hpp"
#include "cupel/host/child.hpp"
#include "cupel/runner/output.hpp"

namespace cupel {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class DoctorProgram : public testing::Test {
 protected:
  /// An executable script of this text.
  std::string script(const std::string& text) {
    const fs::path path = folder_ / "probe";
    std::ofstream(path) << "#!/bin/sh\n" << text << '\n';
    fs::permissions(path, fs::perms::owner_all);
    return path.string();
  }

  /// A script that prints these facts and ends with `code`.
  std::string probe_that_says(const doctor::Facts& facts, int code) {
    std::ofstream(folder_ / "facts.json") << doctor::to_json({facts.context, *facts.gpu});
    return script("cat '" + (folder_ / "facts.json").string() + "'; exit " + std::to_string(code));
  }

  host::ChildResult doctor(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "doctor");
    return host::run_listing(CUPEL_PROGRAM, std::move(arguments));
  }

  /// The only error among the findings, as "title".
  static std::string only_error(const std::string& text) {
    const json file = json::parse(text);
    std::string title;
    for (const json& finding : file["findings"]) {
      if (finding["severity"] != "error") continue;
      EXPECT_EQ(title, "") << "more than one error";
      title = finding["title"];
    }
    return title;
  }

  const runner::ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(DoctorProgram, EndsWith0WhereAGpuCanBeUsed) {
  const auto ended = doctor({"--probe", probe_that_says(doctor::fixtures::server_in_order(), 0)});

  EXPECT_EQ(ended.ending, host::Ending::exited);
  EXPECT_EQ(ended.code, 0) << ended.error_text;
  EXPECT_THAT(ended.output_text, HasSubstr("NVIDIA H200"));
}

TEST_F(DoctorProgram, LooksAtTheGpuThatIsChosenAndSaysWhich) {
  doctor::Facts facts = doctor::fixtures::server_in_order();
  facts.gpu->device = 2;
  EXPECT_THAT(doctor({"--probe", probe_that_says(facts, 0)}).output_text, HasSubstr("GPU 2 of 8"));

  const std::string asked =
      script("test \"$*\" = '--device GPU-5f' && cat '" + (folder_ / "facts.json").string() + "'");
  EXPECT_EQ(doctor({"--probe", asked, "--device", "GPU-5f"}).code, 0);
  EXPECT_EQ(doctor({"--probe", asked}).code, 3);
}

TEST_F(DoctorProgram, EndsWith2AndWhatThereIsWhereTheGpuThatIsChosenIsNot) {
  const auto ended = doctor(
      {"--device", "7", "--probe", script("printf '%s: no GPU 7; there are:\\n  0  H200\\n' \"$0\" >&2; exit 2")});

  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.error_text, "cupel: no GPU 7; there are:\n  0  H200\n");
}

TEST_F(DoctorProgram, EndsWith3AndTheReasonWhereNoneCan) {
  const auto ended = doctor({"--probe", probe_that_says(doctor::fixtures::old_driver(), 3)});

  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.output_text, HasSubstr("driver is too old"));
}

TEST_F(DoctorProgram, WritesStrictJson) {
  const auto ended = doctor({"--format", "json", "--probe", probe_that_says(doctor::fixtures::server_in_order(), 0)});

  EXPECT_EQ(json::parse(ended.output_text)["usable_gpu"], true);
}

TEST_F(DoctorProgram, MakesAFindingOfAProbeThatCrashes) {
  const auto ended = doctor({"--format", "json", "--probe", script("echo 'driver panic' >&2; kill -SEGV $$")});

  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(only_error(ended.output_text), testing::AllOf(HasSubstr("SIGSEGV"), HasSubstr("driver panic")));
}

TEST_F(DoctorProgram, MakesAFindingOfAProbeThatHangs) {
  const auto ended = doctor({"--format", "json", "--timeout", "0.5", "--probe", script("exec sleep 60")});

  EXPECT_EQ(ended.code, 3);
  EXPECT_LT(ended.wall_s, 30);
  EXPECT_THAT(only_error(ended.output_text), HasSubstr("no answer"));
}

TEST_F(DoctorProgram, MakesAFindingOfAProbeThatPrintsGarbage) {
  const auto ended = doctor({"--format", "json", "--probe", script("echo '{\"context\": {}'")});

  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(only_error(ended.output_text), HasSubstr("cannot be read"));
}

TEST_F(DoctorProgram, EndsWith2OnWrongUsage) {
  EXPECT_EQ(doctor({"--format", "xml"}).code, 2);
  EXPECT_EQ(doctor({"--probe", (folder_ / "nowhere").string()}).code, 2);
}

}  // namespace
}  // namespace cupel
