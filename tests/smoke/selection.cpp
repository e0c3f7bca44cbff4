#include "tests/smoke/selection.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

namespace cupel::smoke {
namespace {

using record::ListedBenchmark;
using Param = std::pair<std::string, std::string>;
using Group = std::vector<const ListedBenchmark*>;

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_size(const Param& param) {
  constexpr std::string_view kCalledByName[] = {"layer", "model", "shape"};
  return number(param.second).has_value() || std::ranges::count(kCalledByName, param.first) > 0;
}

// Those whose names are the same but for sizes: "transfer/h2d/memory:pinned/bytes:". In the order of the listing.
std::vector<Group> groups_of(const record::Listing& listing) {
  std::map<std::string, std::size_t> place;
  std::vector<Group> groups;
  for (const ListedBenchmark& benchmark : listing.benchmarks) {
    std::string operation = benchmark.name.substr(0, benchmark.name.find(':'));
    for (const Param& param : benchmark.params) {
      operation += '/' + param.first + ':' + (is_size(param) ? "" : param.second);
    }
    const auto [found, is_new] = place.try_emplace(operation, groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(&benchmark);
  }
  return groups;
}

// Memory before numbers: "threads:1/bytes:N" grows by bytes, whatever stands first.
using Size = std::tuple<std::int64_t, std::vector<std::int64_t>>;

Size size_of(const ListedBenchmark* benchmark) {
  std::vector<std::int64_t> numbers;
  for (const auto& [name, value] : benchmark->params) {
    if (const auto n = number(value)) numbers.push_back(*n);
  }
  return {benchmark->device_bytes + benchmark->host_bytes, std::move(numbers)};
}

// group: not empty.
const ListedBenchmark* smallest(const Group& group) { return *std::ranges::min_element(group, {}, size_of); }

// Of one group, in which parameters stand in the same places.
bool differ_in_this_alone(const ListedBenchmark& a, const ListedBenchmark& b, std::size_t param) {
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    if ((a.params[i] == b.params[i]) == (i == param)) return false;
  }
  return true;
}

Group those(const Group& group, const auto& wanted) {
  Group found;
  std::ranges::copy_if(group, std::back_inserter(found), [&](const auto* benchmark) { return wanted(*benchmark); });
  return found;
}

Group beside(const ListedBenchmark& base, const Group& group) {
  Group found;
  for (std::size_t i = 0; i < base.params.size(); ++i) {
    const Group others = those(group, [&](const auto& other) { return differ_in_this_alone(base, other, i); });
    if (!others.empty()) found.push_back(smallest(others));
  }
  if (found.empty()) found.push_back(smallest(those(group, [&](const auto& other) { return &other != &base; })));
  return found;
}

std::vector<Group> groups_of(const record::Listing& listing, Part part) {
  const std::vector<Group> all = groups_of(listing);
  const auto place = [&](std::size_t parts) {
    return all.begin() + static_cast<std::ptrdiff_t>(all.size() * parts / part.of);
  };
  return {place(part.number - 1), place(part.number)};
}

}  // namespace

std::vector<std::string> smallest_of_each(const record::Listing& listing, Part part) {
  std::vector<std::string> names;
  for (const Group& group : groups_of(listing, part)) names.push_back(smallest(group)->name);
  return names;
}

std::vector<std::string> sizes_in_turn(const record::Listing& listing, Part part) {
  std::vector<std::string> names;
  for (const Group& group : groups_of(listing, part)) {
    if (group.size() == 1) continue;
    const ListedBenchmark* base = smallest(group);
    names.push_back(base->name);
    for (const ListedBenchmark* other : beside(*base, group)) names.push_back(other->name);
  }
  return names;
}

}  // namespace cupel::smoke
