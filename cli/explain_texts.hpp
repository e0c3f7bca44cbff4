// The texts of `cupel explain`, and the little of Markdown that they use.
//
// A file has a section for each operation or group of them:
//
//   ## transfer/h2d, transfer/d2h        names, or first components of names
//   Advice: pin-memory, bandwidth        ids of the advice catalogue; may be left out
//
//   **What.** ...                        five paragraphs: What, Why, How, Usual, Misleads
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cupel::cli {

struct Section {
  std::vector<std::string> names;
  std::vector<std::string> advice;
  std::string body;  ///< Markdown, without the title and the line of advice
};

/// The files, one text each, built in from docs/explain/*.md.
const std::vector<std::string_view>& explain_texts();

/// The words of tables, notes and verdicts, from docs/glossary/words.md: sections without advice, of one paragraph.
const std::vector<std::string_view>& glossary_texts();

/// The meaning of the columns of all tables, from docs/legend/legend.md: one section.
const std::vector<std::string_view>& legend_texts();

/// The sections of all texts, in order. What stands before a text's first section is left out.
std::vector<Section> read_sections(const std::vector<std::string_view>& texts);

/// For a terminal of that width: title, advice, body, without Markdown's marks of bold and code.
std::string plain_text(const Section& section, std::size_t columns = 100);

}  // namespace cupel::cli
