// `cupel advise` run as a program on result files made up here. Golden files: CUPEL_UPDATE_GOLDEN=1 writes them anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cupel/advice/advice.hpp"
#include "cupel/catalogue/catalogue.hpp"
#include "cupel/figures/synthetic_advice.hpp"
#include "cupel/record/json.hpp"
#include "cupel/host/child.hpp"
#include "cupel/runner/output.hpp"

namespace cupel {
namespace {

namespace fs = std::filesystem;
namespace synthetic = figures::synthetic;
using nlohmann::json;
using record::Role;
using synthetic::add_pair;
using testing::HasSubstr;

// What a quick run on a GPU may look like: pieces that pay from a size on, up to a size, not at all, against the
// advice, undecided and not measurable, a cost, and a variant.
record::ResultSet quick_run() {
  record::ResultSet results{synthetic::context(), {}};
  const std::pair<const char*, double> sizes[] = {
      {"h2d/bytes:4096", 0.999}, {"h2d/bytes:65536", 1.4}, {"h2d/bytes:1048576", 3.1}, {"h2d/bytes:16777216", 3.6}};
  double after_s = 8e-6;
  for (const auto& [scenario, gain] : sizes) add_pair(results, "pin-memory", scenario, gain, after_s *= 3);
  synthetic::add(results,
                 {"made/write_combined", {"pin-memory", Role::variant, "h2d/bytes:1048576", "write_combined"}, 7e-5});
  add_pair(results, "graphs", "complete/bytes:4096/kernels:1", 0.9, 9e-6);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:10", 1.6, 2e-5);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:1000", 2.9, 1.1e-3);
  add_pair(results, "keep-on-device", "memory:pinned/bytes:65536", 2.2, 4e-5);
  add_pair(results, "avoid-sync", "step/kernels:1/bytes:1048576", 1.04, 1e-4, {1.04, 1, 0.97});
  add_pair(results, "scalar-readback", "readback/kernels:1/bytes:1048576", 1.001, 1e-4);
  add_pair(results, "host-callbacks", "enqueue", 0.8, 2e-6);
  add_pair(results, "launch-blocking", "launch", 0.12, 1.7e-5);
  add_pair(results, "nvtx-cost", "launch", 0.995, 2e-6);
  add_pair(results, "non-blocking", "copy_then_compute/steps:1024/bytes:33554432", 1.5, 1e-3);
  for (record::Row& row : results.rows) {
    if (row.advice[0].id != "non-blocking" || row.advice[0].role != Role::after) continue;
    row.status = record::Status::failed;
    row.reason = "the result differs from its reference";
    row.series.clear();
  }
  synthetic::add(results, {"made/d2d", {"bandwidth", Role::variant, "d2d/bytes:4096", "d2d"}, 1e-5});
  results.context.host.governor = "powersave";
  results.rows[0].telemetry.emplace().throttle_reasons = {"hw_thermal"};
  return results;
}

// Another machine: the link is narrow, so that pinning gives less and waiting does not matter.
record::ResultSet other_run() {
  record::ResultSet results{synthetic::context(7, "NVIDIA Synthetic 2"), {}};
  results.context.device->pcie_width = 8;
  results.context.device->pcie_width_max = 16;
  const std::vector<double> factors{1.001, 1, 0.999, 1.002, 0.998, 1, 1.001};
  add_pair(results, "pin-memory", "h2d/bytes:65536", 1.2, 1e-4, factors, 7);
  add_pair(results, "pin-memory", "h2d/bytes:1048576", 1.3, 1e-3, factors, 7);
  add_pair(results, "graphs", "complete/bytes:4096/kernels:10", 1.8, 2e-5, factors, 7);
  add_pair(results, "avoid-sync", "step/kernels:1/bytes:1048576", 1.3, 1e-4, factors, 7);
  add_pair(results, "host-callbacks", "enqueue", 1.2, 2e-6, factors, 7);
  return results;
}

class AdviseProgram : public testing::Test {
 protected:
  AdviseProgram() : before_(fs::current_path()) {
    fs::current_path(folder_.path());  // paths in the output are relative
    record::write(quick_run(), "first.json");
    record::write(other_run(), "second.json");
  }
  ~AdviseProgram() override {
    std::error_code ignored;
    fs::current_path(before_, ignored);
  }

  static host::ChildResult advise(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "advise");
    return host::run_listing(CUPEL_PROGRAM, std::move(arguments));
  }

  static void expect_golden(const std::string& name, const std::vector<std::string>& arguments) {
    const host::ChildResult child = advise(arguments);
    ASSERT_EQ(child.ending, host::Ending::exited) << child.error_text;
    ASSERT_EQ(child.code, 0) << child.error_text;
    ASSERT_FALSE(child.output_text.empty());
    const fs::path path = fs::path(CUPEL_GOLDEN) / name;
    if (std::getenv("CUPEL_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << child.output_text;
    std::ostringstream golden;
    golden << std::ifstream(path).rdbuf();
    EXPECT_EQ(child.output_text, golden.str()) << path;
  }

 private:
  const fs::path before_;
  const runner::ScratchFolder folder_;
};

TEST_F(AdviseProgram, PrintsTheGoldenFiles) {
  expect_golden("one.txt", {"first.json"});
  expect_golden("one.md", {"first.json", "--format", "markdown"});
  expect_golden("piece.txt", {"first.json", "--advice", "pin-memory"});
  expect_golden("all.txt", {"first.json", "--all"});
  expect_golden("matrix.txt", {"first.json", "second.json"});
}

TEST_F(AdviseProgram, PrintsJsonThatIsJson) {
  const json answer = json::parse(advise({"first.json", "second.json", "--format", "json"}).output_text);

  EXPECT_EQ(answer["files"].size(), 2u);
  EXPECT_EQ(answer["files"][0]["advice"][0]["id"], "pin-memory");
  EXPECT_EQ(answer["files"][0]["causes"][0]["id"], "throttled");
  for (const json& row : answer["matrix"]) {
    EXPECT_EQ(row["verdict_differs"], row["id"] == "host-callbacks" || row["id"] == "graphs") << row;
  }
}

TEST_F(AdviseProgram, PrintsAtMostAHundredColumns) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"first.json"}, {"first.json", "--all"}, {"first.json", "second.json"}}) {
    std::istringstream lines(advise(arguments).output_text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

TEST_F(AdviseProgram, EndsWithTwoOnAFileThatCannotBeRead) {
  std::ofstream("broken.json") << "{\"context\": ";

  const host::ChildResult broken = advise({"broken.json"}), missing = advise({"missing.json"});

  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.error_text, HasSubstr("broken.json"));
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.error_text, HasSubstr("missing.json"));
}

TEST_F(AdviseProgram, EndsWithTwoOnAnAdviceThatIsNotThere) {
  const host::ChildResult child = advise({"first.json", "--advice", "pin-memroy"});

  EXPECT_EQ(child.code, 2);
  EXPECT_THAT(child.error_text, HasSubstr("nearest: pin-memory"));
}

TEST_F(AdviseProgram, EndsWithFiveWhenNothingIsTagged) {
  record::ResultSet results = quick_run();
  for (record::Row& row : results.rows) row.advice.clear();
  record::write(results, "untagged.json");

  const host::ChildResult child = advise({"untagged.json"});

  EXPECT_EQ(child.code, 5);
  EXPECT_EQ(child.output_text, "");
}

TEST_F(AdviseProgram, SaysNoDifferenceOnlyWithinTheToleranceAskedFor) {
  const json strict = json::parse(advise({"first.json", "--tolerance", "0.1", "--format", "json"}).output_text);

  EXPECT_DOUBLE_EQ(strict["tolerance"], 0.001);
  for (const json& piece : strict["files"][0]["advice"]) {
    EXPECT_NE(piece["verdict"], "no difference") << piece["id"];
    if (piece["id"] == "nvtx-cost") {
      EXPECT_EQ(piece["verdict"], "undecided");
    }
  }
}

TEST_F(AdviseProgram, JudgesFragmentationByTheLargestBlockOfTheKeptRun) {
  const fs::path kept = fs::path(CUPEL_RESULTS) / "nvidia-h200" / "memory.json";

  const json answer = json::parse(advise({kept, "--advice", "fragmentation", "--format", "json"}).output_text);
  const json& piece = answer["files"][0]["advice"][0];

  EXPECT_EQ(piece["judged_by"]["metric"], "largest_block");
  ASSERT_EQ(piece["curves"].size(), 3u);
  const std::map<std::string, double> after_mib{{"expandable_segments", 512}, {"malloc", 508}, {"pool", 4}};
  for (const json& curve : piece["curves"]) {
    for (const json& point : curve["points"]) {
      // An allocator that splits its segments leaves 4 MiB of 512, and a pool its largest hole.
      EXPECT_EQ(point["before_value"], 4.0 * (1 << 20));
      EXPECT_EQ(point["after_value"], after_mib.at(curve["variant"]) * (1 << 20));
      EXPECT_TRUE(point["before"].is_string()) << point["before"];
      EXPECT_EQ(point["verdict"], curve["variant"] == "pool" ? "no difference" : "pays");
      EXPECT_EQ(point.at("least"), point.at("greatest"));
    }
  }
}

TEST_F(AdviseProgram, TakesFamiliesMeasuredOneByOneForOneMachine) {
  const fs::path kept = fs::path(CUPEL_RESULTS) / "nvidia-h200";

  const json answer = json::parse(
      advise({kept / "gemm.json", kept / "memory.json", kept / "sync.json", "--format", "json"}).output_text);

  ASSERT_EQ(answer["files"].size(), 1u);
  std::set<std::string> decided;
  for (const json& piece : answer["files"][0]["advice"]) {
    if (piece["verdict"] == "pays" || piece["verdict"] == "mixed") decided.insert(piece["id"]);
  }
  EXPECT_TRUE(decided.contains("mixed-precision") && decided.contains("reuse-buffers") && decided.contains("graphs"));
}

// Of the kept run one pair did: its autotune-cost still compares a shape that stays with one that changes.
TEST(KeptResults, DidUnequalWorkInNoPairButAutotuneCost) {
  for (const auto& entry : fs::recursive_directory_iterator(CUPEL_RESULTS)) {
    if (entry.path().extension() != ".json") continue;
    for (const advice::AdviceResult& piece : advice::advise(record::read(entry.path()), catalogue::built_in())) {
      for (const advice::AdviceCurve& curve : piece.curves) {
        for (const advice::AdvicePoint& point : curve.points) {
          const bool unequal = point.reason.find("unequal work") != std::string::npos;
          EXPECT_TRUE(!unequal || piece.id == "autotune-cost") << point.before_name << " " << point.after_name;
        }
      }
    }
  }
}

// A counter that was renamed would make its piece not measurable.
TEST(KeptResults, HaveTheCountersByWhichTheCatalogueJudges) {
  int judged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(CUPEL_RESULTS)) {
    if (entry.path().extension() != ".json" || entry.path().string().find("/runs/") != std::string::npos) continue;
    for (const record::Row& row : record::read(entry.path().string()).rows) {
      for (const record::AdviceTag& tag : row.advice) {
        const catalogue::CatalogueRow* piece = catalogue::built_in().find(tag.id);
        if (piece == nullptr || piece->judged_by.empty() || row.status != record::Status::ok) continue;
        ++judged;
        ASSERT_TRUE(row.counters.contains(piece->judged_by)) << entry.path() << ": " << row.name;
        EXPECT_NE(row.counters.at(piece->judged_by).better, record::Better::none) << row.name;
      }
    }
  }
  EXPECT_GT(judged, 0);
}

}  // namespace
}  // namespace cupel
