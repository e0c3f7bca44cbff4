#include "cupel/report/page/escape.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cupel::report {
namespace {

TEST(EscapeMarkdown, MakesMarkupAndHtmlInert) {
  EXPECT_EQ(escape_markdown("a|b*c_d`e[f](g)<img src=x>&"), "a\\|b\\*c\\_d\\`e\\[f\\](g)&lt;img src=x&gt;&amp;");
  EXPECT_EQ(escape_markdown("line\n# heading"), "line\\\\n\\#<!-- --> heading");
}

TEST(EscapeMarkdown, MakesNoMentionReferenceOrLink) {
  EXPECT_EQ(escape_markdown("@team fixes #12"), "@<!-- -->team fixes \\#<!-- -->12");
  EXPECT_EQ(escape_markdown("https://a www.b www.c"), "https:<!-- -->//a www<!-- -->.b www<!-- -->.c");
}

TEST(EscapeMarkdown, StartsNoBlock) {
  EXPECT_EQ(escape_markdown("- a"), "\\- a");
  EXPECT_EQ(escape_markdown("12. a"), "12\\. a");
  EXPECT_EQ(escape_markdown("12)"), "12\\)");
  EXPECT_EQ(escape_markdown("=== "), "\\=== ");
  EXPECT_EQ(escape_markdown("---"), "\\---");
  EXPECT_EQ(escape_markdown("+"), "\\+");
}

TEST(EscapeMarkdown, LeavesWhatOnlyLooksLikeABlock) {
  for (const char* text : {"--legend says what the columns mean.", "1.502", "+3.1 %", "-3.1 %", "12"})
    EXPECT_EQ(escape_markdown(text), text);
}

TEST(MarkdownCode, UsesAFenceLongerThanAnyInside) {
  EXPECT_EQ(markdown_code("a``b"), "```a``b```");
  EXPECT_EQ(markdown_code("`x`|"), "`` `x`\\| ``");
}

TEST(EscapeHtml, HoldsInTextAndInAttributes) {
  EXPECT_EQ(escape_html("<script>alert('x')</script>\"&"),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;");
}

TEST(EscapeXml, ShowsWhatXmlCannotHold) {
  EXPECT_EQ(escape_html(std::string_view("]]>\0\x0b\xef\xbf\xbf", 8)), "]]&gt;\\x00\\x0b\\u{ffff}");
}

}  // namespace
}  // namespace cupel::report
