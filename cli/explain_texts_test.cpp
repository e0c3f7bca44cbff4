#include "cli/explain_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

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

TEST(ExplainTexts, FitATerminal) {
  for (const Section& section : read_sections(explain_texts())) {
    std::size_t begin = 0;
    for (std::size_t end; (end = section.body.find('\n', begin)) != std::string::npos; begin = end + 1) {
      EXPECT_LE(end - begin, 100u) << section.body.substr(begin, end - begin);
    }
  }
}

}  // namespace
}  // namespace cupel::cli
