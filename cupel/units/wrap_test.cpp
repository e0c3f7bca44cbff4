#include "cupel/units/wrap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::units {
namespace {

using testing::ElementsAre;

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

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("a-long-word b", 4), ElementsAre("a-lo", "ng-w", "ord", "b"));
  EXPECT_THAT(wrapped("at family/operation/size:1", 17), ElementsAre("at", "family/operation/", "size:1"));
  EXPECT_THAT(wrapped("by:in_the_order", 12), ElementsAre("by:in_the_", "order"));
  EXPECT_THAT(wrapped("by:firstofall", 10), ElementsAre("by:", "firstofall"));
  EXPECT_THAT(wrapped("", 4), ElementsAre(""));
}

}  // namespace
}  // namespace cupel::units
