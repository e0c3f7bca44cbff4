#include "cupel/report/page/wrap.hpp"

#include <algorithm>

#include "cupel/report/page/lists.hpp"

namespace cupel::report {

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

}  // namespace cupel::report
