#include <algorithm>
#include <iterator>

#include "cupel/figures/facts.hpp"
#include "cupel/report/html/sections.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

using figures::Fact;
using figures::Subject;

constexpr const char* kDiffers = "differs";

// The facts of one subject on each device, what differs first, in the order of the first that knows them.
void add_part(Table& table, Subject subject, const std::vector<std::vector<Fact>>& devices) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> names;
  for (const std::vector<Fact>& facts : devices) {
    for (const Fact& fact : facts) {
      if (fact.subject == subject && fact.value && !fact.value->empty()) units::add_once(names, fact.name);
    }
  }
  for (const std::string& name : names) {
    std::vector<std::string> values;
    for (const std::vector<Fact>& facts : devices) {
      const auto is_it = [&](const Fact& fact) { return fact.subject == subject && fact.name == name; };
      const auto found = std::ranges::find_if(facts, is_it);
      const std::string value = found == facts.end() ? "" : found->value.value_or("");
      values.push_back(value.empty() ? "not known" : value);
    }
    std::vector<std::string>& row =
        rows.emplace_back(std::vector<std::string>{name, units::differ(values) ? kDiffers : ""});
    std::ranges::move(values, std::back_inserter(row));
  }
  if (rows.empty()) return;
  table.group(to_string(subject));
  std::ranges::stable_partition(rows, [](const auto& row) { return row[1] == kDiffers; });
  for (std::vector<std::string>& row : rows) table.row(std::move(row));
}

}  // namespace

Table environment_table(const std::vector<Device>& devices) {
  Table table({left("fact"), left("")});
  std::vector<std::string> files{"file", ""};
  std::vector<std::vector<Fact>> facts;
  for (const Device& device : devices) {
    table.columns.push_back({.title = device.name.empty() ? device.label : device.name, .device = device.number});
    files.push_back(device.file);
    facts.push_back(figures::facts(*device.results));
  }
  table.row(std::move(files));
  for (std::size_t i = 0; i < names_of(Subject{}).size(); ++i) add_part(table, static_cast<Subject>(i), facts);
  table.badges = {{kDiffers, Badge::warn}};
  return table;
}

}  // namespace cupel::report::html
