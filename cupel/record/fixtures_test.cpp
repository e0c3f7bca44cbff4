// The files of tests/record: what was ever released reads for ever, and reader and JSON Schema are of one mind
// (tests/record/check_schema.py asks the schema).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cupel/record/json.hpp"

namespace cupel::record {
namespace {

namespace fs = std::filesystem;

const fs::path kFixtures = CUPEL_RECORD_FIXTURES;

std::vector<fs::path> files(const char* folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(kFixtures / folder)) {
    found.push_back(entry.path());
  }
  return found;
}

std::string text_of(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

TEST(Fixtures, OfValidFilesAreReadAndWrittenAgain) {
  const std::vector<fs::path> valid = files("valid");

  ASSERT_FALSE(valid.empty());
  for (const fs::path& path : valid) {
    EXPECT_THAT(validate(text_of(path)), ::testing::IsEmpty()) << path;
    ResultSet results = read(path);
    results.context.schema_minor = std::max(results.context.schema_minor, kSchemaMinor);  // what is written
    EXPECT_TRUE(from_json(to_json(results), "again") == results) << path;
  }
}

TEST(Fixtures, OfInvalidFilesAreRefused) {
  const std::vector<fs::path> invalid = files("invalid");

  ASSERT_FALSE(invalid.empty());
  for (const fs::path& path : invalid) {
    EXPECT_THAT(validate(text_of(path)), ::testing::Not(::testing::IsEmpty())) << path;
    EXPECT_THROW(read(path), files::ReadError) << path;
  }
}

TEST(Fixtures, OfThisSchemaAreWrittenAsTheyWere) {
  const fs::path path = kFixtures / "valid" / "1.4-everything.json";

  EXPECT_EQ(to_json(read(path)), text_of(path));
}

TEST(Fixtures, OfSchemaOneKeepTheirMeaning) {
  const ResultSet results = read(kFixtures / "valid" / "1.0-everything.json");

  ASSERT_EQ(results.rows.size(), 4U);
  const Row& row = results.rows[2];
  EXPECT_EQ(row.name, "transfer/h2d/memory:pinned/bytes:4096");
  EXPECT_EQ(row.process, 1);
  EXPECT_EQ(row.advice[0].role, Role::after);
  EXPECT_EQ(row.workload.bytes_moved, 4096);
  ASSERT_EQ(row.series.size(), 2U);
  EXPECT_EQ(row.main_series()->mode, Mode::cold);
  EXPECT_EQ(row.main_series()->stop, Stop::precision);
  EXPECT_DOUBLE_EQ(row.main_series()->samples_s[3], 1.4e-5);
  EXPECT_DOUBLE_EQ(row.main_series()->correction_s, 8.1e-6);
  EXPECT_TRUE(row.counters.at("registers").exact);
  EXPECT_EQ(row.telemetry->foreign_processes, 0);
  EXPECT_EQ(results.rows[3].status, Status::failed);
  EXPECT_EQ(results.rows[3].reason, "result differs at element 7");
  EXPECT_EQ(results.context.device->pcie_width, 16);
  EXPECT_EQ(results.context.run.processes, 2);
  EXPECT_EQ(results.context.calibration->launch_spacing_s, 2.49e-6);
  EXPECT_EQ(results.context.calibration->slowest_launch_spacing_s, 2.62e-6);
}

TEST(Fixtures, KeepWhatAFloorIsPooledFrom) {
  const ResultSet results = read(kFixtures / "valid" / "1.1-everything.json");

  const Calibration& calibration = results.context.calibration.value();
  ASSERT_EQ(calibration.event_pairs.size(), 2U);
  EXPECT_EQ(calibration.event_pairs[1], (EventPair{1, 0, 2.82e-6, 9.5e-6}));
  EXPECT_EQ(calibration.shortest_kernel_s, 0.5e-6);
  EXPECT_EQ(calibration.shortest_source, "CUPTI in this run");
  const std::vector<Series>& series = results.rows[2].series;
  EXPECT_EQ(series[0].engine, Engine::copy);
  EXPECT_EQ(series[0].stop, Stop::tick);
  EXPECT_EQ(series[1].mode, Mode::sustained);
  EXPECT_EQ(series[1].engine, std::nullopt);
}

TEST(Fixtures, SayWhatHadNotSettled) {
  const ResultSet results = read(kFixtures / "valid" / "1.1-everything.json");

  const auto waiting =
      std::ranges::find_if(results.rows, [](const Row& row) { return row.telemetry && !row.telemetry->settled; });
  ASSERT_NE(waiting, results.rows.end());
  EXPECT_THAT(waiting->telemetry->unsettled, ::testing::ElementsAre("clock"));
}

TEST(Fixtures, WithoutASpacingOfLaunchesHaveNone) {
  const ResultSet results = read(kFixtures / "valid" / "1.7-from-a-newer-minor-with-sorted-keys.json");

  ASSERT_TRUE(results.context.calibration);
  EXPECT_EQ(results.context.calibration->launch_spacing_s, std::nullopt);
  EXPECT_THAT(to_json(results), ::testing::Not(::testing::HasSubstr("launch_spacing_s")));
}

TEST(Fixtures, OfANewerMinorKeepWhatThisVersionDoesNotKnow) {
  const ResultSet results = read(kFixtures / "valid" / "1.7-from-a-newer-minor-with-sorted-keys.json");

  const std::string text = to_json(results);

  for (const char* field : {"\"later\"", "\"host_name\"", "\"label\"", "\"spread_s\"", "\"nvlink\"", "\"minor\":7"}) {
    EXPECT_THAT(text, ::testing::HasSubstr(field));
  }
}

}  // namespace
}  // namespace cupel::record
