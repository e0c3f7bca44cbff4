// Files of ours and of others, a row at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "cupel/record/json.hpp"
#include "cupel/record/random_results.hpp"

namespace cupel::record {
namespace {

std::filesystem::path file_with(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(::testing::TempDir()) / name;
  std::ofstream(path) << text;
  return path;
}

TEST(ReadRows, GivesTheRowsAndTheContextThatReadGives) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ResultSet results = random_results(seed);
    const std::filesystem::path path = file_with("read_rows.json", to_json(results));

    ResultSet streamed;
    const Streamed rest = read_rows(path, [&](Row&& row, bool) { streamed.rows.push_back(std::move(row)); });
    streamed.context = rest.context;

    EXPECT_FALSE(rest.foreign);
    EXPECT_EQ(streamed, read(path)) << seed;
  }
}

TEST(ReadRows, GivesListsOfSamplesWhateverPieceOfTheFileTheyAreIn) {
  ResultSet results;
  for (const int samples : {1, 3'000, 100'000, 2'000, 7'001, 50'000}) {
    Row& row = results.rows.emplace_back();
    row.name = "a/n:" + std::to_string(samples);
    Series& series = row.series.emplace_back();
    for (int i = 0; i < samples; ++i) series.samples_s.push_back(1e-6 + 1e-11 * (i * 7919 % 10'007) / 3);
  }

  const ResultSet back = read(file_with("pieces.json", to_json(results)));

  ASSERT_EQ(back.rows.size(), results.rows.size());
  for (std::size_t i = 0; i < back.rows.size(); ++i)
    EXPECT_EQ(back.rows[i].series[0].samples_s, results.rows[i].series[0].samples_s) << i;
}

TEST(ReadRows, TakesAGoogleBenchmarkFileAndSaysSo) {
  const std::filesystem::path path = file_with("foreign.json", R"({"context": {"num_cpus": 8}, "benchmarks": [
    {"name": "BM_a", "run_type": "iteration", "iterations": 10, "real_time": 5.0, "cpu_time": NaN, "time_unit": "us"},
    {"name": "BM_b", "run_type": "iter)");

  std::vector<Row> rows;
  const Streamed rest = read_rows(path, [&](Row&& row, bool) { rows.push_back(std::move(row)); });

  EXPECT_TRUE(rest.foreign);
  EXPECT_TRUE(rest.context.run.interrupted);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_THAT(rows[0].main_series()->samples_s, ::testing::ElementsAre(::testing::DoubleNear(5e-6, 1e-18)));
}

TEST(ReadRows, RefusesABrokenFileOfOursAsOurs) {
  const std::string text = to_json(random_results(3));
  const std::filesystem::path path = file_with("cut.json", text.substr(0, text.size() - 40));

  EXPECT_THROW(read_rows(path, [](Row&&, bool) {}), files::ReadError);
}

TEST(ReadRows, RefusesWhatIsWrongBeforeTheFirstRowOfAFileOfOurs) {
  ResultSet results;
  results.context.host.logical_cpus = 8;
  Row& row = results.rows.emplace_back();
  row.name = "a/b";
  row.series.emplace_back().samples_s = {1e-6};
  const std::string text = to_json(results);
  for (const char* key : {"\"num_cpus\"", "\"real_time\"", "\"status\""}) {
    std::string twice = text;
    twice.insert(text.find(key), std::string(key) + ": 1, ");

    EXPECT_THROW(read_rows(file_with("twice.json", twice), [](Row&&, bool) {}), files::ReadError) << key;
  }
}

}  // namespace
}  // namespace cupel::record
