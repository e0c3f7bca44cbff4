#include "cupel/record/scan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "cupel/record/parse.hpp"
#include "cupel/stats/random.hpp"

namespace cupel::record::detail {
namespace {

using ::testing::HasSubstr;

// A text that comes in pieces of a few bytes.
Parsed parse_in_pieces(const std::string& text, std::size_t piece) {
  std::size_t given = 0;
  Text pieces([&](char* room, std::size_t size) {
    const std::size_t count = std::min({piece, size, text.size() - given});
    std::memcpy(room, text.data() + given, count);
    given += count;
    return count;
  });
  return parse(pieces);
}

double number(const std::string& text) {
  const Parsed parsed = parse("[" + text + "]");
  EXPECT_EQ(parsed.error, "") << text;
  return parsed.value.as<Numbers>()->front();
}

TEST(Scan, ReadsTheSameTreeInPiecesOfAnySize) {
  const std::string text =
      "{\"name\": \"a \\u00b5 \\ud83d\\ude00 \u00e9\\n\", \"list\": [1, -2.5e-3, 12345678901234567890, [true, false, "
      "null]], \"empty\": [{}, [], \"\"]}\n";
  const std::string whole = dump(parse(text).value);

  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const Parsed parsed = parse_in_pieces(text, piece);

    EXPECT_EQ(parsed.error, "");
    EXPECT_EQ(dump(parsed.value), whole) << "in pieces of " << piece;
  }
}

TEST(Scan, ReadsAStringThatIsLongerThanAPiece) {
  const std::string name(1 << 20, 'x');

  const Parsed parsed = parse_in_pieces("[\"" + name + "\"]", 4096);

  EXPECT_EQ(*parsed.value.as<Array>()->front().as<std::string>(), name);
}

TEST(Scan, RoundsNumbersCorrectly) {
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(number("5e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(number("9007199254740993.0"), 9007199254740992.0);
  EXPECT_EQ(number("2.2250738585072011e-308"), 2.2250738585072011e-308);
}

TEST(Scan, TakesWhatIsTooSmallForZeroAndRefusesWhatIsTooLarge) {
  EXPECT_EQ(number("1e-999"), 0.0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(number("0e999"), 0.0);
  for (const std::string& text : {std::string("1e999"), "1" + std::string(400, '0'), std::string("-2e308")}) {
    EXPECT_THAT(parse("[" + text + "]").error, HasSubstr("number overflow")) << text;
  }
}

TEST(Scan, SaysWhereTheTextIsWrongAlsoInPieces) {
  const std::string text = "{\n  \"a\": 1,\n  \"b\": tru\n}";

  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, text.size()}) {
    EXPECT_EQ(parse_in_pieces(text, piece).error, "/b: parse error at line 3, column 8: a value is due");
  }
}

TEST(Scan, TellsACutFromAFault) {
  const std::string text = R"({"a": [1.5e3, "b\n", true], "c": {"d": null}})";

  for (std::size_t length = 1; length < text.size(); ++length) {
    EXPECT_TRUE(parse(text.substr(0, length)).cut_short) << text.substr(0, length);
  }
  EXPECT_FALSE(parse(R"({"a": 01})").cut_short);
}

// The same text is refused or taken, and to the same value, as by a parser that thousands use.
TEST(Scan, AgreesWithAnotherParserOnMutatedTexts) {
  const std::string seeds[] = {
      R"({"a": [1, 2.5, -3e-7, 0], "b": {"c": "x\u00e9\\\"\ud834\udd1e", "d": null}, "e": [true, false]})",
      R"([[], {}, "", [[1], "\/\b\f\n\r\t"], 18446744073709551615, -9223372036854775808, 1E+2])",
      "[\"\u00b5\", 0.1, 1e22, 123456789012345678]"};
  const std::string alphabet = "{}[]\",:\\ntfu0123456789.-+eE \n\x80\xc3";
  stats::Random random(5);

  int taken = 0;
  for (int round = 0; round < 30000; ++round) {
    std::string text = seeds[random.below(3)];
    for (std::size_t changes = random.below(3); changes > 0; --changes) {
      const std::size_t at = random.below(text.size());
      const char c = alphabet[random.below(alphabet.size())];
      switch (random.below(3)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, 1);
      }
    }
    const nlohmann::json other = nlohmann::json::parse(text, nullptr, false);
    const Parsed parsed = parse(text, nullptr, Duplicates::first_counts);
    const bool is_duplicate = !other.is_discarded() && !parse(text).error.empty();
    ASSERT_EQ(parsed.error.empty(), !other.is_discarded()) << text << "\n" << parsed.error;
    if (!other.is_discarded() && !is_duplicate) {
      ++taken;
      EXPECT_EQ(nlohmann::json::parse(dump(parsed.value)), other) << text;
    }
  }
  EXPECT_GT(taken, 3000);
}

}  // namespace
}  // namespace cupel::record::detail
