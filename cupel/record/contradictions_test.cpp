#include "cupel/record/contradictions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cupel/record/floor.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/random_results.hpp"

namespace cupel::record {
namespace {

using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A copy of 4096 bytes, on a device whose event pairs read 2 us more than the shortest work.
ordered_json file_of_a_copy() {
  ResultSet results;
  Calibration& calibration = results.context.calibration.emplace();
  calibration.event_pairs = {{.kernel_s = 3e-6, .copy_s = 9e-6}, {.kernel_s = 3e-6, .copy_s = 9e-6}};
  calibration.shortest_kernel_s = calibration.shortest_copy_s = 1e-6;
  Row& row = results.rows.emplace_back();
  row.name = "transfer/d2d/bytes:4096";
  row.family = "transfer";
  row.workload.bytes_read = 4096;
  Series& series = row.series.emplace_back();
  series.mode = Mode::cold;
  series.engine = Engine::kernel;
  series.samples_s = {22e-6, 22e-6, 22e-6};
  apply_floor(results);
  return ordered_json::parse(to_json(results));
}

std::vector<std::string> found_in(const std::string& text, std::size_t most = 20) {
  return contradictions(text, from_json(text, "file.json"), most);
}

std::vector<std::string> found_after(const char* pointer, const ordered_json& value) {
  ordered_json file = file_of_a_copy();
  file[ordered_json::json_pointer(pointer)] = value;
  return found_in(file.dump());
}

TEST(Contradictions, AreNoneInAFileAsItIsWritten) { EXPECT_THAT(found_in(file_of_a_copy().dump()), IsEmpty()); }

TEST(Contradictions, AreNoneInAnyResultThatIsWritten) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    ResultSet results = random_results(seed);
    apply_floor(results);
    EXPECT_THAT(found_in(to_json(results)), IsEmpty()) << seed;
  }
}

TEST(Contradictions, NameATimeThatTheSamplesDoNotGive) {
  EXPECT_THAT(found_after("/benchmarks/0/real_time", 19.0),
              ElementsAre("field /benchmarks/0/real_time: is 19.0, its samples give 20.0"));
}

TEST(Contradictions, NameARateThatTheWorkDoesNotGive) {
  EXPECT_THAT(found_after("/benchmarks/0/bytes_per_second", 3e8), ElementsAre(HasSubstr("/bytes_per_second: is ")));
}

TEST(Contradictions, NameACorrectionThatTheEventPairsDoNotGive) {
  EXPECT_THAT(found_after("/benchmarks/0/cupel/series/0/correction_s", 5e-6),
              ElementsAre(HasSubstr("/cupel/series/0/correction_s: is 5e-06, its samples give 2.0")));
  EXPECT_THAT(found_after("/context/cupel/calibration/event_floor_kernel_s", 5e-6),
              ElementsAre(HasSubstr("/calibration/event_floor_kernel_s: is ")));
}

TEST(Contradictions, AreNoneWhereAnOlderFileDoesNotSayThatItsInputsAreZeros) {
  ordered_json file = file_of_a_copy();
  file["benchmarks"][0]["cupel"]["params"] = {{{"name", "content"}, {"value", "zeros"}}};
  file["context"]["cupel"]["schema"]["minor"] = kFirstMinorThatSaysUnusual - 1;
  EXPECT_THAT(found_in(file.dump()), IsEmpty());

  file["benchmarks"][0]["cupel"]["unusual"] = kOfZeros;
  EXPECT_THAT(found_in(file.dump()), ElementsAre(HasSubstr("/cupel/unusual: is ")));
}

TEST(Contradictions, NameAMarkThatIsTakenAway) {
  ordered_json file = file_of_a_copy();
  for (auto& sample : file["benchmarks"][0]["cupel"]["series"][0]["samples_s"]) sample = 3e-6;
  ResultSet results = from_json(file.dump(), "file.json");
  apply_floor(results);
  file = ordered_json::parse(to_json(results));
  ASSERT_TRUE(file["benchmarks"][0]["cupel"].contains("below_floor"));

  file["benchmarks"][0]["cupel"].erase("below_floor");

  EXPECT_THAT(found_in(file.dump()),
              ElementsAre("field /benchmarks/0/cupel/below_floor: is absent, its samples give true"));
}

TEST(Contradictions, AreNoMoreThanAskedFor) {
  ordered_json file = file_of_a_copy();
  for (const char* key : {"real_time", "cpu_time", "bytes_per_second"}) file["benchmarks"][0][key] = 1.5;

  EXPECT_EQ(found_in(file.dump(), 2).size(), 2U);
}

}  // namespace
}  // namespace cupel::record
