#include "cli/explain_texts.hpp"

#include <fmt/format.h>

#include "cupel/units/parse.hpp"
#include "cupel/units/wrap.hpp"

namespace cupel::cli {
namespace {

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::string part : units::split(text, ',')) {
    part = units::without_trailing_space(part);
    part.erase(0, part.find_first_not_of(' '));
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

void read_sections_of(std::string_view text, std::vector<Section>& sections) {
  constexpr std::string_view kTitle = "## ", kAdvice = "Advice: ";
  bool inside = false;
  for (const std::string& line : units::split(text, '\n')) {
    if (line.starts_with(kTitle)) {
      sections.push_back({split_list(line.substr(kTitle.size())), {}, {}});
      inside = true;
    } else if (inside && line.starts_with(kAdvice)) {
      sections.back().advice = split_list(line.substr(kAdvice.size()));
    } else if (inside && !(line.empty() && sections.back().body.empty())) {
      sections.back().body += line + "\n";
    }
  }
}

// Each in one line; one begins behind an empty line, and with a sentence that begins with what is bold. Empty lines
// stay.
std::vector<std::string> paragraphs_of(const std::string& body) {
  std::vector<std::string> paragraphs;
  bool is_open = false;
  for (const std::string& line : units::split(body, '\n')) {
    const bool begins = line.starts_with("**") && !paragraphs.empty() && paragraphs.back().ends_with('.');
    if (is_open && !line.empty() && !begins) {
      paragraphs.back() += " " + line;
    } else {
      paragraphs.push_back(line);
    }
    is_open = !line.empty();
  }
  while (!paragraphs.empty() && paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

std::string without(std::string text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) text.erase(at, mark.size());
  return text;
}

}  // namespace

std::vector<Section> read_sections(const std::vector<std::string_view>& texts) {
  std::vector<Section> sections;
  for (const std::string_view text : texts) read_sections_of(text, sections);
  for (Section& section : sections) {
    while (section.body.ends_with("\n\n")) section.body.pop_back();
  }
  return sections;
}

std::string plain_text(const Section& section, std::size_t columns) {
  std::string text = fmt::format("{}\n", fmt::join(section.names, ", "));
  if (!section.advice.empty()) text += fmt::format("advice: {}\n", fmt::join(section.advice, ", "));
  text = units::wrap_lines(text, columns) + "\n";
  for (const std::string& paragraph : paragraphs_of(section.body))
    text += units::wrap(without(without(paragraph, "**"), "`"), columns, 0) + "\n";
  return text;
}

}  // namespace cupel::cli
