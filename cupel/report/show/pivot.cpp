#include "cupel/report/show/pivot.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cupel/report/text/wrap.hpp"

namespace cupel::report {
namespace {

bool all_numbers(const std::vector<std::string>& values) {
  return std::ranges::all_of(values, [](const std::string& value) { return number_of(value).has_value(); });
}

// As they appeared; by size if all of them are numbers.
std::vector<std::vector<std::string>> ordered_values(const Alike& group) {
  std::vector<std::vector<std::string>> all(group.parameters.size());
  for (const figures::Figure* member : group.members) {
    const Parts parts = parts_of(member->name);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (std::ranges::find(all[i], parts[i].second) == all[i].end()) all[i].push_back(parts[i].second);
    }
  }
  for (std::vector<std::string>& values : all) {
    if (all_numbers(values)) std::ranges::stable_sort(values, {}, number_of);
  }
  return all;
}

std::size_t place(const std::vector<std::string>& values, const std::string& value) {
  return static_cast<std::size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

// Parameters in which benchmarks of one scenario of one piece of advice differ.
std::set<std::string> compared(const Alike& group) {
  std::map<std::pair<std::string, std::string>, std::vector<const figures::Figure*>> scenarios;
  for (const figures::Figure* member : group.members) {
    for (const record::AdviceTag& tag : member->tags) scenarios[{tag.id, tag.scenario}].push_back(member);
  }
  std::set<std::string> found;
  for (const auto& [scenario, members] : scenarios) {
    const Parts first = parts_of(members.front()->name);
    for (const figures::Figure* member : members) {
      const Parts parts = parts_of(member->name);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].second != first[i].second) found.insert(parts[i].first);
      }
    }
  }
  return found;
}

}  // namespace

Parts parts_of(const std::string& name) {
  Parts parts;
  const std::size_t begin = std::min(figures::operation_of(name).size() + 1, name.size());
  for (const std::string& part : split(name.substr(begin), '/')) {
    const std::size_t colon = part.find(':');
    parts.emplace_back(part.substr(0, colon == part.npos ? 0 : colon), part.substr(colon + 1));
  }
  return parts;
}

std::string text_of(const Parts& parts) {
  std::string text;
  for (const auto& [parameter, value] : parts) {
    text += text.empty() ? "" : " ";
    text += parameter.empty() ? value : parameter + ":" + figures::readable_value(parameter, value);
  }
  return text;
}

Parts common_parts(const std::vector<std::string>& names) {
  Parts common = parts_of(names.front());
  std::size_t shortest = common.size();
  for (const std::string& name : names) {
    const Parts parts = parts_of(name);
    std::erase_if(common, [&](const auto& part) { return std::ranges::find(parts, part) == parts.end(); });
    shortest = std::min(shortest, parts.size());
  }
  return common.size() < shortest ? common : Parts{};
}

std::string label_without(const std::string& name, const Parts& common) {
  if (common.empty()) return figures::label_of(name);
  Parts parts = parts_of(name);
  std::erase_if(parts, [&](const auto& part) { return std::ranges::find(common, part) != common.end(); });
  return text_of(parts);
}

std::vector<Alike> alike(const std::vector<figures::Figure>& all) {
  std::vector<Alike> groups;
  std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> index;
  for (const figures::Figure& figure : all) {
    std::vector<std::string> parameters;
    for (const auto& [parameter, value] : parts_of(figure.name)) parameters.push_back(parameter);
    const auto [entry, fresh] = index.try_emplace({figure.operation, parameters}, groups.size());
    if (fresh) groups.push_back({figure.operation, parameters, {}});
    groups[entry->second].members.push_back(&figure);
  }
  return groups;
}

std::size_t Pivot::cells() const {
  std::size_t count = 0;
  for (const Row& row : rows) {
    count += static_cast<std::size_t>(
        std::count_if(row.cells.begin(), row.cells.end(), [](const figures::Figure* cell) { return cell != nullptr; }));
  }
  return count;
}

std::optional<Pivot> pivot(const Alike& group, const std::string& across) {
  const auto& names = group.parameters;
  const std::size_t turned = place(names, across);
  if (across.empty() || turned == names.size()) return std::nullopt;
  const std::vector<std::vector<std::string>> values = ordered_values(group);
  if (values[turned].size() < 2) return std::nullopt;

  Pivot result;
  result.operation = group.operation;
  result.across = across;
  result.columns = values[turned];
  std::vector<std::size_t> told;  // which parts tell the rows apart
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == turned) continue;
    if (values[i].size() == 1) {
      result.common.emplace_back(names[i], values[i].front());
    } else {
      told.push_back(i);
      result.parameters.push_back(names[i]);
    }
  }

  std::map<std::vector<std::size_t>, Pivot::Row> rows;  // by the places of their values, so that they are in order
  for (const figures::Figure* member : group.members) {
    const Parts parts = parts_of(member->name);
    std::vector<std::size_t> key;
    std::vector<std::string> row_values;
    for (const std::size_t i : told) {
      key.push_back(place(values[i], parts[i].second));
      row_values.push_back(parts[i].second);
    }
    Pivot::Row& row = rows[key];
    row.values = std::move(row_values);
    row.cells.resize(result.columns.size());
    row.cells[place(result.columns, parts[turned].second)] = member;
  }
  for (auto& [key, row] : rows) result.rows.push_back(std::move(row));
  return result;
}

std::vector<std::string> across_candidates(const Alike& group) {
  const std::set<std::string> advised = compared(group);
  std::vector<std::tuple<bool, bool, std::size_t, std::size_t, std::string>> ranked;
  for (std::size_t i = 0; i < group.parameters.size(); ++i) {
    const std::string& parameter = group.parameters[i];
    const std::optional<Pivot> turned = pivot(group, parameter);
    if (!turned || turned->rows.size() < 2) continue;
    if (2 * turned->cells() < turned->rows.size() * turned->columns.size()) continue;
    ranked.emplace_back(!advised.contains(parameter), all_numbers(turned->columns), turned->rows.size(), i, parameter);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> names;
  for (const auto& candidate : ranked) names.push_back(std::get<std::string>(candidate));
  return names;
}

}  // namespace cupel::report
