#include "cupel/report/page/render.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cupel::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Table table_of_one(const std::string& cell) {
  Table table({{"a"}});
  table.row({cell});
  return table;
}

std::string text_of(Blocks blocks, const Terminal& terminal = {.columns = 100}) {
  return as_text({.blocks = std::move(blocks)}, terminal);
}

std::string markdown_of(Blocks blocks) { return as_markdown({.blocks = std::move(blocks)}); }

TEST(TextPage, AlignsFieldsAndIndentsTheirOtherLines) {
  const Fields fields{{{"a", "short"}, {"long", std::string(92, 'x') + " y"}, {"empty", ""}}};

  EXPECT_EQ(text_of({fields}), "  a     short\n  long  " + std::string(92, 'x') + "\n        y\n");
  EXPECT_EQ(text_of({Fields{{{"host", "here"}}, true}}), "host     here\n");
}

TEST(TextPage, SeparatesSectionsByAnEmptyLine) {
  EXPECT_EQ(text_of({Heading{"Title", 1}, Paragraph{"Text."}}), "Title\n=====\n\nText.\n");
}

TEST(TextPage, PutsAnEmptyLineBetweenATableAndWhatIsNotItsHeading) {
  const Table table = table_of_one("1");

  EXPECT_EQ(text_of({Heading{"Title"}, table, table, Fields{{{"b", "2"}}}, table}),
            "Title\n-----\na\n1\n\na\n1\n  b  2\n\na\n1\n");
}

TEST(TextPage, SetsFieldsAtTheLeftEdgeApartFromATable) {
  EXPECT_EQ(text_of({table_of_one("1"), Fields{{{"b", "2"}, {"", "3"}}, true}}), "a\n1\n\nb        2\n         3\n");
  EXPECT_EQ(markdown_of({Fields{{{"b", "2"}, {"", "3"}}}}), "- **b**: 2\n- 3\n");
}

TEST(TextPage, PutsWhatGoesBelowThereHoweverWideItIs) {
  Table table({left("a"), left("how", Fold::always_below)});
  table.row({"1", "so"});

  for (const std::size_t columns : {20, 400}) EXPECT_EQ(text_of({table}, {.columns = columns}), "a\n1\n    so\n");
  EXPECT_THAT(markdown_of({table}), HasSubstr("| a | how |"));
}

TEST(TextPage, HasTheTitleOfATableAboveItItsNotesAndWhatIsFoldedRightBelow) {
  Table table = table_of_one("1");
  table.title = "title";
  table.notes = {"note"};

  EXPECT_EQ(text_of({table, Folded{"more", {table}, "more: --all"}}), "title\na\n1\nnote\nmore: --all\n");
}

TEST(TextPage, SaysWhatStandsInPlaceOfATableWithoutRowsAndNothingWhereNothingDoes) {
  Table table({{"a"}});
  EXPECT_EQ(text_of({Paragraph{"before"}, table}), "before\n");

  table.instead = "Nothing differs.";
  EXPECT_EQ(text_of({Paragraph{"before"}, table}), "before\n\nNothing differs.\n");
}

TEST(TextPage, StacksTheColumnsOfATableWithKeysThatDoNotFit) {
  Table table({left("n"), right("fp16"), right("tf32")});
  table.keys = 1;
  table.row({"1024", "33.8", "   "});
  table.row({"2048", "34.1", "239"});

  EXPECT_EQ(text_of({table}), "  n     fp16  tf32\n  1024  33.8\n  2048  34.1   239\n");
  EXPECT_EQ(text_of({table}, {.columns = 14}),
            "  n     fp16\n  1024  33.8\n  2048  34.1\n  n     tf32\n  2048   239\n");
  EXPECT_EQ(height_of(table, 14), 5u);
  EXPECT_EQ(height_of(table, 8), 0u);
}

TEST(Page, ShowsWhatWouldActOnATerminalInMarkdownOrOnAPageNowhere) {
  const std::string hostile = "\x1b[31mred<b>|*x*";
  const Table table = table_of_one(hostile);
  const Blocks all{
      Heading{hostile},       Paragraph{hostile},      List{{hostile}}, Fields{{{hostile, hostile}}}, table,
      Folded{"<b>", {table}}, Either{{table}, {table}}};

  EXPECT_THAT(text_of(all), Not(HasSubstr("\x1b")));
  EXPECT_THAT(markdown_of(all), AllOf(Not(HasSubstr("<b>")), Not(HasSubstr("*x*"))));
  EXPECT_THAT(as_html(all), AllOf(Not(HasSubstr("<b>")), Not(HasSubstr("\x1b"))));
}

TEST(Page, StandsBelowInTextAndBesideElsewhere) {
  const Either either{{Paragraph{"narrow"}}, {Paragraph{"wide"}}};

  EXPECT_EQ(text_of({either}), "narrow\n");
  EXPECT_EQ(markdown_of({either}), "wide\n");
  EXPECT_EQ(as_html(Blocks{either}), "<p>wide</p>\n");
}

TEST(Page, AddsToTheListThatItEndsWith) {
  Page page;
  page.bullet("a");
  page.bullet("b");
  page.paragraph("c");
  page.bullet("d");

  EXPECT_EQ(as_text(page), "- a\n- b\n\nc\n- d\n");
}

TEST(MarkdownPage, CountsTheRowsThatAreTooMany) {
  Table table({{"a"}});
  for (int i = 0; i < 1000; ++i) table.row({std::string(100, 'x')});
  Page page;
  page.add(table);
  page.add(Folded{"others", {table}});
  page.paragraph("the end");
  const std::string markdown = as_markdown(page, 20'000);

  EXPECT_LT(markdown.size(), 20'000u);
  EXPECT_THAT(markdown, AllOf(HasSubstr("more rows did not fit here"), HasSubstr("<details><summary>others</summary>"),
                              testing::EndsWith("\n</details>\n\nthe end\n")));
}

TEST(MarkdownPage, HasNoHeadingThatIsOfThePageAlone) {
  EXPECT_EQ(markdown_of({Heading{.title = "Summary", .html_only = true}, Paragraph{"said"}}), "said\n");
}

TEST(MarkdownTable, EscapesWhatMarkdownWouldTakeForItsOwn) {
  Table table({{"name"}, {"time", Align::right}});
  table.group("g");
  table.row({"a|b_c", "1"});

  EXPECT_EQ(as_markdown({.blocks = {table}}),
            "| name | time |\n"
            "| :--- | ---: |\n"
            "| **g**  | |\n"
            "| a\\|b\\_c | 1 |\n");
}

TEST(MarkdownTable, LeavesOutAColumnWithoutContent) {
  Table table({{"name"}, {"rate", Align::right}, {"notes"}});
  table.row({"a", "", "x"});

  EXPECT_EQ(as_markdown({.blocks = {table}}), "| name | notes |\n| :--- | :--- |\n| a | x |\n");
}

TEST(TextPage, PartsNoVerdictOfALineThatIsWrapped) {
  const Badges badges{{"also pay", Badge::good}};
  const Page page{.blocks = {Paragraph{"some others also pay", badges}, List{{"and so many also pay"}, false, badges}}};

  EXPECT_EQ(as_text(page, {.columns = 16, .colour = true}),
            "some others\n"
            "\x1b[32malso pay\x1b[0m\n"
            "\n"
            "and so many\n"
            "        \x1b[32malso pay\x1b[0m\n");
}

TEST(HtmlPage, HasTheNotesOfATableQuietly) {
  Table table({left("a")});
  table.row({"b"});
  table.notes = {"c"};

  EXPECT_THAT(as_html(Blocks{table}), HasSubstr("<p class=\"note\">c</p>"));
}

TEST(HtmlPage, TellsTheStyleHowManyColumnsATableShowsAndWhetherItsRowsAreRanked) {
  Table table({left(""), left("a"), left("never said")});
  table.row({"1", "x", ""});
  EXPECT_THAT(as_html(Blocks{table}), HasSubstr("<table class=\"data pairs ranked\">"));

  EXPECT_THAT(as_html(Blocks{table_of_one("")}), HasSubstr("<table class=\"data pairs\"><thead><tr></tr>"));

  const std::vector<std::string> twelve(12, "x");
  Table wide(std::vector<Column>(twelve.size(), left("a")));
  wide.row(twelve);
  EXPECT_THAT(as_html(Blocks{wide}), HasSubstr("<table class=\"data many\">"));
}

TEST(HtmlPage, MarksVerdictsAmongOtherWordsOfTheirColumnsAlone) {
  Table table({left("advice"), verdicts("here"), left("where")});
  table.badges = {{"pays", Badge::good}, {"pays at some", Badge::warn}};
  table.row({"a", "1.20x pays at some, so far", "pays"});

  EXPECT_THAT(as_html(Blocks{table}),
              HasSubstr("<td>1.20x <span class=\"badge warn\">pays at some</span>, so far</td><td>pays</td>"));
}

TEST(HtmlPage, BeginsASectionAtEachHeadingThatHasAnId) {
  const Page page{
      "cupel gate", "Gate", {Heading{"First", 3, "first"}, table_of_one("1"), Heading{"Second"}, List{{"x"}}}};
  const std::string html = as_html(page);

  EXPECT_THAT(html, HasSubstr("<section id=\"first\"><h2>First</h2>\n<div class=\"scroll\">"));
  EXPECT_THAT(html, HasSubstr("<li><a href=\"#second\">Second</a></li>"));
}

TEST(HtmlPage, MarksVerdictsAndWhoseRowsTheyAre) {
  Table table({{"name"}, {"verdict"}});
  table.badges = {{"SLOWER", Badge::bad}};
  table.row({"a", "SLOWER"}, 1);

  EXPECT_THAT(as_html(Blocks{table}),
              HasSubstr("<tr class=\"d1\"><th scope=\"row\">a</th><td><span class=\"badge bad\">"));
}

TEST(HtmlPage, PutsChartsInAGridAndOthersShowTheirRows) {
  html::RowPlot plot;
  plot.label_title = "benchmark";
  plot.titles = {"time"};
  plot.tick = [](double) { return std::string("1"); };
  plot.rows.push_back({.label = "a", .value = 1.0, .cells = {"1 us"}});
  const Blocks blocks{Chart{.name = "op", .words = "time", .drawing = plot, .caption = "n: 5.", .id = "c"}};

  EXPECT_THAT(as_html(blocks), AllOf(HasSubstr("<div class=\"figures\">\n<figure id=\"c\"><h4><a class=\"self\" "
                                               "href=\"#c\" aria-label=\"Link to this figure\">#</a> "
                                               "<code>op</code> <span>time</span>"),
                                     HasSubstr("<figcaption>n: 5.</figcaption></figure>\n</div>\n")));
  EXPECT_EQ(text_of(blocks), "op time\nbenchmark  time\na          1 us\nn: 5.\n");
}

}  // namespace
}  // namespace cupel::report
