#include "cupel/advice/bottleneck.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cupel/record/row.hpp"

namespace cupel::advice {
namespace {

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

// By text, in the order in which the texts first appear.
template <class Value>
using ByText = std::vector<std::pair<std::string, Value>>;

template <class Value>
Value& find_or_add(ByText<Value>& all, const std::string& text) {
  const auto found = std::ranges::find(all, text, &std::pair<std::string, Value>::first);
  return found == all.end() ? all.emplace_back(text, Value()).second : found->second;
}

}  // namespace

std::vector<Bottleneck> bottlenecks(std::span<const record::Row> rows) {
  constexpr std::string_view kBefore = "bound:", kBetween = "; ";
  ByText<ByText<int>> said;  // of each benchmark, how many processes say each note
  for (const record::Row& row : rows) {
    if (is_of_a_bottleneck(row)) ++find_or_add(find_or_add(said, row.name), row.note);
  }
  ByText<std::vector<std::string>> names;  // of each note
  for (const auto& [name, notes] : said) {
    const std::string& note = std::ranges::max_element(notes, {}, &std::pair<std::string, int>::second)->first;
    find_or_add(names, note).push_back(name);
  }
  std::vector<Bottleneck> all;
  for (const auto& [note, of_note] : names) {
    const std::size_t end = note.find(kBetween);
    all.push_back({note.substr(kBefore.size(), end - kBefore.size()), note.substr(end + kBetween.size()), of_note});
  }
  return all;
}

}  // namespace cupel::advice
