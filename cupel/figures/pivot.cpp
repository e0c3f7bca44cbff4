#include "cupel/figures/pivot.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "cupel/units/parse.hpp"

namespace cupel::figures {
namespace {

// The values of one parameter, as they appeared; by size if all of them are numbers.
class Values {
 public:
  void add(const std::string& value) {
    if (places_.try_emplace(value, all_.size()).second) all_.push_back(value);
  }

  void sort_numbers() {
    if (!units::all_numbers(all_)) return;
    std::ranges::stable_sort(all_, {}, units::finite_number);
    for (std::size_t i = 0; i < all_.size(); ++i) places_[all_[i]] = i;
  }

  const std::vector<std::string>& all() const { return all_; }
  std::size_t place(const std::string& value) const { return places_.at(value); }

 private:
  std::vector<std::string> all_;
  std::map<std::string, std::size_t> places_;
};

std::vector<Values> values_of(const Alike& group) {
  std::vector<Values> all(group.parameters.size());
  for (const Figure* member : group.members) {
    const Parts parts = parts_of(member->name);
    for (std::size_t i = 0; i < parts.size(); ++i) all[i].add(parts[i].second);
  }
  for (Values& values : all) values.sort_numbers();
  return all;
}

// A table of gaps says nothing, and grows with the square of what is in it.
bool is_mostly_gaps(std::size_t rows, std::size_t columns, std::size_t members) {
  constexpr std::size_t kSmall = 4096, kGapsForOne = 16;
  return rows * columns > kSmall + kGapsForOne * members;
}

// Parameters in which benchmarks of one scenario of one piece of advice differ.
std::set<std::string> compared(const Alike& group) {
  std::map<std::pair<std::string, std::string>, std::vector<const Figure*>> scenarios;
  for (const Figure* member : group.members) {
    for (const record::AdviceTag& tag : member->tags) scenarios[{tag.id, tag.scenario}].push_back(member);
  }
  std::set<std::string> found;
  for (const auto& [scenario, members] : scenarios) {
    const Parts first = parts_of(members.front()->name);
    for (const Figure* member : members) {
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
  const std::size_t begin = std::min(operation_of(name).size() + 1, name.size());
  for (const std::string& part : units::split(name.substr(begin), '/')) {
    const std::size_t colon = part.find(':');
    parts.emplace_back(part.substr(0, colon == part.npos ? 0 : colon), part.substr(colon + 1));
  }
  return parts;
}

std::string text_of(const Parts& parts) {
  std::string text;
  for (const auto& [parameter, value] : parts) {
    text += text.empty() ? "" : " ";
    text += parameter.empty() ? value : parameter + ":" + readable_value(parameter, value);
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
  if (common.empty()) return label_of(name);
  Parts parts = parts_of(name);
  std::erase_if(parts, [&](const auto& part) { return std::ranges::find(common, part) != common.end(); });
  return text_of(parts);
}

std::vector<Alike> alike(const std::vector<Figure>& all) {
  std::vector<Alike> groups;
  std::map<std::pair<std::string, std::vector<std::string>>, std::size_t> index;
  for (const Figure& figure : all) {
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
  for (const Line& row : rows) {
    count +=
        static_cast<std::size_t>(std::ranges::count_if(row.cells, [](const Figure* cell) { return cell != nullptr; }));
  }
  return count;
}

std::optional<Pivot> pivot(const Alike& group, const std::string& across) {
  const auto& names = group.parameters;
  const auto turned = static_cast<std::size_t>(std::ranges::find(names, across) - names.begin());
  if (across.empty() || turned == names.size()) return std::nullopt;
  const std::vector<Values> values = values_of(group);
  if (values[turned].all().size() < 2) return std::nullopt;

  Pivot result;
  result.operation = group.operation;
  result.across = across;
  result.columns = values[turned].all();
  std::vector<std::size_t> told;  // which parts tell the rows apart
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i == turned) continue;
    if (values[i].all().size() == 1) {
      result.common.emplace_back(names[i], values[i].all().front());
    } else {
      told.push_back(i);
      result.parameters.push_back(names[i]);
    }
  }

  std::map<std::vector<std::size_t>, std::vector<const Figure*>> rows;  // by the places of their values
  for (const Figure* member : group.members) {
    const Parts parts = parts_of(member->name);
    std::vector<std::size_t> key;
    for (const std::size_t i : told) key.push_back(values[i].place(parts[i].second));
    rows[std::move(key)].push_back(member);
  }
  if (is_mostly_gaps(rows.size(), result.columns.size(), group.members.size())) return std::nullopt;
  for (const auto& [key, members] : rows) {
    Pivot::Line& row = result.rows.emplace_back();
    for (std::size_t i = 0; i < told.size(); ++i) row.values.push_back(values[told[i]].all()[key[i]]);
    row.cells.resize(result.columns.size());
    for (const Figure* member : members) {
      row.cells[values[turned].place(parts_of(member->name)[turned].second)] = member;
    }
  }
  return result;
}

Pivot without_skipped(Pivot pivot) {
  const auto nothing = [](const Figure* cell) { return cell == nullptr || cell->only_skipped(); };
  std::erase_if(pivot.rows, [&](const Pivot::Line& row) { return std::ranges::all_of(row.cells, nothing); });
  for (std::size_t column = pivot.columns.size(); column-- > 0;) {
    const auto at = static_cast<std::ptrdiff_t>(column);
    if (!std::ranges::all_of(pivot.rows, [&](const Pivot::Line& row) { return nothing(row.cells[column]); })) continue;
    pivot.columns.erase(pivot.columns.begin() + at);
    for (Pivot::Line& row : pivot.rows) row.cells.erase(row.cells.begin() + at);
  }
  return pivot;
}

std::vector<std::string> across_candidates(const Alike& group) {
  const std::set<std::string> advised = compared(group);
  std::vector<std::tuple<bool, bool, std::size_t, std::size_t, std::string>> ranked;
  for (std::size_t i = 0; i < group.parameters.size(); ++i) {
    const std::string& parameter = group.parameters[i];
    const std::optional<Pivot> turned = pivot(group, parameter);
    if (!turned || turned->rows.size() < 2) continue;
    if (2 * turned->cells() < turned->rows.size() * turned->columns.size()) continue;
    ranked.emplace_back(!advised.contains(parameter), units::all_numbers(turned->columns), turned->rows.size(), i,
                        parameter);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> names;
  for (const auto& candidate : ranked) names.push_back(std::get<std::string>(candidate));
  return names;
}

}  // namespace cupel::figures
