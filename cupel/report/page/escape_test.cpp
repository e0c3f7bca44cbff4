#include "cupel/report/page/escape.hpp"
#include "cupel/units/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cupel::report {
namespace {

TEST(EscapeText, ShowsControlCharactersAndWhatReordersText) {
  EXPECT_EQ(units::visible("a\x1b[31mb\nc\td\r\x7f"), "a\\x1b[31mb\\nc\\td\\r\\x7f");
  EXPECT_EQ(units::visible("\u0085 \u202egnp\u200b \ufeff"), "\\x85 \\u{202e}gnp\\u{200b} \\u{feff}");
}

TEST(EscapeText, ShowsBytesThatAreNotUtf8AndKeepsLetters) {
  EXPECT_EQ(units::visible("\xff\xc3 \xed\xa0\x80"), "\\xff\\xc3 \\xed\\xa0\\x80");
  EXPECT_EQ(units::visible("µs 日本 😀"), "µs 日本 😀");
}

TEST(EscapeText, ChangesNothingTheSecondTime) {
  const std::string once = units::visible("\x1b]0;title\x07\n\u202e");

  EXPECT_EQ(units::visible(once), once);
}

TEST(EscapeText, IsLinearInALengthOfAMegabyte) {
  const std::string name(1 << 20, '\x1b');

  EXPECT_EQ(units::visible(name).size(), 4u << 20);
  EXPECT_EQ(shorten(units::visible(name), 8), "\\x1b\\x1b... (4194304 bytes)");
}

TEST(Shorten, CutsBetweenCodePoints) {
  EXPECT_EQ(shorten("µµµ", 3), "µµµ");
  EXPECT_EQ(shorten("µµµ", 2), "µµ... (6 bytes)");
}

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
  EXPECT_EQ(escape_markdown("=== "), "\\=== ");
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
  EXPECT_EQ(escape_xml(std::string_view("]]>\0\x0b\xef\xbf\xbf", 8)), "]]&gt;\\x00\\x0b\\u{ffff}");
}

TEST(CsvField, QuotesAndDisarmsFormulas) {
  EXPECT_EQ(csv_field("plain/size:1"), "plain/size:1");
  EXPECT_EQ(csv_field("a,\"b\""), "\"a,\"\"b\"\"\"");
  for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\uff1d1"}) {
    EXPECT_EQ(csv_field(formula), "\"'" + std::string(formula) + "\"");
  }
  EXPECT_EQ(csv_field("a\nb"), "a\\nb");
}

}  // namespace
}  // namespace cupel::report
