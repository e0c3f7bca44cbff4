#include "cli/explain_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "cupel/compare/comparison.hpp"
#include "cupel/record/series.hpp"

namespace cupel::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ReadSections, TakesNamesAndAdviceFromTheTitleAndTheLineBelow) {
  const std::vector<Section> sections =
      read_sections({"# a\nIntro.\n\n## a/b, a/c\nAdvice: x-y, z\n\n**What.** One.\n\n## a/d\n\n**What.** Two.\n"});

  ASSERT_EQ(sections.size(), 2u);
  EXPECT_THAT(sections[0].names, ElementsAre("a/b", "a/c"));
  EXPECT_THAT(sections[0].advice, ElementsAre("x-y", "z"));
  EXPECT_EQ(sections[0].body, "**What.** One.\n");
  EXPECT_TRUE(sections[1].advice.empty());
  EXPECT_EQ(sections[1].body, "**What.** Two.\n");
}

TEST(PlainText, HasNoMarksOfMarkdown) {
  EXPECT_EQ(plain_text({{"a/b"}, {"x"}, "**What.** Calls `f()`.\n"}), "a/b\nadvice: x\n\nWhat. Calls f().\n");
}

TEST(PlainText, BreaksNoSentenceBeforeWhatIsBold) {
  EXPECT_EQ(plain_text({{"a"}, {}, "**x** is one,\n**y** two.\n**z** is three.\n"}),
            "a\n\nx is one, y two.\nz is three.\n");
}

TEST(ExplainTexts, EverySectionSaysWhatWhyHowWhatIsUsualAndWhenItMisleads) {
  for (const Section& section : read_sections(explain_texts())) {
    SCOPED_TRACE(section.names.front());
    std::size_t last = 0;
    for (const char* part : {"**What.** ", "**Why.** ", "**How.** ", "**Usual.** ", "**Misleads.** "}) {
      const std::size_t at = section.body.find(part);
      ASSERT_NE(at, std::string::npos) << part;
      EXPECT_GE(at, last) << part;
      last = at;
    }
  }
}

TEST(ExplainTexts, NoNameIsExplainedTwice) {
  std::set<std::string> seen;
  for (const Section& section : read_sections(explain_texts())) {
    for (const std::string& name : section.names) EXPECT_TRUE(seen.insert(name).second) << name;
  }
  EXPECT_FALSE(seen.empty());
}

TEST(Glossary, HasTheWordsThatAreAskedForMost) {
  std::set<std::string> words;
  for (const Section& section : read_sections(glossary_texts()))
    words.insert(section.names.begin(), section.names.end());

  for (const char* word : {"floor", "cold", "hot", "host", "settled", "mode", "pays", "mixed", "undecided", "gateable",
                           "busy", "above the limit",
                           // headings and cells of tables
                           "cut short", "told by", "own benchmarks", "stopped by", "precise", "between", "overhead",
                           "n", "of", "holds", "instead of", "alone", "counted", "added"}) {
    EXPECT_TRUE(words.contains(word)) << word;
  }
}

TEST(Glossary, HasEveryModeAndVerdict) {
  std::set<std::string> words;
  for (const Section& section : read_sections(glossary_texts()))
    words.insert(section.names.begin(), section.names.end());

  for (const record::Mode mode : {record::Mode::cold, record::Mode::hot, record::Mode::host, record::Mode::sustained}) {
    EXPECT_TRUE(words.contains(record::to_string(mode))) << record::to_string(mode);
  }
  for (int i = 0; i <= static_cast<int>(compare::Verdict::noisier); ++i) {
    std::string word = compare::to_string(static_cast<compare::Verdict>(i));
    std::ranges::transform(word, word.begin(), [](char c) { return c == '-' ? ' ' : static_cast<char>(c | 0x20); });
    EXPECT_TRUE(words.contains(word)) << word;
  }
}

TEST(Glossary, SaysEachWordOnceInAFewLines) {
  std::set<std::string> seen;
  for (const Section& section : read_sections(glossary_texts())) {
    for (const std::string& name : section.names) EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_GT(section.body.size(), 20u) << section.names.front();
    EXPECT_LT(section.body.size(), 500u) << section.names.front();
  }
}

TEST(Legend, IsOnePageThatFitsAScreen) {
  const std::vector<Section> sections = read_sections(legend_texts());

  ASSERT_EQ(sections.size(), 1u);
  const std::string text = plain_text(sections.front(), 80);
  EXPECT_LE(std::ranges::count(text, '\n'), 60);
  for (const char* column :
       {"time", "range", "+/-", "of limit", "gain", "saves", "MDE", "would find", "gateable at", "since"}) {
    EXPECT_NE(text.find(column), std::string::npos) << column;
  }
}

TEST(ExplainTexts, FitATerminal) {
  std::vector<Section> sections = read_sections(explain_texts());
  std::ranges::move(read_sections(glossary_texts()), std::back_inserter(sections));
  std::ranges::move(read_sections(legend_texts()), std::back_inserter(sections));
  for (const Section& section : sections) {
    std::size_t begin = 0;
    for (std::size_t end; (end = section.body.find('\n', begin)) != std::string::npos; begin = end + 1) {
      EXPECT_LE(end - begin, 100u) << section.body.substr(begin, end - begin);
    }
  }
}

}  // namespace
}  // namespace cupel::cli
