#include "cupel/units/utf8.hpp"

#include <gtest/gtest.h>

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
}

}  // namespace
}  // namespace cupel::units
