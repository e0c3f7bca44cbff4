#include "cupel/report/page/page.hpp"

namespace cupel::report {

Blocks legend_blocks(List means, bool is_asked_for) {
  if (means.items.empty()) return {};
  if (is_asked_for) return {std::move(means)};
  return {Folded{"What the columns mean", {std::move(means)}, kLegend}};
}

void Page::bullet(const std::string& text) {
  List* list = blocks.empty() ? nullptr : std::get_if<List>(&blocks.back());
  if (list == nullptr || !list->has_bullets) list = &std::get<List>(blocks.emplace_back(List{}));
  list->items.push_back(text);
}

}  // namespace cupel::report
