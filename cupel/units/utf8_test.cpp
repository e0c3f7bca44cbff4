#include "cupel/units/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cupel/units/colour.hpp"

namespace cupel::units {
namespace {

TEST(CharacterLength, IsThatOfTheFirstAndLastOfEachLength) {
  EXPECT_EQ(character_length("a\xc3"), 1u);
  EXPECT_EQ(character_length("\xc2\x80"), 2u);
  EXPECT_EQ(character_length("\xdf\xbf"), 2u);
  EXPECT_EQ(character_length("\xe0\xa0\x80"), 3u);
  EXPECT_EQ(character_length("\xef\xbf\xbf"), 3u);
  EXPECT_EQ(character_length("\xf0\x90\x80\x80"), 4u);
  EXPECT_EQ(character_length("\xf4\x8f\xbf\xbf"), 4u);
}

TEST(CharacterLength, IsNoneOfWhatIsNotWellFormed) {
  for (const char* text : {"", "\x80", "\xc1\xbf", "\xc3", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
                           "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf0\x9d\x84"}) {
    EXPECT_EQ(character_length(text), 0u) << text;
  }
}

TEST(ToUtf8, ReplacesEachByteThatIsNone) {
  EXPECT_EQ(to_utf8("a\xff\xc3\xb6\xe2\x82z"), "a\xef\xbf\xbd\xc3\xb6\xef\xbf\xbd\xef\xbf\xbdz");
  EXPECT_EQ(to_utf8("\xf0\x9d\x84"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(BytesOfColumns, TakesWholeCharacters) {
  EXPECT_EQ(bytes_of_columns("\xc2\xb5s", 1), 2u);
  EXPECT_EQ(bytes_of_columns("\xc2\xb5s", 9), 3u);
  EXPECT_EQ(bytes_of_columns("ab", 0), 0u);
  EXPECT_EQ(display_width("\xc2\xb5s"), 2u);
  EXPECT_EQ(display_width("a " + in_colour("red", Colour::red) + " word"), 10u);
  EXPECT_EQ(display_width("a\x1b"), 1u);
}

TEST(Visible, ShowsControlCharactersAndWhatReordersText) {
  EXPECT_EQ(visible("a\x1b[31mb\nc\td\r\x7f"), "a\\x1b[31mb\\nc\\td\\r\\x7f");
  EXPECT_EQ(visible("\u0085 \u202egnp\u200b \ufeff"), "\\x85 \\u{202e}gnp\\u{200b} \\u{feff}");
}

TEST(Visible, ShowsBytesThatAreNotUtf8AndKeepsLetters) {
  EXPECT_EQ(visible("\xff\xc3 \xed\xa0\x80"), "\\xff\\xc3 \\xed\\xa0\\x80");
  EXPECT_EQ(visible("µs 日本 😀"), "µs 日本 😀");
}

TEST(Visible, ChangesNothingTheSecondTime) {
  const std::string once = visible("\x1b]0;title\x07\n\u202e");

  EXPECT_EQ(visible(once), once);
}

TEST(Visible, IsLinearInALengthOfAMegabyte) {
  const std::string name(1 << 20, '\x1b');

  EXPECT_EQ(visible(name).size(), 4u << 20);
  EXPECT_EQ(shorten(visible(name), 8), "\\x1b\\x1b... (4194304 bytes)");
}

TEST(Shorten, CutsBetweenCodePoints) {
  EXPECT_EQ(shorten("µµµ", 3), "µµµ");
  EXPECT_EQ(shorten("µµµ", 2), "µµ... (6 bytes)");
}

}  // namespace
}  // namespace cupel::units
