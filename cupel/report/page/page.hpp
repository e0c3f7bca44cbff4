// A page as data: what a command says, before it is known whether it is printed, posted or opened in a browser. The
// folder of a command makes blocks of its conclusion, and render.hpp makes text, Markdown or HTML of them. Nothing in a
// page is escaped, and a block says what stands there, not how it looks:
//
//   Page page{.made_by = "cupel gate", .title = "Gate"};
//   page.heading("What got slower");
//   Table table({left("benchmark", Fold::above), right("change"), left("verdict")});
//   table.badges = {{"SLOWER", Badge::bad}};
//   table.row({"sync/event", "+3.1 %", "SLOWER"});
//   table.notes = {"change: time of the new side against the base."};
//   page.add(std::move(table));
//   page.add(Folded{"80 rows that are the same", {others}, "80 rows are the same: --all shows them."});
//   return rendered(page, Format::text, {.columns = 80});
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cupel/report/page/chart.hpp"
#include "cupel/report/page/table.hpp"

namespace cupel::report {

/// level 1 is the page's title, 2 a section's, 3 a part's. On an HTML page one with an id begins a section that the
/// navigation lists.
struct Heading {
  std::string title;
  int level = 2;
  std::string id = {};
  bool html_only = false;   ///< where text and Markdown need no headings to be read
  std::string folded = {};  ///< of an HTML section of which only this is seen, beside a name, until a reader wants it
};

struct Paragraph {
  std::string text;
  Badges badges = {};  ///< of words in it, in a terminal
};

struct List {
  std::vector<std::string> items;
  bool has_bullets = true;  ///< in text; else only further lines are indented
  Badges badges = {};       ///< as of a paragraph
};

/// Labels beside texts, aligned; those whose text is empty are left out.
struct Fields {
  std::vector<std::pair<std::string, std::string>> labelled;
  bool is_flush = false;                   ///< in text at the left edge, with room for labels of seven letters or more
  Badges badges = {};                      ///< of words in the labels, in a terminal, and in the texts of `verdicts`
  std::vector<std::string> verdicts = {};  ///< the labels whose texts are verdicts
};

struct Block;

/// Blocks that are folded away where that can be.
struct Folded {
  std::string summary;
  std::vector<Block> inside;
  std::string instead = {};  ///< what text and Markdown say in its place; empty: they have what is inside
  std::string id = {};       ///< unique in the page, for a link
};

/// Blocks that stand one below the other in text, and side by side elsewhere.
struct Either {
  std::vector<Block> below, beside;
};

/// A picture and the words to it, side by side where there is room.
struct PictureAndWords {
  std::vector<Block> picture, words;
};

struct Block : std::variant<Heading, Paragraph, List, Fields, Table, Folded, Either, PictureAndWords, Chart> {
  using variant::variant;
};

using Blocks = std::vector<Block>;

/// Said where what the columns mean is left out: by commands with that flag, and by others.
inline constexpr const char* kLegend = "--legend says what the columns mean.";
inline constexpr const char* kExplained = "cupel explain says what the columns mean.";

/// Returns what the columns mean: all of it if it was asked for, else folded away, of which text and Markdown have
/// kLegend; no block where nothing is to be said.
Blocks legend_blocks(List means, bool is_asked_for);

struct Page {
  std::string made_by = {};  ///< the command, "cupel report"
  std::string title = {};    ///< of the HTML page
  Blocks blocks = {};
  std::vector<std::pair<std::string, std::string>> others = {};  ///< pages beside the HTML page: names and files
  std::string sought = "words of a row";                         ///< what the empty filter of the HTML page shows

  void add(Block block) { blocks.push_back(std::move(block)); }
  void add(Blocks all) { std::ranges::move(all, std::back_inserter(blocks)); }

  void heading(const std::string& says, int level = 2) { add(Heading{says, level}); }
  void paragraph(const std::string& text) { add(Paragraph{text}); }
  void fields(std::vector<std::pair<std::string, std::string>> labelled) { add(Fields{std::move(labelled)}); }

  /// An item of the list that the page ends with, or of a new one.
  void bullet(const std::string& text);
};

}  // namespace cupel::report
