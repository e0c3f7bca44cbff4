#include "cupel/record/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>

#include "cupel/record/json_text.hpp"
#include "cupel/record/random_results.hpp"

namespace cupel::record {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Row measured(const std::string& name, std::vector<double> samples_s) {
  Row row;
  row.name = name;
  row.series.emplace_back().samples_s = std::move(samples_s);
  return row;
}

// A whole file around one row, given as JSON.
std::string file_with(const std::string& row, const std::string& more_context = "") {
  return R"({"context": {"cupel": {"schema": {"major": 1, "minor": 0})" + more_context + R"(}}, "benchmarks": [)" +
         row + "]}";
}

std::string row_with(const std::string& cupel_fields) { return R"({"name": "a/b", "cupel": {)" + cupel_fields + "}}"; }

std::string error_of(std::string_view text) {
  try {
    from_json(text, "file.json");
  } catch (const files::ReadError& error) {
    return error.what();
  }
  return "";
}

TEST(Json, OfAnEmptyResultSetReadsBack) {
  const ResultSet empty;

  const ResultSet back = from_json(to_json(empty), "test");

  EXPECT_TRUE(back == empty);
}

TEST(Json, KeepsEveryFieldOfRandomResultsAndWritesTheSameTextAgain) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const ResultSet results = random_results(seed);

    const std::string text = to_json(results);
    ResultSet back = from_json(text, "test");

    back.context.run.whole_processes = std::nullopt;  // counted, no field
    ASSERT_TRUE(back == results) << "seed " << seed << "\n" << text;
    ASSERT_EQ(to_json(back), text) << "seed " << seed;
    ASSERT_THAT(validate(text), IsEmpty()) << "seed " << seed;
  }
}

// A file from before rows said so.
TEST(Json, KnowsWhatIsUnusualInFilesThatDoNotSay) {
  ResultSet results;
  for (const char* content : {"zeros", "normal"}) {
    Row& row = results.rows.emplace_back();
    row.name = std::string("gemm/inputs/content:") + content;
    row.params = {{"content", content}};
    row.series.emplace_back().samples_s = {1};
  }
  std::string text = to_json(results);
  const auto unusual = [&] {
    std::vector<std::string> found;
    for (const Row& row : from_json(text, "test").rows) found.push_back(row.unusual);
    return found;
  };

  EXPECT_EQ(unusual(), (std::vector<std::string>{"", ""}));
  const std::string minor = "\"minor\":" + std::to_string(kSchemaMinor);
  text.replace(text.find(minor), minor.size(), "\"minor\":2");
  EXPECT_EQ(unusual(), (std::vector<std::string>{kOfZeros, ""}));
}

TEST(Json, CountsTheProcessesOfARunThatDidNotComeToItsEnd) {
  ResultSet results;
  results.rows.push_back(measured("a/b", {1e-6}));
  results.context.run.started = "2026-11-20T07:00:00Z";
  results.context.run.processes = 5;
  const auto read_back = [&] { return processes_text(from_json(to_json(results), "test").context.run); };

  EXPECT_EQ(read_back(), "unfinished: 1 of 5 processes");
  results.context.run.finished = "2026-11-20T07:30:00Z";
  EXPECT_EQ(read_back(), "5 processes");
  results.context.run.interrupted = true;
  EXPECT_EQ(read_back(), "unfinished: 1 of 5 processes");
}

TEST(Json, IsTheSameInALocaleWithDecimalCommas) {
  const ResultSet results = random_results(7);
  const std::string expected = to_json(results);
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  const char* const c_locale = std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed

  const std::string text = to_json(results);
  const bool same = from_json(text, "test") == results;

  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_EQ(text, expected) << (c_locale != nullptr ? c_locale : "no C locale with commas here");
  EXPECT_TRUE(same);
}

TEST(Json, TimeIsTheInterQuartileMeanOfTheCorrectedSamplesInMicroseconds) {
  ResultSet results;
  results.rows = {measured("a/b", {2e-6, 3e-6, 4e-6, 9.0})};
  results.rows[0].series[0].correction_s = 1e-6;
  results.rows[0].workload.bytes_moved = 5;

  const auto row = nlohmann::json::parse(to_json(results)).at("benchmarks").at(0);

  // The middle half of 1, 2, 3 and 9e6 us is 2 and 3 us.
  EXPECT_EQ(row.at("real_time"), 2.5);
  EXPECT_EQ(row.at("time_unit"), "us");
  EXPECT_EQ(row.at("bytes_per_second"), 2000000);
}

TEST(Json, HasNoTokenForWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  ResultSet results;
  results.rows = {measured("a/b", {1e-6, nan, 2e-6, infinity, 3e-6})};
  Row& row = results.rows[0];
  row.series[0].round_sizes = {2, 3};
  row.counters = {{"kept", {1, "", Better::none, false}}, {"lost", {nan, "", Better::none, false}}};
  row.telemetry = Telemetry{};
  row.telemetry->power_w = infinity;
  row.limit = Limit{"link", "bytes", nan, ""};

  const ResultSet back = from_json(to_json(results), "test");

  EXPECT_THAT(back.rows[0].series[0].samples_s, ElementsAre(1e-6, 2e-6, 3e-6));
  EXPECT_THAT(back.rows[0].series[0].round_sizes, ElementsAre(1, 2));
  EXPECT_EQ(back.rows[0].counters.count("kept"), 1U);
  EXPECT_EQ(back.rows[0].counters.count("lost"), 0U);
  EXPECT_EQ(back.rows[0].telemetry->power_w, std::nullopt);
}

TEST(Json, RowOfNothingButNonFiniteSamplesHasNoTime) {
  ResultSet results;
  results.rows = {measured("a/b", {std::numeric_limits<double>::quiet_NaN()})};

  const std::string text = to_json(results);

  EXPECT_THAT(text, Not(HasSubstr("real_time")));
  EXPECT_TRUE(from_json(text, "test").rows[0].series[0].samples_s.empty());
}

TEST(Json, KeepsRowsWithoutATimeOutOfBenchmarksButInTheirPlace) {
  ResultSet results;
  for (const Status status : {Status::failed, Status::ok, Status::skipped, Status::ok, Status::failed}) {
    results.rows.push_back(measured("a/index:" + std::to_string(results.rows.size()), {1e-6}));
    results.rows.back().status = status;
    if (status != Status::ok) {
      results.rows.back().series.clear();
    }
  }

  const std::string text = to_json(results);

  const std::string benchmarks = text.substr(text.find("\"benchmarks\""));
  EXPECT_THAT(benchmarks, HasSubstr("a/index:1"));
  EXPECT_THAT(benchmarks, Not(HasSubstr("a/index:0")));
  EXPECT_TRUE(from_json(text, "test") == results);
}

TEST(Json, HasARowALine) {
  ResultSet results;
  results.rows = {measured("a/b", {1e-6}), measured("a/c", {1e-6})};

  const std::string text = to_json(results);

  EXPECT_THAT(text, HasSubstr("\n\"benchmarks\": [\n{\"name\":\"a/b\","));
  EXPECT_THAT(text, HasSubstr("},\n{\"name\":\"a/c\","));
  EXPECT_THAT(text, ::testing::EndsWith("}\n]\n}\n"));
}

TEST(Json, ProcessesAreGoogleBenchmarksRepetitions) {
  ResultSet results;
  results.context.run.processes = 3;
  results.rows = {measured("a/b", {1e-6}), measured("a/c", {1e-6}), measured("a/b", {2e-6})};
  results.rows[2].process = 2;

  const auto row = nlohmann::json::parse(to_json(results)).at("benchmarks").at(2);

  EXPECT_EQ(row.at("repetitions"), 3);
  EXPECT_EQ(row.at("repetition_index"), 2);
}

TEST(Json, WritesControlCharactersAsSpacesAndWrongBytesAsReplacementCharacters) {
  ResultSet results;
  results.rows = {measured("a/b", {1e-6})};
  results.rows[0].note = "red \x1b[31m\n\xc2\x9b end \xff";

  const ResultSet back = from_json(to_json(results), "test");

  EXPECT_EQ(back.rows[0].note, "red  [31m   end \xef\xbf\xbd");
}

TEST(Json, CounterNamedLikeAFieldOfGoogleBenchmarkDoesNotTakeItsPlace) {
  ResultSet results;
  results.rows = {measured("a/b", {1e-6})};
  results.rows[0].counters = {{"real_time", {5, "", Better::none, false}}, {"cupel", {6, "", Better::none, false}}};

  const ResultSet back = from_json(to_json(results), "test");

  EXPECT_TRUE(back == results);
}

TEST(Json, KeepsFieldsOfANewerMinorWhereTheyWere) {
  const std::string text = file_with(
      R"({"name": "a/b", "label": "x", "cupel": {"status": "ok", "later": {"deep": [1, "two"]}, "workload": {"tokens": 3},
                    "series": [{"mode": "hot", "samples_s": [1e-6], "spread": 0.5}]}})",
      R"(, "site": "here", "host": {"rack~/": 7})");

  const std::string again = to_json(from_json(text, "test"));
  const std::string third = to_json(from_json(again, "test"));

  const auto file = nlohmann::json::parse(again), row = file.at("benchmarks").at(0), ours = row.at("cupel");
  EXPECT_EQ(row.at("label"), "x");
  EXPECT_EQ(ours.at("later").dump(), R"({"deep":[1,"two"]})");
  EXPECT_EQ(ours.at("workload").at("tokens"), 3);  // in an object that has nothing else
  EXPECT_EQ(ours.at("series").at(0).at("spread"), 0.5);
  EXPECT_EQ(file.at("context").at("cupel").at("site"), "here");
  EXPECT_EQ(file.at("context").at("cupel").at("host").at("rack~/"), 7);
  EXPECT_EQ(third, again);
}

TEST(Json, ReadsTheSameWhateverTheOrderOfContextAndBenchmarks) {
  const std::string row = row_with(R"("status": "ok", "series": [{"mode": "hot", "samples_s": [1, 2]}])");

  const ResultSet results = from_json(
      R"({"benchmarks": [)" + row + R"(], "context": {"cupel": {"schema": {"major": 1, "minor": 0}}}})", "test");

  EXPECT_TRUE(results == from_json(file_with(row), "test"));
}

// The parser keeps what it has of a value, three times over: a file that is one value or all blanks would be held
// whole.
TEST(Json, RefusesAValueThatNobodyWrites) {
  for (const std::string& text :
       {"[" + std::string(20 << 20, ' '), "{\"context\": \"" + std::string(20 << 20, 'a') + "\"}"}) {
    try {
      from_json(text, "f");
      FAIL() << "was read";
    } catch (const files::ReadError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("longer than 16 MiB"));
    }
  }
}

// Lists of numbers are taken without nlohmann's parser.
std::string list_of(std::string_view text) {
  const detail::Parsed parsed = detail::parse(text);
  return parsed.error.empty() ? parsed.value.dump() : parsed.error;
}

TEST(Json, ReadsListsOfNumbersAsItsParserDoes) {
  const std::vector<std::string> numbers = {"0",
                                            "-0",
                                            "-0.0",
                                            "1",
                                            "-1",
                                            "10",
                                            "0.1",
                                            "1e5",
                                            "1E+5",
                                            "1e-5",
                                            "-2.5e-7",
                                            "1e-400",
                                            "4.9e-324",
                                            "2.2250738585072014e-308",
                                            "1.7976931348623157e308",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "-9223372036854775808",
                                            "-9223372036854775809",
                                            "18446744073709551615",
                                            "18446744073709551616",
                                            "123456789012345678901234567890",
                                            "7.0385531408479e-06",
                                            "0.30000000000000004",
                                            "9007199254740993.0",
                                            "5e-324",
                                            "2.4703282292062328e-324"};
  std::string all;
  for (const std::string& number : numbers) {
    all += (all.empty() ? "" : ",") + number;
    const std::string twice = "[" + number + "," + number + "]", nested = "[[" + number + "," + number + "],[1]]";
    EXPECT_EQ(list_of(twice), nlohmann::ordered_json::parse(twice).dump());
    EXPECT_EQ(list_of(nested), nlohmann::ordered_json::parse(nested).dump());
  }
  const detail::Json expected = nlohmann::ordered_json::parse("[" + all + "]"),
                     read = detail::parse("[" + all + "]").value;
  ASSERT_EQ(read, expected);
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].type(), expected[i].type()) << numbers[i];
    EXPECT_EQ(std::signbit(read[i].get<double>()), std::signbit(expected[i].get<double>())) << numbers[i];
  }
}

TEST(Json, ReadsNothingWithinStringsAsNumbers) {
  for (const std::string text :
       {R"(["[1,2,3"])", R"(["a[1,2","[",1,2])", R"([["[1,2,3",4,5],"]",[6,7]])", R"({"[1,2": [1,2], "b": "[3,4"})",
        R"(["\"[1,2,3"])", "[1,\n2,3]", "[1, 2, 3]", "[ 1,2]", "[1,2,true,3]", "[1,2,[3,4],5]", "[]", "[1]"}) {
    EXPECT_EQ(list_of(text), nlohmann::ordered_json::parse(text).dump());
  }
}

TEST(Json, RefusesInListsWhatIsNoNumber) {
  for (const std::string wrong :
       {"01", "-", "1.", ".5", "1e", "1e+", "+1", "0x1", "inf", "nan", "1e400", "-1e400", "1_0", "--1"}) {
    for (const std::string& text : {"[1," + wrong + ",2]", "[" + wrong + ",1,2]", "[1,2," + wrong + "]"})
      EXPECT_THAT(list_of(text), ContainsRegex("parse error|number overflow")) << text;
  }
  for (const std::string text : {"[1,2,]", "[1,2,", "[1,,2]", "[,1]", "[1,2", "[1,2}", "[1 2,3]", "[1,2]]"})
    EXPECT_THAT(list_of(text), ContainsRegex("parse error|number overflow")) << text;
}

TEST(Json, NamesLineAndColumnOfAnErrorBehindListsOfNumbers) {
  for (const std::string before : {"{\"a\": [", "{\"a\": [1,2,3],\n \"b\": [",
                                   "{\"a\": [1,2,3], \"b\": [[4,5],[6,7]], \"c\":[", "{\"a\": [[1,2,3],[\n4,5],["}) {
    const std::string text = before + "10,20,30,x]}", line = text.substr(0, text.find('x'));
    const std::string place = "at line " + std::to_string(1 + std::ranges::count(line, '\n')) + ", column " +
                              std::to_string(line.size() - (line.rfind('\n') + 1) + 1) + ":";
    EXPECT_THAT(list_of(text), HasSubstr(place)) << text;
  }
}

TEST(Json, TakesNullForAbsent) {
  const ResultSet results = from_json(file_with(row_with(R"("status": "ok", "limit": null, "note": null)")), "test");

  EXPECT_EQ(results.rows[0].limit, std::nullopt);
}

TEST(Json, ReadsAnyMinorOfItsMajor) {
  const ResultSet results =
      from_json(R"({"context": {"cupel": {"schema": {"major": 1, "minor": 9}}}, "benchmarks": []})", "test");

  EXPECT_EQ(results.context.schema_minor, 9);
  EXPECT_THAT(to_json(results), HasSubstr(R"("minor":9)"));
}

TEST(Json, RefusesANewerMajorByNameOfTheVersionThatReadsIt) {
  const std::string error =
      error_of(R"({"context": {"cupel": {"schema": {"major": 2, "minor": 0}}}, "benchmarks": []})");

  EXPECT_EQ(error,
            "file.json: field /context/cupel/schema/major: schema 2 is newer than this cupel's 1; read it with cupel "
            "2.0 or newer");
}

struct Wrong {
  const char* what;
  std::string text;
  const char* error;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.what; }

class WrongFile : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongFile, IsRefusedInOneLineWithFileAndField) {
  const std::string error = error_of(GetParam().text);

  EXPECT_THAT(error, StartsWith(std::string("file.json: ") + GetParam().error));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
  EXPECT_THAT(validate(GetParam().text), Not(IsEmpty()));
}

INSTANTIATE_TEST_SUITE_P(
    Json, WrongFile,
    ::testing::Values(
        Wrong{"empty", "", "is empty"}, Wrong{"blank", " \n", "parse error"}, Wrong{"number", "1", "must be an object"},
        Wrong{"list", "[]", "must be an object, is a list"}, Wrong{"no_context", "{}", "field /context: is missing"},
        Wrong{"google", R"({"context": {}, "benchmarks": []})",
              "field /context/cupel: is missing: not written by cupel"},
        Wrong{"no_schema", R"({"context": {"cupel": {}}, "benchmarks": []})",
              "field /context/cupel/schema: is missing"},
        Wrong{"schema_text", R"({"context": {"cupel": {"schema": "1.0"}}})",
              "field /context/cupel/schema: must be an object"},
        Wrong{"no_major", R"({"context": {"cupel": {"schema": {"minor": 0}}}})",
              "field /context/cupel/schema/major: is missing"},
        Wrong{"major_zero", R"({"context": {"cupel": {"schema": {"major": 0, "minor": 0}}}})",
              "field /context/cupel/schema/major: there is no schema 0"},
        Wrong{"no_benchmarks", R"({"context": {"cupel": {"schema": {"major": 1, "minor": 0}}}})",
              "field /benchmarks: is missing"},
        Wrong{"benchmark_number", file_with("1"), "field /benchmarks/0: must be an object, is a whole number"},
        Wrong{"benchmark_text", file_with("\"x\""), "field /benchmarks/0: must be an object"},
        Wrong{"no_name", file_with(R"({"cupel": {"status": "ok"}})"), "field /benchmarks/0/name: is missing"},
        Wrong{"empty_name", file_with(R"({"name": "", "cupel": {"status": "ok"}})"),
              "field /benchmarks/0/name: must not be empty"},
        Wrong{"name_number", file_with(R"({"name": 5, "cupel": {"status": "ok"}})"),
              "field /benchmarks/0/name: must be a string"},
        Wrong{"escape_in_name", file_with(R"({"name": "a\u001b[31m", "cupel": {"status": "ok"}})"),
              "field /benchmarks/0/name: holds a control character"},
        Wrong{"c1_in_note", file_with(row_with(R"("status": "ok", "note": "\u009b31m")")),
              "field /benchmarks/0/cupel/note: holds a control character"},
        Wrong{"escape_in_counter", file_with(row_with(R"("status": "ok", "counters": {"a\n": {"value": 1}})")),
              "field /benchmarks/0/cupel/counters/a : holds a control character"},
        Wrong{"not_ours", file_with(R"({"name": "a/b", "real_time": 1})"), "field /benchmarks/0/cupel: is missing"},
        Wrong{"status", file_with(row_with(R"("status": "good")")),
              "field /benchmarks/0/cupel/status: must be one of ok, skipped, failed"},
        Wrong{"no_status", file_with(row_with("")), "field /benchmarks/0/cupel/status: is missing"},
        Wrong{"failed_with_time",
              file_with(row_with(R"("status": "failed", "series": [{"mode": "hot", "samples_s": [1]}])")),
              "field /benchmarks/0/cupel/series: must be empty when status is failed"},
        Wrong{"negative_bytes", file_with(row_with(R"("status": "ok", "workload": {"bytes_read": -1})")),
              "field /benchmarks/0/cupel/workload/bytes_read: must not be negative"},
        Wrong{"huge_bytes", file_with(row_with(R"("status": "ok", "workload": {"bytes_read": 9223372036854775808})")),
              "field /benchmarks/0/cupel/workload/bytes_read: is too large"},
        Wrong{"huge_float_bytes", file_with(row_with(R"("status": "ok", "workload": {"items": 1e300})")),
              "field /benchmarks/0/cupel/workload/items: is too large"},
        Wrong{"half_item", file_with(row_with(R"("status": "ok", "workload": {"items": 0.5})")),
              "field /benchmarks/0/cupel/workload/items: must be a whole number"},
        Wrong{
            "bytes_overflow",
            file_with(row_with(R"("status": "ok", "workload": {"bytes_read": 9223372036854775807, "bytes_moved": 1})")),
            "field /benchmarks/0/cupel/workload: holds a number of bytes that is too large"},
        Wrong{"process", file_with(row_with(R"("status": "ok", "process": 2147483648)")),
              "field /benchmarks/0/cupel/process: is too large"},
        Wrong{"wall", file_with(row_with(R"("status": "ok", "wall_s": -1)")),
              "field /benchmarks/0/cupel/wall_s: must not be negative"},
        Wrong{"sample_text",
              file_with(row_with(R"("status": "ok", "series": [{"mode": "hot", "samples_s": [1, "x"]}])")),
              "field /benchmarks/0/cupel/series/0/samples_s/1: must be a number, is a string"},
        Wrong{"sample_null", file_with(row_with(R"("status": "ok", "series": [{"mode": "hot", "samples_s": [null]}])")),
              "field /benchmarks/0/cupel/series/0/samples_s/0: must be a number, is null"},
        Wrong{"no_samples", file_with(row_with(R"("status": "ok", "series": [{"mode": "hot"}])")),
              "field /benchmarks/0/cupel/series/0/samples_s: is missing"},
        Wrong{"calls",
              file_with(
                  row_with(R"("status": "ok", "series": [{"mode": "hot", "samples_s": [1], "calls_per_sample": 0}])")),
              "field /benchmarks/0/cupel/series/0/calls_per_sample: must be at least 1"},
        Wrong{
            "rounds",
            file_with(row_with(R"("status": "ok", "series": [{"mode": "hot", "samples_s": [1], "round_sizes": [2]}])")),
            "field /benchmarks/0/cupel/series/0/round_sizes: must add up"},
        Wrong{
            "ranks",
            file_with(row_with(
                R"("status": "ok", "series": [{"mode": "hot", "samples_s": [1, 2], "samples_by_rank_s": [[1, 2], [1]]}])")),
            "field /benchmarks/0/cupel/series/0/samples_by_rank_s: must have as many"},
        Wrong{
            "rounds_overflow",
            file_with(row_with(
                R"("status": "ok", "series": [{"mode": "hot", "samples_s": [1], "round_sizes": [9223372036854775807, 9223372036854775807, 3]}])")),
            "field /benchmarks/0/cupel/series/0/round_sizes: must add up"},
        Wrong{"nan_token", file_with(row_with(R"("status": "ok", "wall_s": NaN)")),
              "field /benchmarks/0/cupel/wall_s: parse error"},
        Wrong{"infinity_token", file_with(row_with(R"("status": "ok", "wall_s": -Infinity)")),
              "field /benchmarks/0/cupel/wall_s: parse error"},
        Wrong{"overflow", file_with(row_with(R"("status": "ok", "wall_s": 1e999)")),
              "field /benchmarks/0/cupel/wall_s: number overflow"},
        Wrong{"same_key", file_with(row_with(R"("status": "ok", "status": "failed")")),
              "field /benchmarks/0/cupel: the key \"status\" occurs twice"},
        Wrong{"trailing", file_with("") + "x", "parse error"},
        Wrong{"trailing_nul", file_with("") + std::string("\0x", 2), "parse error"},
        Wrong{"trailing_comma", R"({"context": {},})", "parse error"},
        Wrong{"comment", "/* hello */ {}", "parse error"}, Wrong{"nul", std::string("\0{}", 3), "parse error"},
        Wrong{"utf8", file_with(row_with("\"note\": \"\xff\"")), "field /benchmarks/0/cupel/note: parse error"},
        Wrong{"utf16", std::string("\xff\xfe{\0}\0", 6), "parse error"},
        Wrong{"surrogate", file_with(row_with(R"("note": "\ud800")")), "field /benchmarks/0/cupel/note: parse error"},
        Wrong{"deep", std::string(100000, '['), "field /0"},
        Wrong{"deep_objects", R"({"a":)" + std::string(64, '[') + "]", "field /a/0"}),
    [](const auto& wrong) { return wrong.param.what; });

// One row with everything, as text.
std::string small_file() {
  ResultSet results = random_results(5);
  results.rows.resize(1);
  return to_json(results);
}

TEST(Json, SaysThatAFileWasCutOffWhereItEndsTooEarly) {
  const std::string text = small_file(), cut_off = ": the text ends there, it was cut off";
  const std::size_t name = text.find("\"name\""), value = text.find('"', name + 6);

  for (const std::size_t length : {name, name + 3, value, value + 3, text.rfind('}')}) {
    EXPECT_THAT(error_of(text.substr(0, length)), EndsWith(cut_off)) << length;
  }
  EXPECT_THAT(error_of(text + "x"), Not(HasSubstr(cut_off)));
  EXPECT_THAT(error_of("{\"a\": tru"), EndsWith(cut_off));
  EXPECT_EQ(error_of(""), "file.json: is empty");
}

TEST(Json, RefusesEveryTruncationOfAFile) {
  const std::string text = small_file();

  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    ASSERT_THROW(from_json(std::string_view(text).substr(0, length), "test"), files::ReadError) << length;
  }
}

TEST(Json, WithOneByteChangedIsRefusedOrReadAsSomethingThatCanBeWritten) {
  const std::string text = small_file();
  int read = 0;
  int refused = 0;

  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char byte : {'\0', '"', '{', ']', '9', '-', '\x80', ','}) {
      std::string changed = text;
      changed[i] = byte;
      try {
        const ResultSet results = from_json(changed, "test");
        ++read;
        ASSERT_TRUE(from_json(to_json(results), "test") == results) << changed;
      } catch (const files::ReadError&) {
        ++refused;
      }
    }
  }

  EXPECT_GT(read, 20);
  EXPECT_GT(refused, 100);
}

TEST(Json, ReadsAVeryLongListQuicklyAndInLittleMemory) {
  std::string text = R"({"context": {"cupel": {"schema": {"major": 1, "minor": 0}}}, "zeros": [0)";
  for (int i = 0; i < 5'000'000; ++i) {
    text += ",0";
  }
  text += R"(], "benchmarks": []})";

  EXPECT_TRUE(from_json(text, "test").rows.empty());
}

TEST(Validate, FindsEveryViolation) {
  const std::string text =
      file_with(row_with(R"("status": "good", "wall_s": -1)") + "," + R"({"cupel": {"status": "ok"}})");

  const std::vector<std::string> found = validate(text);

  EXPECT_THAT(found, ElementsAre("field /benchmarks/0/cupel/status: must be one of ok, skipped, failed",
                                 "field /benchmarks/0/cupel/wall_s: must not be negative",
                                 "field /benchmarks/1/name: is missing"));
}

TEST(Validate, StopsAfterAThousandViolations) {
  std::string rows = "{}";
  for (int i = 0; i < 2000; ++i) {
    rows += ",{}";
  }

  EXPECT_EQ(validate(file_with(rows)).size(), 1000U);
}

}  // namespace
}  // namespace cupel::record
