#include "cupel/report/page/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::report {
namespace {

using testing::ElementsAre;

TEST(Page, AlignsFieldsAndIndentsTheirOtherLines) {
  Page page(false, 100);

  page.fields({{"a", "short"}, {"long", std::string(92, 'x') + " y"}, {"empty", ""}});

  EXPECT_EQ(page.text(), "  a     short\n  long  " + std::string(92, 'x') + "\n        y\n");
}

TEST(Page, ShowsWhatWouldActOnATerminalOrInMarkdown) {
  Page text(false, 100), markdown(true, 100);

  text.bullet("\x1b[31mred");
  markdown.bullet("<b>|*x*");

  EXPECT_EQ(text.text().find('\x1b'), std::string::npos);
  EXPECT_EQ(markdown.text().find("<b>"), std::string::npos);
  EXPECT_EQ(markdown.text().find(" *x*"), std::string::npos);
}

TEST(Page, SeparatesSectionsByAnEmptyLine) {
  Page page(false, 100);

  page.heading("Title", 1);
  page.paragraph("Text.");

  EXPECT_EQ(page.text(), "Title\n=====\n\nText.\n");
}

TEST(Page, PutsAnEmptyLineBetweenATableAndWhatIsNotItsHeading) {
  Page page(false, 100);
  Table table({{"a"}});
  table.row({"1"});

  page.heading("Title");
  page.table(table);
  page.table(table);
  page.fields({{"b", "2"}});
  page.table(table);

  EXPECT_EQ(page.text(), "Title\n-----\na\n1\n\na\n1\n  b  2\n\na\n1\n");
}

}  // namespace
}  // namespace cupel::report
