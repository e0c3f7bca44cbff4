#include "cupel/record/google_benchmark.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cupel/record/json.hpp"

namespace cupel::record {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string file_with(const std::string& rows) {
  return R"({"context": {"executable": "./a/bench"}, "benchmarks": [)" + rows + "]}";
}

// A file that Google Benchmark itself wrote.
std::string fixture(const std::string& version) {
  std::ostringstream out;
  out << std::ifstream(std::string(CUPEL_RECORD_FIXTURES) + "/google/" + version + ".json").rdbuf();
  return out.str();
}

const Row& row_named(const ResultSet& results, const std::string& name) {
  for (const Row& row : results.rows) {
    if (row.name == name) {
      return row;
    }
  }
  throw std::out_of_range("no row " + name);
}

std::string error_of(const std::string& text) {
  try {
    from_google_benchmark(text, "file.json");
  } catch (const files::ReadError& error) {
    return error.what();
  }
  return "";
}

class GoogleBenchmarkFile : public ::testing::TestWithParam<const char*> {};

TEST_P(GoogleBenchmarkFile, IsReadWithItsRepetitionsAsSamples) {
  const ResultSet results = from_google_benchmark(fixture(GetParam()), "test");

  const Row& copy = row_named(results, "copy/bytes:65536");
  EXPECT_EQ(copy.family, "copy");
  EXPECT_THAT(copy.params, ElementsAre(std::pair<std::string, std::string>("bytes", "65536")));
  ASSERT_THAT(copy.series, SizeIs(1));
  EXPECT_THAT(copy.main_series()->samples_s, SizeIs(3));
  EXPECT_GT(copy.main_series()->calls_per_sample, 1);
  EXPECT_GT(copy.main_series()->samples_s[0], 1e-7);
  EXPECT_LT(copy.main_series()->samples_s[0], 1e-2);
  EXPECT_EQ(copy.note, "memcpy");
  EXPECT_EQ(copy.counters.at("size").value, 65536);
  EXPECT_EQ(copy.counters.count("nothing"), 0U);  // NaN in the file
  EXPECT_EQ(copy.counters.count("ratio"), 0U);    // Infinity
  EXPECT_EQ(copy.counters.at("bytes_per_second").unit, "bytes/s");
  EXPECT_DOUBLE_EQ(row_named(results, "manual").main_series()->samples_s[0], 1e-3);
  EXPECT_THAT(row_named(results, "thr/threads:2").main_series()->samples_s, SizeIs(1));
  EXPECT_EQ(row_named(results, "fails").status, Status::failed);
  EXPECT_EQ(row_named(results, "fails").reason, "no such device");
  EXPECT_THAT(row_named(results, "on/1024").main_series()->samples_s, SizeIs(1));
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.name.find("BigO"), std::string::npos);
  }
}

TEST_P(GoogleBenchmarkFile, CutAnywhereKeepsTheCompleteRows) {
  const std::string text = fixture(GetParam());
  const std::size_t whole = from_google_benchmark(text, "test").rows.size();
  std::size_t most = 0;

  for (std::size_t length = 0; length < text.rfind(']'); length += 61) {
    try {
      const ResultSet results = from_google_benchmark(text.substr(0, length), "test");
      ASSERT_GE(results.rows.size(), most);
      ASSERT_LE(results.rows.size(), whole);
      ASSERT_TRUE(results.context.run.interrupted);
      ASSERT_THAT(results.context.run.notes.at("file"), HasSubstr("cut short after "));
      most = results.rows.size();
    } catch (const files::ReadError&) {
      ASSERT_EQ(most, 0U) << length;  // not one row yet
    }
  }

  EXPECT_GE(most, whole - 1);
}

INSTANTIATE_TEST_SUITE_P(Of, GoogleBenchmarkFile, ::testing::Values("1.7.1", "1.9.1"), [](const auto& version) {
  std::string name = version.param;
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(GoogleBenchmark, TellsSkippedFromFailedInBothStyles) {
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a", "error_occurred": true, "error_message": "x\ny", "real_time": 0.0},
                                         {"name": "b", "skipped": true, "skip_message": "not here"})"),
      "test");

  EXPECT_EQ(results.rows[0].status, Status::failed);
  EXPECT_EQ(results.rows[0].reason, "x y");
  EXPECT_EQ(results.rows[1].status, Status::skipped);
  EXPECT_EQ(results.rows[1].reason, "not here");
  EXPECT_EQ(row_named(from_google_benchmark(fixture("1.9.1"), "test"), "skips").status, Status::skipped);
}

TEST(GoogleBenchmark, ReadsNumbersOfALocaleAndEveryUnit) {
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a", "iterations": 1,234,567, "real_time": 2,5000e+00, "time_unit": "us"},
                   {"name": "b", "iterations": 1,000, "real_time": 2.5, "cpu_time": -NaN, "time_unit": "ms", "x": [1,200]},
                   {"name": "c", "real_time": 3, "time_unit": "s"}, {"name": "d", "real_time": 4})"),
      "test");

  EXPECT_EQ(results.rows[0].main_series()->calls_per_sample, 1234567);
  EXPECT_DOUBLE_EQ(results.rows[0].main_series()->samples_s[0], 2.5e-6);
  EXPECT_EQ(results.rows[1].main_series()->calls_per_sample, 1000);
  EXPECT_DOUBLE_EQ(results.rows[1].main_series()->samples_s[0], 2.5e-3);
  EXPECT_DOUBLE_EQ(results.rows[2].main_series()->samples_s[0], 3);
  EXPECT_DOUBLE_EQ(results.rows[3].main_series()->samples_s[0], 4e-9);
}

TEST(GoogleBenchmark, KeepsWholeNamesWhereCanonicalOnesMeet) {
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a/iterations:1", "real_time": 1}, {"name": "a/iterations:9", "real_time": 2},
                   {"name": "b/iterations:1", "repetition_index": 0, "real_time": 3},
                   {"name": "b/iterations:1", "repetition_index": 1, "real_time": 4})"),
      "test");

  ASSERT_THAT(results.rows, SizeIs(3));
  EXPECT_EQ(results.rows[0].name, "a/iterations:1");
  EXPECT_EQ(results.rows[1].name, "a/iterations:9");
  EXPECT_EQ(results.rows[2].name, "b");
  EXPECT_THAT(results.rows[2].main_series()->samples_s, SizeIs(2));
}

TEST(GoogleBenchmark, ANegativeTimeIsNone) {
  const ResultSet results = from_google_benchmark(file_with(R"({"name": "a", "real_time": -1})"), "test");

  EXPECT_EQ(results.rows[0].status, Status::failed);
  EXPECT_TRUE(results.rows[0].series.empty());
  EXPECT_TRUE(validate(to_json(results)).empty());
}

TEST(GoogleBenchmark, NeitherATimeThatIsNotFiniteNorOneFailedRepetitionIsATime) {
  const ResultSet results =
      from_google_benchmark(file_with(R"({"name": "a", "real_time": NaN}, {"name": "b", "real_time": 1},
                   {"name": "b", "error_occurred": true, "error_message": "late"})"),
                            "test");

  EXPECT_EQ(results.rows[0].status, Status::failed);
  EXPECT_EQ(results.rows[1].status, Status::failed);
  EXPECT_EQ(results.rows[1].reason, "late");
  EXPECT_TRUE(results.rows[1].series.empty());
}

TEST(GoogleBenchmark, MakesNamesFitToPrintRatherThanRefuseThem) {
  const ResultSet results =
      from_google_benchmark(file_with("{\"name\": \"a\x1b[31m\xff\", \"real_time\": 1, \"name\": \"twice\"}"), "test");

  EXPECT_EQ(results.rows[0].name, "a [31m\xef\xbf\xbd");
}

TEST(GoogleBenchmark, TakesAnAggregateWhereTheFileHasNoRepetitions) {
  const ResultSet results = from_google_benchmark(file_with(R"({"name": "a", "real_time": 5},
        {"name": "b_mean", "run_name": "b", "run_type": "aggregate", "aggregate_name": "mean", "real_time": 3},
        {"name": "b_median", "run_name": "b", "run_type": "aggregate", "aggregate_name": "median", "real_time": 2},
        {"name": "b_cv", "run_name": "b", "run_type": "aggregate", "aggregate_name": "cv", "real_time": 0.1},
        {"name": "a_median", "run_name": "a", "run_type": "aggregate", "aggregate_name": "median", "real_time": 9})"),
                                                  "test");

  ASSERT_THAT(results.rows, SizeIs(2));
  EXPECT_THAT(row_named(results, "a").series.at(0).samples_s, ElementsAre(5e-9));
  EXPECT_THAT(row_named(results, "b").series.at(0).samples_s, ElementsAre(2e-9));
  EXPECT_EQ(row_named(results, "b").note, "the median of repetitions that the file does not have");
}

// Rows of one name: how many benchmarks they are of.
std::size_t benchmarks_in(const std::string& rows) {
  const ResultSet results = from_google_benchmark(file_with(rows), "test");
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.name, "a");
    EXPECT_EQ(row.process, 0);
    EXPECT_EQ(row.status, Status::ok);
  }
  return results.rows.size();
}

TEST(GoogleBenchmark, KeepsEachBenchmarkOfANameThatOccursTwice) {
  EXPECT_EQ(benchmarks_in(R"({"name": "a", "repetition_index": 0, "real_time": 5},
                             {"name": "a", "repetition_index": 1, "real_time": 5},
                             {"name": "a", "repetition_index": 0, "real_time": 8})"),
            2U);
  EXPECT_EQ(benchmarks_in(R"({"name": "a", "family_index": 0, "repetition_index": 0, "real_time": 5},
                             {"name": "a", "family_index": 1, "repetition_index": 1, "real_time": 8})"),
            2U);
  EXPECT_EQ(benchmarks_in(R"({"name": "a", "run_type": "iteration", "repetitions": 1, "real_time": 5},
                             {"name": "a", "run_type": "iteration", "repetitions": 1, "real_time": 8})"),
            2U);
  EXPECT_EQ(
      benchmarks_in(R"({"name": "a", "threads": 1, "real_time": 5}, {"name": "a", "threads": 2, "real_time": 8})"), 2U);
  EXPECT_EQ(benchmarks_in(R"({"name": "a", "run_type": "iteration", "real_time": 5},
                             {"name": "a", "run_type": "iteration", "real_time": 8})"),
            2U);
}

TEST(GoogleBenchmark, KeepsEachBenchmarkOfANameThatOccursTwiceAmongAggregates) {
  const auto aggregate = [](const char* name, double time) {
    return std::string(R"({"name": "a_)") + name +
           R"(", "run_name": "a", "run_type": "aggregate", "aggregate_name": ")" + name + R"(", "real_time": )" +
           std::to_string(time) + "}";
  };

  EXPECT_EQ(benchmarks_in(aggregate("mean", 1) + "," + aggregate("median", 1) + "," + aggregate("mean", 3) + "," +
                          aggregate("median", 3)),
            2U);
  EXPECT_EQ(benchmarks_in(aggregate("mean", 1) + "," + aggregate("median", 1) + "," + aggregate("cv", 0)), 1U);
}

TEST(GoogleBenchmark, TellsRepetitionsOfOneBenchmarkFromSeveralOfOneNameBeforeOneFive) {
  const std::string repeated = R"({"name": "a", "iterations": 9, "real_time": 5},
      {"name": "a", "iterations": 9, "real_time": 6}, {"name": "a_mean", "iterations": 9, "real_time": 5.5},
      {"name": "a_median", "iterations": 9, "real_time": 5.5}, {"name": "a_stddev", "iterations": 9, "real_time": 0},
      {"name": "a_p90", "iterations": 9, "real_time": 6})";

  EXPECT_EQ(benchmarks_in(repeated), 1U);
  EXPECT_EQ(benchmarks_in(repeated + "," + repeated), 2U);
  EXPECT_EQ(benchmarks_in(
                R"({"name": "a", "iterations": 9, "real_time": 5}, {"name": "a", "iterations": 9, "real_time": 6})"),
            2U);
  EXPECT_EQ(benchmarks_in(
                R"({"name": "a", "iterations": 9, "real_time": 5}, {"name": "a", "iterations": 8, "real_time": 6})"),
            2U);
}

TEST(GoogleBenchmark, TakesNoSpreadForATimeBeforeOneFive) {
  const std::string alone = R"({"name": "a_mean", "iterations": 9, "real_time": 5},
      {"name": "a_median", "iterations": 9, "real_time": 4}, {"name": "a_stddev", "iterations": 9, "real_time": 0})";

  EXPECT_EQ(benchmarks_in(alone), 1U);
  EXPECT_EQ(benchmarks_in(alone + "," + alone), 2U);
  EXPECT_EQ(benchmarks_in(R"({"name": "a_mean", "real_time": 5}, {"name": "a_stddev", "real_time": 0})"), 1U);
  const ResultSet named_so =
      from_google_benchmark(file_with(R"({"name": "b_mean", "real_time": 5}, {"name": "b_stddev2", "real_time": 1},
          {"name": "c_BigO", "cpu_coefficient": 1, "real_coefficient": 1, "big_o": "N"}, {"name": "c_RMS", "rms": 0.1})"),
                            "test");
  EXPECT_THAT(named_so.rows, SizeIs(2));
}

TEST(GoogleBenchmark, TellsABenchmarkFromAStatisticOfTheOneWhoseNameItBeginsWith) {
  const auto repeated = [](const std::string& name) {
    const std::string begin = R"({"name": ")" + name, end = R"(", "iterations": 9, "real_time": 5})";
    return begin + end + "," + begin + end + "," + begin + "_mean" + end + "," + begin + "_stddev" + end;
  };
  const auto names_in = [](const std::string& rows) {
    std::vector<std::string> names;
    for (const Row& row : from_google_benchmark(file_with(rows), "test").rows) names.push_back(row.name);
    return names;
  };

  EXPECT_THAT(names_in(repeated("a") + "," + repeated("a_big") + "," + repeated("b")), ElementsAre("a", "a_big", "b"));
  EXPECT_THAT(names_in(repeated("a") + R"(, {"name": "a_big", "iterations": 7, "real_time": 5})"),
              ElementsAre("a", "a_big"));
  EXPECT_THAT(names_in(repeated("a") + R"(, {"name": "a_p90", "iterations": 9, "real_time": 5})"), ElementsAre("a"));
}

TEST(GoogleBenchmark, LosesNoRowForACounterOrATypeThatNamesSomethingElse) {
  const ResultSet results =
      from_google_benchmark(file_with(R"({"name": "a", "run_type": "iteration", "real_time": 5, "rms": 0.5},
                   {"name": "b", "real_time": 5, "big_o": 1},
                   {"name": "c", "run_type": "other", "real_time": 5},
                   {"name": "d", "run_name": "d", "run_type": "aggregate", "real_time": 5},
                   {"name": "e_cv", "run_name": "e", "run_type": "aggregate", "aggregate_name": "cv", "real_time": 1},
                   {"name": "e_RMS", "run_name": "e", "run_type": "aggregate", "aggregate_name": "RMS", "rms": 1})"),
                            "test");

  ASSERT_THAT(results.rows, SizeIs(5));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(results.rows[i].status, Status::ok) << results.rows[i].name;
  EXPECT_EQ(results.rows[4].name, "e");
  EXPECT_EQ(results.rows[4].reason, "the file has neither repetitions of it nor their mean or median");
}

TEST(GoogleBenchmark, BelievesAnyWordOfAnErrorAndHoldsItForWorseThanBeingSkipped) {
  const ResultSet results = from_google_benchmark(
      file_with(
          R"({"name": "a", "error_occurred": 1, "real_time": 5}, {"name": "b", "error_occurred": "true", "real_time": 5},
                   {"name": "c", "error_message": "lost", "real_time": 5}, {"name": "d", "skip_message": "none", "real_time": 5},
                   {"name": "e", "skipped": true, "skip_message": "none", "error_occurred": true, "error_message": "lost"},
                   {"name": "f", "skipped": true, "skip_message": "none", "repetition_index": 0},
                   {"name": "f", "error_occurred": true, "error_message": "lost", "repetition_index": 1},
                   {"name": "g", "error_occurred": false, "skipped": 0, "error_message": "once", "real_time": 5})"),
      "test");

  for (const char* name : {"a", "b", "c", "e", "f"}) EXPECT_EQ(row_named(results, name).status, Status::failed) << name;
  for (const char* name : {"c", "e", "f"}) EXPECT_EQ(row_named(results, name).reason, "lost") << name;
  EXPECT_EQ(row_named(results, "d").status, Status::skipped);
  EXPECT_EQ(row_named(results, "g").status, Status::ok);
}

TEST(GoogleBenchmark, LeavesOutRepetitionsThatWereSkippedWhereOthersRan) {
  const ResultSet results =
      from_google_benchmark(file_with(
                                R"({"name": "a", "skipped": true, "skip_message": "busy", "repetition_index": 0},
             {"name": "a", "real_time": 5, "repetition_index": 1}, {"name": "a", "real_time": 7, "repetition_index": 2},
             {"name": "b", "skipped": true, "skip_message": "none", "repetition_index": 0},
             {"name": "b", "skipped": true, "skip_message": "none", "repetition_index": 1})"),
                            "test");

  const Row& some = row_named(results, "a");
  EXPECT_EQ(some.status, Status::ok);
  EXPECT_THAT(some.series.at(0).samples_s, SizeIs(2));
  EXPECT_EQ(some.note, "1 of 3 repetitions skipped: busy");
  EXPECT_EQ(row_named(results, "b").status, Status::skipped);
}

TEST(GoogleBenchmark, TakesNoTimeThatCannotBe) {
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a", "real_time": 1e308}, {"name": "b", "real_time": 5e-324})"), "test");

  EXPECT_EQ(results.rows[0].reason, "the file has a time for it that cannot be");
  EXPECT_EQ(results.rows[1].reason, "the file has a time of 0 for it");
}

TEST(GoogleBenchmark, ATimeOfZeroIsNone) {
  const ResultSet results = from_google_benchmark(file_with(R"({"name": "a", "real_time": 0.0})"), "test");

  EXPECT_EQ(results.rows[0].status, Status::failed);
  EXPECT_EQ(results.rows[0].reason, "the file has a time of 0 for it");
}

ResultSet of_release(const std::string& release, const std::string& rows) {
  const std::string version = release.empty() ? "" : R"("library_version": ")" + release + "\"";
  return from_google_benchmark(R"({"context": {)" + version + R"(}, "benchmarks": [)" + rows + "]}", "test");
}

TEST(GoogleBenchmark, MakesGoodForReleasesThatDivideByThreads) {
  const std::string rows = R"({"name": "a/process_time/threads:4", "threads": 4, "real_time": 5, "cpu_time": 3},
      {"name": "b/threads:1", "threads": 1, "real_time": 5}, {"name": "c/threads:2", "real_time": 5, "cpu_time": 3})";

  for (const char* old : {"", "v1.8.4"}) {
    const ResultSet results = of_release(old, rows);
    EXPECT_DOUBLE_EQ(results.rows[0].main_series()->samples_s[0], 20e-9) << old;
    EXPECT_DOUBLE_EQ(results.rows[0].counters.at("cpu_time_s").value, 12e-9) << old;
    EXPECT_THAT(results.rows[0].note, HasSubstr("divides by the threads, times 4"));
    EXPECT_DOUBLE_EQ(results.rows[1].main_series()->samples_s[0], 5e-9) << old;
    EXPECT_DOUBLE_EQ(results.rows[2].main_series()->samples_s[0], 10e-9) << old;
    EXPECT_DOUBLE_EQ(results.rows[2].counters.at("cpu_time_s").value, 3e-9) << old;
  }
  const ResultSet newer = of_release("v1.9.4", rows);
  EXPECT_DOUBLE_EQ(newer.rows[0].main_series()->samples_s[0], 5e-9);
  EXPECT_EQ(newer.rows[0].note, "");
  const ResultSet unknown = of_release("unknown", rows);
  EXPECT_EQ(unknown.rows[0].clock, "of threads, by Google Benchmark unknown");
  EXPECT_EQ(unknown.rows[1].clock, "");
}

TEST(GoogleBenchmark, SaysWhoseTimeARowHasAndHowItIsPrinted) {
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a/8/manual_time", "real_time": 5}, {"name": "b/real_time", "real_time": 5})"), "test");

  EXPECT_EQ(results.rows[0].name, "a/8");
  EXPECT_EQ(results.rows[0].printed_name, "a/8/manual_time");
  EXPECT_EQ(results.rows[0].clock, "manual");
  EXPECT_EQ(results.rows[1].clock, "");
  EXPECT_EQ(from_json(to_json(results), "test").rows, results.rows);
}

TEST(GoogleBenchmark, ReadsWhatItSaysOfTheMachine) {
  const HostInfo host = from_google_benchmark(R"({"context": {"host_name": "n1", "num_cpus": 8, "mhz_per_cpu": 3,500,
      "cpu_scaling_enabled": true, "caches": [{"type": "Data", "level": 1, "size": 32768, "num_sharing": 2},
      {"type": "Data", "level": 1, "size": 32768, "num_sharing": 2}, {"type": "Unified", "level": 2, "size": 1048576}]},
      "benchmarks": [{"name": "a", "real_time": 1}]})",
                                              "test")
                            .context.host;

  EXPECT_EQ(host.name, "n1");
  EXPECT_EQ(host.logical_cpus, 8);
  EXPECT_DOUBLE_EQ(host.clock_hz, 3.5e9);
  EXPECT_EQ(host.caches, "L1 Data 32 KiB, L2 Unified 1 MiB");
  EXPECT_EQ(host.scaling, true);
}

TEST(GoogleBenchmark, KnowsNoNumberOfCpusThatCannotBe) {
  for (const char* cpus : {"-1", "0", "1e9", "\"8\"", "null", "99999999999"}) {
    const std::string text =
        std::string(R"({"context": {"num_cpus": )") + cpus + R"(}, "benchmarks": [{"name": "a", "real_time": 1}]})";
    EXPECT_EQ(from_google_benchmark(text, "test").context.host.logical_cpus, 0) << cpus;
  }
}

TEST(GoogleBenchmark, ReadsNumbersOfOtherLocales) {
  for (const char* whole :
       {"1234567", "1,234,567", "1.234.567", "1'234'567", "1 234 567", "1\u00a0234\u00a0567", "1\u202f234\u202f567"}) {
    const ResultSet results = from_google_benchmark(
        file_with(std::string(R"({"name": "a", "iterations": )") + whole + R"(, "real_time": 2,5e+00})"), "test");
    EXPECT_EQ(results.rows[0].main_series()->calls_per_sample, 1234567) << whole;
    EXPECT_DOUBLE_EQ(results.rows[0].main_series()->samples_s[0], 2.5e-9) << whole;
  }
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a", "iterations": 1.000, "real_time": 1.234,5, "cpu_time": 1,234.5})"), "test");
  EXPECT_EQ(results.rows[0].main_series()->calls_per_sample, 1000);
  EXPECT_DOUBLE_EQ(results.rows[0].main_series()->samples_s[0], 1234.5e-9);
  EXPECT_DOUBLE_EQ(results.rows[0].counters.at("cpu_time_s").value, 1234.5e-9);
}

TEST(GoogleBenchmark, SaysThatATextIsUtf16OrUtf32) {
  const std::string plain = file_with(R"({"name": "a", "real_time": 1})");
  const std::string end = ", and JSON is UTF-8: write it with --benchmark_out=FILE";
  for (const std::size_t width : {2u, 4u}) {
    const std::string zeros(width - 1, '\0');
    std::string little, big;
    for (const char c : plain) {
      little += c + zeros;
      big += zeros + c;
    }
    const std::string little_mark = "\xff\xfe" + std::string(width - 2, '\0');
    const std::string big_mark = std::string(width - 2, '\0') + "\xfe\xff";

    for (const std::string& text : {little, big, little_mark + little, big_mark + big}) {
      EXPECT_EQ(error_of(text), "file.json: is UTF-" + std::to_string(8 * width) + end);
    }
  }
}

TEST(GoogleBenchmark, SaysThatMoreOfARateIsBetter) {
  const ResultSet results = from_google_benchmark(
      file_with(R"({"name": "a", "real_time": 1, "bytes_per_second": 5, "items_per_second": 6, "hits": 7})"), "test");

  EXPECT_EQ(results.rows[0].counters.at("bytes_per_second").better, Better::higher);
  EXPECT_EQ(results.rows[0].counters.at("items_per_second").better, Better::higher);
  EXPECT_EQ(results.rows[0].counters.at("hits").better, Better::none);
}

TEST(GoogleBenchmark, FileThatCannotBeUsedNamesTheField) {
  EXPECT_EQ(error_of("hello"), "file.json: there is no JSON in it");
  EXPECT_EQ(error_of(""), "file.json: is empty");
  EXPECT_EQ(error_of(R"({"benchmarks": []})"),
            "file.json: field /context: is missing: this is no result of cupel, nor of a Google Benchmark program");
  EXPECT_EQ(error_of(file_with(R"({"real_time": 1})")), "file.json: field /benchmarks/0/name: is missing");
  EXPECT_EQ(error_of(file_with(R"({"name": "a", "real_time": "1"})")),
            "file.json: field /benchmarks/0/real_time: must be a number, is a string");
  EXPECT_EQ(error_of(file_with(R"({"name": "a", "real_time": 1, "time_unit": "min"})")),
            "file.json: field /benchmarks/0/time_unit: must be one of ns, us, ms, s");
  EXPECT_THAT(
      error_of(file_with(R"({"name": "a_cv", "run_type": "aggregate", "aggregate_name": "cv", "real_time": 1})")),
      HasSubstr("holds aggregates only"));
  EXPECT_THAT(error_of(file_with(R"({"name": "a", "real_time": 1} garbage)")), HasSubstr("parse error"));
  EXPECT_EQ(error_of(file_with(R"({"name": "a", "real_time": 1}, null)")),
            "file.json: field /benchmarks: holds what is no benchmark: null");
  EXPECT_EQ(error_of(R"({"context": {}, "benchmarks": {"a": 1}})"),
            "file.json: field /benchmarks: must be a list, is an object");
}

}  // namespace
}  // namespace cupel::record
