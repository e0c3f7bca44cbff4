#include "cupel/advice/bottleneck.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cupel::advice {
namespace {

// What one benchmark's processes say, and how many say each.
struct StageCount {
  std::string name;
  std::vector<std::pair<std::string, int>> notes;
};

// Files of before 2026-11-24 say of a loader that it keeps up whatever is waited for.
bool keeps_up_and_waits(const record::Row& row) {
  constexpr double kMuch = 0.2;
  const auto waits = [&](const char* name) {
    const auto found = row.counters.find(name);
    return found != row.counters.end() && found->second.value > kMuch;
  };
  return row.note.find("; nothing") != std::string::npos && (waits("consumer_waits") || waits("gpu_waits"));
}

bool is_of_a_bottleneck(const record::Row& row) {
  return row.status == record::Status::ok && row.note.starts_with("bound:") &&
         row.note.find("; ") != std::string::npos && !keeps_up_and_waits(row);
}

template <class Items, class Key, class Make>
auto& find_or_add(Items& items, const Key& key, const Make& make) {
  const auto found = std::ranges::find_if(items, key);
  return found == items.end() ? items.emplace_back(make()) : *found;
}

std::vector<StageCount> said_by_benchmarks(const record::ResultSet& results) {
  std::vector<StageCount> all;
  for (const record::Row& row : results.rows) {
    if (!is_of_a_bottleneck(row)) continue;
    StageCount& said = find_or_add(
        all, [&](const StageCount& other) { return other.name == row.name; },
        [&] {
          return StageCount{row.name, {}};
        });
    ++find_or_add(
          said.notes, [&](const auto& note) { return note.first == row.note; },
          [&] {
            return std::pair{row.note, 0};
          })
          .second;
  }
  return all;
}

}  // namespace

std::vector<Bottleneck> bottlenecks(const record::ResultSet& results) {
  constexpr std::string_view kBefore = "bound:", kBetween = "; ";
  std::vector<Bottleneck> all;
  for (const StageCount& said : said_by_benchmarks(results)) {
    const std::string& note = std::ranges::max_element(said.notes, {}, &std::pair<std::string, int>::second)->first;
    const std::size_t end = note.find(kBetween);
    const std::string stage = note.substr(kBefore.size(), end - kBefore.size());
    const std::string change = note.substr(end + kBetween.size());
    find_or_add(
        all, [&](const Bottleneck& other) { return other.stage == stage && other.change == change; },
        [&] {
          return Bottleneck{stage, change, {}};
        })
        .names.push_back(said.name);
  }
  return all;
}

}  // namespace cupel::advice
