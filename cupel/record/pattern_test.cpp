#include "cupel/record/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace cupel::record {
namespace {

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
  EXPECT_FALSE(found("[]", "]"));
  EXPECT_TRUE(found("[a-]$", "-"));
  EXPECT_FALSE(found("a.b", "a\nb"));
}

// Where std::regex is right it is slow only on long names: all short names of few letters, against many patterns.
TEST(Pattern, FindsWhatTheStandardLibraryFinds) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t most) { return random() % most; };
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
  EXPECT_THAT(refusal("[b-a]"), HasSubstr("the wrong way round"));
  EXPECT_THAT(refusal("*a"), HasSubstr("nothing that '*' could repeat"));
  EXPECT_THAT(refusal("a**"), HasSubstr("nothing that '*' could repeat"));
  EXPECT_THAT(refusal("a{2"), HasSubstr("a '{' is not closed"));
  EXPECT_THAT(refusal("a{3,2}"), HasSubstr("the wrong way round"));
  EXPECT_THAT(refusal("a\\"), HasSubstr("escapes nothing"));
}

TEST(Pattern, RefusesWhatItCannotSearchSoon) {
  EXPECT_THAT(refusal("a(?!b)"), HasSubstr("looking ahead or behind is not supported"));
  EXPECT_THAT(refusal("(a)\\1"), HasSubstr("references to groups are not supported"));
  EXPECT_THAT(refusal("[[:alpha:]]"), HasSubstr("is not supported: use \\d, \\w or \\s"));
  EXPECT_THAT(refusal("\\x41"), HasSubstr("'\\x' is not supported"));
  EXPECT_THAT(refusal("a{1001}"), HasSubstr("more than 1000 times"));
  EXPECT_THAT(refusal("((a{100}){100}){100}"), HasSubstr("too long, or repeats too much"));
  EXPECT_THAT(refusal(std::string(100000, '(')), HasSubstr("too deep"));
  EXPECT_THAT(refusal(std::string(100000, '|') + "a"), HasSubstr("too long"));
}

}  // namespace
}  // namespace cupel::record
