#include <algorithm>
#include <iterator>

#include "cupel/figures/shown_facts.hpp"
#include "cupel/report/html/sections.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::report::html {
namespace {

using figures::ShownFacts;

constexpr const char* kDiffers = "differs";

std::string known(const ShownFacts& one, const std::string& name) {
  const auto fact = std::ranges::find(one.facts, name, [](const auto& one_fact) { return one_fact.first; });
  return fact == one.facts.end() ? "not known" : fact->second;
}

// One subject on each device, what differs first.
void add_part(Table& table, const std::vector<ShownFacts>& devices) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> names;  // in the order of the first that has them
  for (const ShownFacts& one : devices) {
    for (const auto& [name, value] : one.facts) units::add_once(names, name);
  }
  for (const std::string& name : names) {
    std::vector<std::string> values;
    for (const ShownFacts& one : devices) values.push_back(known(one, name));
    std::vector<std::string>& row =
        rows.emplace_back(std::vector<std::string>{name, units::differ(values) ? kDiffers : ""});
    std::ranges::move(values, std::back_inserter(row));
  }
  if (rows.empty()) return;
  table.group(devices.front().subject);
  std::ranges::stable_partition(rows, [](const auto& row) { return row[1] == kDiffers; });
  for (std::vector<std::string>& row : rows) table.row(std::move(row));
}

}  // namespace

Table environment_table(const std::vector<Device>& devices) {
  Table table({left("fact"), left("")});
  std::vector<std::string> files{"file", ""};
  std::vector<std::vector<ShownFacts>> subjects;
  for (const Device& device : devices) {
    table.columns.push_back({.title = device.name.empty() ? device.label : device.name, .device = device.number});
    files.push_back(device.file);
    std::vector<ShownFacts> facts = figures::shown_facts(*device.results);
    subjects.resize(facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) subjects[i].push_back(std::move(facts[i]));
  }
  table.row(std::move(files));
  for (const std::vector<ShownFacts>& subject : subjects) add_part(table, subject);
  table.badges = {{kDiffers, Badge::warn}};
  return table;
}

}  // namespace cupel::report::html
