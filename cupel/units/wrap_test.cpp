#include "cupel/units/wrap.hpp"

#include <gtest/gtest.h>

namespace cupel::units {
namespace {

TEST(Wrap, BreaksAtSpacesAndIndentsTheRest) {
  EXPECT_EQ(wrap("one two three four five six", 16), "one two three\n        four\n        five six");
  EXPECT_EQ(wrap("short", 16), "short");
  EXPECT_EQ(wrap_lines("short\none two three four\n", 16), "short\none two three\n        four\n");
}

TEST(Wrap, KeepsTheSpacesThatTheFirstRowBeginsWith) {
  EXPECT_EQ(wrap("    one two three four", 12, 4), "    one two\n    three\n    four");
  EXPECT_EQ(wrap("    ab/cdefghijkl", 12, 4), "    ab/\n    cdefghij\n    kl");
}

TEST(Wrap, CutsALongWordBetweenCodePoints) {
  const std::string umlauts = "\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4";  // eight columns, sixteen bytes
  EXPECT_EQ(wrap(umlauts, 16), umlauts);
  EXPECT_EQ(wrap(umlauts + umlauts + umlauts, 16), umlauts + umlauts + "\n        " + umlauts);
}

}  // namespace
}  // namespace cupel::units
