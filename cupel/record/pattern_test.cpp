#include "cupel/record/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "cupel/stats/random.hpp"

namespace cupel::record {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kName = "transfer/h2d/memory:pinned/bytes:4096";

bool found(const std::string& pattern, const std::string& name) { return Pattern(pattern).matches(name); }

std::string refusal(const std::string& pattern) {
  try {
    const Pattern refused(pattern);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Pattern, IsSearchedAnywhereInAName) {
  EXPECT_TRUE(found("", kName));
  EXPECT_TRUE(found("h2d", kName));
  EXPECT_TRUE(found("^transfer/.*:4096$", kName));
  EXPECT_FALSE(found("^h2d", kName));
  EXPECT_FALSE(found("bytes:409$", kName));
  EXPECT_FALSE(found("d2h", kName));
}

TEST(Pattern, HasChoicesGroupsAndRepeats) {
  EXPECT_TRUE(found("/(?:d2h|h2d)/", kName));
  EXPECT_TRUE(found("bytes:[0-9]{4}$", kName));
  EXPECT_FALSE(found("bytes:[0-9]{5}", kName));
  EXPECT_FALSE(found("bytes:[0-9]{1,3}$", kName));
  EXPECT_TRUE(found("bytes:\\d{2,}$", kName));
  EXPECT_TRUE(found("memory:[^/]+?/bytes", kName));
  EXPECT_TRUE(found("(a|)b", "b"));
}

TEST(Pattern, HasEscapesSetsAndBoundaries) {
  EXPECT_TRUE(found("a\\.b", "a.b"));
  EXPECT_FALSE(found("a\\.b", "a-b"));
  EXPECT_TRUE(found("\\bpinned\\b", kName));
  EXPECT_FALSE(found("\\bpin\\b", kName));
  EXPECT_TRUE(found("\\Binn\\B", kName));
  EXPECT_TRUE(found("^[\\w:/]+$", kName));
  EXPECT_TRUE(found("[]a]$", "]"));
  EXPECT_TRUE(found("[a-]$", "-"));
  EXPECT_FALSE(found("a.b", "a\nb"));
  EXPECT_TRUE(found("^\\x74ransfer/[[:alnum:]]+/", kName));
  EXPECT_TRUE(found("(?i)H2D/MEMORY", kName));
  EXPECT_FALSE(found("H2D/MEMORY", kName));
  EXPECT_TRUE(found("a{2", "a{2"));
}

TEST(Pattern, IsMadeOfCharactersAndNotOfBytes) {
  EXPECT_TRUE(found("^.[äö]$", "→ö"));
  EXPECT_FALSE(found("^[äö]$", "ü"));
  EXPECT_TRUE(found("(?i)Ä", "ä"));
  EXPECT_FALSE(found("^..$", "ö"));
}

TEST(Pattern, LooksForWhatIsCharactersAmongBytesThatAreNone) {
  const std::string letter = "b";

  EXPECT_TRUE(found("b$", "\xff\xc3" + letter));
  EXPECT_FALSE(found("^.+b$", "\xff\xc3" + letter));
  EXPECT_TRUE(found("^a*", std::string(999, 'a') + "ö"));
  EXPECT_TRUE(found(std::string("a\0b", 3), std::string("aa\0bb", 5)));
  EXPECT_FALSE(found("b", {}));
}

// Patterns of users mean the same as in ECMAScript: all short names of few letters, against many patterns.
TEST(Pattern, FindsWhatTheStandardLibraryFinds) {
  stats::Random random(7);
  const auto below = [&](std::size_t most) { return random.below(most); };
  const auto pick = [&](auto... texts) {
    const char* const all[] = {texts...};
    return std::string(all[below(sizeof...(texts))]);
  };
  const auto part = [&](const auto& self, int depth) -> std::string {
    std::string text;
    for (std::size_t i = below(3) + 1; i > 0; --i) {
      if (below(8) == 0) {
        text += pick("^", "$", "\\b", "\\B");
      } else {
        text += depth > 0 && below(3) == 0 ? "(" + self(self, depth - 1) + ")" : pick("a", "b", ".", "[^a]", "[ab]");
        if (below(2) == 0) text += pick("*", "+", "?", "{2}", "{1,2}", "{0,}", "*?");
      }
    }
    return below(3) == 0 ? text + "|" + (depth > 0 ? self(self, depth - 1) : "a") : text;
  };
  std::vector<std::string> names{""};
  for (std::size_t i = 0; i < names.size() && names[i].size() < 4; ++i) {
    for (const char letter : {'a', 'b', '-'}) names.push_back(names[i] + letter);
  }

  int times_found = 0;
  for (int i = 0; i < 500; ++i) {
    const std::string text = part(part, 2);
    const std::regex reference(text);
    const Pattern pattern(text);
    for (const std::string& name : names) {
      const bool expected = std::regex_search(name, reference);
      times_found += expected ? 1 : 0;
      ASSERT_EQ(pattern.matches(name), expected) << "'" << text << "' in '" << name << "'";
    }
  }

  EXPECT_GT(times_found, 500);
}

// With std::regex the first of these does not end in the age of the universe.
TEST(Pattern, EndsSoonWhateverIsRepeated) {
  const std::string name = std::string(999, 'a') + "b";

  EXPECT_FALSE(found("(a+)+$", name));
  EXPECT_FALSE(found("^(a|a)*$", name));
  EXPECT_FALSE(found("(.*)*c", name));
  EXPECT_FALSE(found(".*.*.*.*.*.*.*.*c", name));
  EXPECT_FALSE(found("(a?){500}a{500}$", name));
  EXPECT_TRUE(found("(a+)+b$", name));
}

TEST(Pattern, LooksAtTheFirstThousandBytesOfAName) {
  EXPECT_FALSE(found("(a|b)*c", std::string(1 << 20, 'a') + "c"));
  EXPECT_TRUE(found("(a|b)*c", "aac" + std::string(1 << 20, 'a')));
}

TEST(Pattern, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(refusal("a("), "'a(' is no regular expression: a '(' is not closed");
  EXPECT_THAT(refusal("a)"), HasSubstr("a ')' closes nothing"));
  EXPECT_THAT(refusal("[a"), HasSubstr("a '[' is not closed"));
  EXPECT_EQ(refusal("[b-a]"), "'[b-a]' is no regular expression: invalid character class range: b-a");
  EXPECT_THAT(refusal("[[:alpa:]]"), HasSubstr("invalid character class range: [:alpa:]"));
  EXPECT_THAT(refusal("*a"), HasSubstr("no argument for repetition operator: *"));
  EXPECT_THAT(refusal("a**"), HasSubstr("bad repetition operator: **"));
  EXPECT_THAT(refusal("a{3,2}"), HasSubstr("invalid repetition size: {3,2}"));
  EXPECT_THAT(refusal("a{3,2}"), HasSubstr("the smaller number first"));
  EXPECT_THAT(refusal("a\\"), HasSubstr("trailing \\"));
  EXPECT_THAT(refusal("(?z)"), EndsWith("invalid perl operator: (?z"));
  EXPECT_THAT(refusal("\\y"), EndsWith("invalid escape sequence: \\y"));
  EXPECT_THAT(refusal("\xff"), HasSubstr("invalid UTF-8"));
}

TEST(Pattern, RefusesWhatItCannotSearchSoon) {
  EXPECT_EQ(refusal("a(?!b)"),
            "'a(?!b)' is no regular expression: invalid perl operator: (?! (looking ahead or behind is not supported)");
  EXPECT_THAT(refusal("(?<=a)b"), HasSubstr("looking ahead or behind is not supported"));
  EXPECT_THAT(refusal("(a)\\1"), HasSubstr("references to groups are not supported"));
  EXPECT_THAT(refusal("a{1001}"), HasSubstr("1000 at most"));
  EXPECT_THAT(refusal("((a{100}){100}){100}"), HasSubstr("repeats in repeats multiplied"));
  EXPECT_THAT(refusal("(\\pL\\pL){500}"), HasSubstr("too long, or repeats too much"));
  EXPECT_THAT(refusal(std::string(10000, '(')), HasSubstr("a '(' is not closed"));
  EXPECT_THAT(refusal(std::string(100000, '|') + "a"), HasSubstr("too long: more than 10000 bytes"));
}

TEST(Pattern, HasRoomForAHundredNames) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz";
  std::string names = "nothing";
  for (std::size_t i = 0; i < 100; ++i)
    names += "|" + std::to_string(i * 7919) + std::string(90, letters[i % letters.size()]);

  EXPECT_TRUE(found(names, std::to_string(99 * 7919) + std::string(90, 'v')));
  EXPECT_FALSE(found(names, std::to_string(99 * 7919) + std::string(90, 'w')));
}

}  // namespace
}  // namespace cupel::record
