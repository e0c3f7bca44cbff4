#include "cupel/report/page/page.hpp"

namespace cupel::report {

void Page::bullet(const std::string& text) {
  List* list = blocks.empty() ? nullptr : std::get_if<List>(&blocks.back());
  if (list == nullptr || !list->has_bullets) list = &std::get<List>(blocks.emplace_back(List{}));
  list->items.push_back(text);
}

}  // namespace cupel::report
