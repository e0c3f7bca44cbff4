// The rows that are read straight from a text, against those that nlohmann's parser and the tree give of the same.
#include "cupel/record/canonical.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "cupel/record/entry.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/random_results.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::record {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// A file of random results whose strings are plain ASCII.
std::string plain_file(std::uint64_t seed) {
  return std::regex_replace(to_json(random_results(seed)), std::regex(R"(\\(u[0-9a-f]{4}|.))"), "e");
}

// The same file, of which each row has an escape: none of them is canonical.
std::string escaped(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(\{"name":"n)"), R"({"name":"\u006e)");
}

// The results, or the error without its column, which an escape moves.
std::pair<ResultSet, std::string> outcome(const std::string& text) {
  try {
    return {from_json(text, "file"), ""};
  } catch (const files::ReadError& error) {
    return {{}, std::regex_replace(std::string(error.what()), std::regex("column \\d+|last read: .*"), "")};
  }
}

std::string one_row() {
  Row row;
  row.name = "a/b/n:1";
  row.params = {{"n", "1"}};
  row.counters["x"] = {2, "", Better::none, false};
  row.series.emplace_back().samples_s = {1e-6, 2e-6};
  return detail::line(detail::write_row(row, {}));
}

std::string file_of(const std::string& rows) {
  return R"({"context": {"cupel": {"schema": {"major": 1, "minor": 4}}}, "benchmarks": [)" + rows + "]}";
}

std::string error_of(const std::string& text) { return outcome(text).second; }

TEST(Canonical, TakesARowThatAnotherFollows) {
  const std::string text = one_row() + ",\n";
  Row row;

  EXPECT_EQ(detail::read_canonical_row(text + "{", row).size, text.size());
  EXPECT_EQ(row.series.at(0).samples_s, (std::vector<double>{1e-6, 2e-6}));
  for (const std::string& wrong : {one_row() + "]", one_row() + ",]", one_row() + ",,{", one_row() + "{", "," + text})
    EXPECT_EQ(detail::read_canonical_row(wrong, row = {}).size, 0u) << wrong;
}

TEST(Canonical, SaysThatItRanOutWhereverTheTextIsCut) {
  const std::string text = one_row() + ",\n{";
  for (std::size_t size = 0; size < text.size(); ++size) {
    Row row;
    const detail::Taken taken = detail::read_canonical_row(text.substr(0, size), row);

    EXPECT_EQ(taken.size, 0u) << size;
    EXPECT_TRUE(taken.ran_out) << size;
  }
}

TEST(Canonical, RefusesANumberThatIsNoneOfJson) {
  for (const char* wrong : {"01", "-", "1.", "1.e5", ".5", "1e", "1e+", "+1", "0x1", "inf", "nan", "1e400", "--1"}) {
    const std::string text = std::regex_replace(one_row() + ",\n{", std::regex("1e-06"), wrong);
    Row row;
    ASSERT_NE(text, one_row() + ",\n{");

    EXPECT_EQ(detail::read_canonical_row(text, row).size, 0u) << wrong;
  }
}

TEST(Canonical, RefusesACounterThatTheRowDoesNotHaveOrHasTwice) {
  for (const std::string wrong : {R"("y":2.0,)", R"("x":2.0,"x":2.0,)", R"("x":"2",)", R"("name":2.0,"x":2.0,)"}) {
    const std::string text = std::regex_replace(one_row(), std::regex(R"("x":2\.0,"cupel")"), wrong + R"("cupel")");
    Row row;
    ASSERT_NE(text, one_row());
    EXPECT_EQ(detail::read_canonical_row(text + ",{", row).size, 0u) << wrong;
  }
}

TEST(Canonical, GivesTheSameRowsAsTheTree) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::string text = plain_file(seed);
    EXPECT_EQ(outcome(text), outcome(escaped(text))) << seed;
  }
}

TEST(Canonical, GivesTheSameRowsOrTheSameErrorAsTheTreeWhateverIsWrong) {
  constexpr std::string_view kOthers = "\"\\,:{}[] \n0-.e1nt\x01\x7f\xc3";
  stats::Random random(1);
  for (int turn = 0; turn < 500; ++turn) {
    std::string text = plain_file(1 + random.below(40));
    const std::size_t rows = text.find("\"benchmarks\": ["), place = rows + random.below(text.size() - rows);
    if (random.below(3) == 0) {
      text.erase(place, 1 + random.below(8));
    } else {
      text[place] = kOthers[random.below(kOthers.size())];
    }
    EXPECT_EQ(outcome(text), outcome(escaped(text))) << text;
  }
}

TEST(Canonical, LeavesLineAndColumnOfALaterErrorAsTheyAre) {
  const std::string row = one_row(), other = std::regex_replace(row, std::regex("name"), "\\u006eame");
  for (const std::string& before :
       {"\n" + row + ",\n" + row + ",\n", row + ", " + row + ", ", row + ",\n \n" + row + ", ",
        "\n" + row + ",\n" + row + ",", "\n\n " + row + ",\n" + other + ",\n" + row + ",\n"}) {
    const std::string text = file_of(before + R"({"name": x}, )" + row), read = text.substr(0, text.find(": x}") + 2);
    const std::string place = "line " + std::to_string(1 + std::ranges::count(read, '\n')) + ", column " +
                              std::to_string(read.size() - (read.rfind('\n') + 1) + 1) + ":";
    EXPECT_THAT([&] { from_json(text, "file"); }, ThrowsMessage<files::ReadError>(HasSubstr(place))) << text;
  }
}

TEST(Canonical, RefusesRowsThatNoCommaOrTwoPart) {
  const std::string row = one_row();
  for (const std::string& rows : {row + ",", row + "," + row + ",", row + ",\n" + row + ",\n", row + "\n" + row,
                                  row + ",," + row, "," + row, row + "\n,\n,\n" + row, row + "}\n," + row})
    EXPECT_THAT(error_of(file_of(rows)), HasSubstr("parse error")) << rows;
}

TEST(Canonical, NamesARowByItsPlaceAmongAll) {
  const std::string row = one_row();
  EXPECT_THAT(error_of(file_of(row + ",\n" + row + R"(,{"name": ""}, )" + row)), HasSubstr("/benchmarks/2/name"));
}

}  // namespace
}  // namespace cupel::record
