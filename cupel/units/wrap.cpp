#include "cupel/units/wrap.hpp"

#include <algorithm>

#include "cupel/units/lists.hpp"
#include "cupel/units/parse.hpp"
#include "cupel/units/utf8.hpp"

namespace cupel::units {
namespace {

// How much of a word that is too long stands in that width, in bytes: to the end of a part of a path or name, if it
// can.
std::size_t cut_of(const std::string& word, std::size_t width) {
  const std::size_t most = bytes_of_columns(word, std::max<std::size_t>(width, 1));
  for (const char* ends : {"/", ":_"}) {
    const std::size_t end = word.find_last_of(ends, most - 1);
    if (end != word.npos && end > 0) return end + 1;
  }
  return most;
}

}  // namespace

std::string without_trailing_space(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string wrap(const std::string& line, std::size_t columns, std::size_t indented) {
  const std::string indent(indented, ' ');
  columns = std::max(columns, 2 * indent.size());
  if (display_width(line) <= columns) return line;
  std::string text, row;
  const auto end_row = [&] {
    text += (text.empty() ? "" : "\n") + without_trailing_space(row);
    row = indent;
  };
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    std::string word = line.substr(begin, end - begin);
    const bool blank = row.find_first_not_of(' ') == row.npos;
    if (!blank && display_width(row) + 1 + display_width(word) > columns) {
      end_row();
    } else if (!blank || (text.empty() && begin > 0)) {  // the first row keeps the spaces it begins with
      row += " ";
    }
    begin = end + 1;
    while (display_width(row) + display_width(word) > columns) {
      const std::size_t cut = cut_of(word, columns - display_width(row));
      row += word.substr(0, cut);
      word.erase(0, cut);
      end_row();
    }
    row += word;
  }
  return text + (text.empty() ? "" : "\n") + without_trailing_space(row);
}

std::string wrap_lines(const std::string& text, std::size_t columns) {
  std::string lines;
  for (const std::string& line : split(text, '\n')) lines += wrap(line, columns) + "\n";
  return lines;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t used = display_width(text);
  const std::string space(width > used ? width - used : 0, ' ');
  return right ? space + text : text + space;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> words = split(text, ' ');
  std::erase(words, "");
  std::vector<std::string> lines = split(wrap(joined(words, " "), std::max<std::size_t>(width, 1), 0), '\n');
  if (lines.empty()) lines.emplace_back();
  return lines;
}

}  // namespace cupel::units
