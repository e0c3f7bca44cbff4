#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "cupel/figures/fields.hpp"
#include "cupel/figures/items.hpp"
#include "cupel/figures/quantity.hpp"
#include "cupel/figures/words.hpp"
#include "cupel/record/encode.hpp"
#include "cupel/report/page/render.hpp"
#include "cupel/report/show/show.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report {

using namespace record::detail;
namespace {

using figures::Item;
using figures::kRelativeError;

// A letter for each name, of the beginning of one of its words where that is free.
std::string letters(const std::vector<std::string>& names) {
  std::string chosen;
  for (const std::string& name : names) {
    std::string candidates;
    for (std::size_t i = 0; i < name.size(); ++i) {
      if (i == 0 || name[i - 1] == '_') candidates += name[i];
    }
    candidates += name + "abcdefghijklmnopqrstuvwxyz*";
    chosen += *std::ranges::find_if(candidates,
                                    [&](char c) { return c == '*' || (c != '_' && !units::contains(chosen, c)); });
  }
  return chosen;
}

// The columns of the items: numbers, the time first and then by name, and what is only yes or no, by a letter.
struct Columns {
  std::vector<std::string> numbers, flags;
  std::string marks;  ///< of the flags

  explicit Columns(const std::vector<Item>& all) {
    std::set<std::string> names;
    for (const Item& item : all) {
      for (const auto& [what, counter] : item.counters) names.insert(what);
    }
    for (const std::string& what : names) (is_yes_or_no(all, what) ? flags : numbers).push_back(what);
    std::stable_partition(numbers.begin(), numbers.end(),
                          [](const std::string& what) { return what == figures::kItemTime; });
    marks = letters(flags);
  }

  // "cd-t": the letters of what is so, a dash for what is not, a dot for what is not known.
  std::string flags_of(const Item& item) const {
    std::string text;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      const figures::CounterValue* counter = item.find(flags[i]);
      text += counter == nullptr ? '.' : counter->value != 0 ? marks[i] : '-';
    }
    return text;
  }

  std::string key() const {
    if (flags.empty()) return "";
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < flags.size(); ++i) parts.push_back(fmt::format("{} {}", marks[i], flags[i]));
    return "flags: " + units::joined(parts) + "; - is no, . unknown";
  }
};

std::string number_text(const Item& item, const std::string& what) {
  const figures::CounterValue* counter = item.find(what);
  if (counter == nullptr) return "";
  return what == kRelativeError ? error_text(counter->value) : figures::amount_text(*counter);
}

// Numbers give way from the last on, the first never.
Table table_of(const std::vector<Item>& all, const Columns& said) {
  std::vector<Column> columns{left("item")};
  for (const std::string& what : said.numbers) {
    columns.push_back(right(what == kRelativeError ? "error" : what, static_cast<int>(columns.size()) - 1));
  }
  columns.push_back(left("flags"));
  Table table(std::move(columns));
  for (const Item& item : all) {
    std::vector<std::string> row{item.name};
    for (const std::string& what : said.numbers) row.push_back(number_text(item, what));
    row.push_back(said.flags_of(item));
    table.row(std::move(row));
  }
  return table;
}

// The counters that are of no item: "plans 58, search_time 169 ms".
std::string others_text(const figures::Figure& figure) {
  return units::joined(figure.counters | std::views::filter(std::not_fn(figures::is_of_item)) |
                       std::views::transform(figures::counter_text));
}

Table table_of(const figures::Figure& figure, const std::vector<Item>& all) {
  const Columns columns(all);
  Table table = table_of(all, columns);
  table.title = fmt::format("{}: {}", figure.name, units::counted(std::ssize(all), "item"));
  table.remark = others_text(figure);
  if (const std::string key = columns.key(); !key.empty()) table.notes = {key};
  return table;
}

}  // namespace

std::string show_items(const record::ResultSet& results, const ShowOptions& options) {
  Json objects = Json::array();
  Page page{"cupel show --items", "Items"};
  for (const figures::Figure& figure : figures::figures_of(results)) {
    if (options.keep && !options.keep(figure.name)) continue;
    const std::vector<Item> all = figures::items_of(figure);
    if (all.empty()) continue;
    if (options.format == Format::json) {
      objects.push_back(encode(figures::ItemsOf{figure, all}));
    } else {
      page.add(table_of(figure, all));
    }
  }
  return objects.empty() ? rendered(page, options.format, options.terminal) : lines(objects, 1) + "\n";
}

}  // namespace cupel::report
