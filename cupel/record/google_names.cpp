#include "cupel/record/google_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "cupel/units/parse.hpp"
#include "cupel/units/printable.hpp"

namespace cupel::record {
namespace {

constexpr std::array kClocks = {"manual_time", "real_time", "process_time"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_a_clock(std::string_view segment) { return std::ranges::count(kClocks, segment) > 0; }

bool is_an_amount(std::string_view segment) {
  constexpr std::array kAmounts = {"iterations:", "repeats:", "min_time:", "min_warmup_time:"};
  return std::ranges::any_of(kAmounts, [segment](std::string_view key) {
    return segment.starts_with(key) && segment.size() > key.size() && is_digit(segment[key.size()]);
  });
}

// The parts between the slashes, also an empty one behind the last: "a" and "a/" are two names.
std::vector<std::string> segments_of(std::string_view name) { return units::split(std::string(name) + "/", '/'); }

// The name less the segments that `drops` chooses; the whole name where nothing would be left.
template <typename Drops>
std::string without(std::string_view name, const Drops& drops) {
  std::string kept;
  bool any = false;
  for (const std::string& segment : segments_of(name)) {
    if (drops(segment)) continue;
    if (any) kept += '/';
    kept += segment;
    any = true;
  }
  return kept.empty() ? std::string(name) : kept;
}

// Two names are one benchmark if this is equal of both; the strictest comes first.
using Likeness = std::string (*)(const std::string& name);

std::string as_printed(const std::string& name) { return name; }
std::string of_any_amount(const std::string& name) { return without(name, is_an_amount); }
// A name has no line break: whoever reads one makes it printable.
std::string of_one_clock(const std::string& name) { return canonical_name(name) + "\n" + clock_of(name); }
std::string of_one_work(const std::string& name) { return canonical_name(name); }

constexpr std::array<Likeness, 4> kLikenesses = {as_printed, of_any_amount, of_one_clock, of_one_work};

// A benchmark on the sides that have it: of each side the place of its name.
struct Group {
  std::vector<std::optional<std::size_t>> in;
};

class Grouping {
 public:
  explicit Grouping(std::span<const std::vector<std::string>> sides) : sides_(sides) {
    for (std::size_t side = 0; side < sides.size(); ++side) add_side(side);
  }

  std::vector<std::vector<std::string>> names() const {
    std::map<std::string, int> uses;
    for (const Group& group : groups_) ++uses[canonical_name(name_of(group))];
    std::vector<std::vector<std::string>> names;
    for (const std::vector<std::string>& side : sides_) names.emplace_back(side.size());
    for (const Group& group : groups_) {
      const std::string whole = name_of(group), canonical = canonical_name(whole);
      for (std::size_t side = 0; side < group.in.size(); ++side) {
        if (group.in[side]) names[side][*group.in[side]] = uses.at(canonical) == 1 ? canonical : whole;
      }
    }
    return names;
  }

 private:
  // Returns the name on the first side that has the group. No two groups share a name: equal names are one benchmark.
  const std::string& name_of(const Group& group) const {
    std::size_t side = 0;
    while (!group.in[side]) ++side;
    return sides_[side][*group.in[side]];
  }

  void add_side(std::size_t side) {
    std::vector<std::size_t> left(sides_[side].size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
    for (const Likeness likeness : kLikenesses) match(side, left, likeness);
    for (const std::size_t place : left) {
      groups_.push_back({std::vector<std::optional<std::size_t>>(sides_.size())});
      groups_.back().in[side] = place;
    }
  }

  // Puts names of the side into groups that are without one, where it is one name and one group.
  void match(std::size_t side, std::vector<std::size_t>& left, Likeness likeness) {
    if (left.empty()) return;
    std::map<std::string, std::vector<Group*>> groups;
    for (Group& group : groups_) {
      if (!group.in[side]) groups[likeness(name_of(group))].push_back(&group);
    }
    std::map<std::string, std::vector<std::size_t>> names;
    for (const std::size_t place : left) names[likeness(sides_[side][place])].push_back(place);
    for (const auto& [like, places] : names) {
      const auto found = groups.find(like);
      if (places.size() == 1 && found != groups.end() && found->second.size() == 1)
        found->second.front()->in[side] = places.front();
    }
    std::set<std::size_t> taken;
    for (const Group& group : groups_) {
      if (group.in[side]) taken.insert(*group.in[side]);
    }
    std::erase_if(left, [&](std::size_t place) { return taken.contains(place); });
  }

  std::span<const std::vector<std::string>> sides_;
  std::vector<Group> groups_;
};

}  // namespace

std::string name_in_file(std::string_view name) { return units::printable(name); }

std::string canonical_name(std::string_view name) {
  return without(name, [](std::string_view segment) { return is_a_clock(segment) || is_an_amount(segment); });
}

std::string clock_of(std::string_view name) {
  const std::vector<std::string> segments = segments_of(name);
  const bool is_manual = std::ranges::find(segments, kClocks.front()) != segments.end() && segments.size() > 1;
  return is_manual ? kManualClock : "";
}

std::int64_t threads_of(std::string_view name) {
  constexpr std::string_view kThreads = "threads:";
  std::int64_t threads = 1;
  for (const std::string& segment : segments_of(name)) {
    if (!segment.starts_with(kThreads)) continue;
    threads = units::number<std::int64_t>(segment.substr(kThreads.size())).value_or(threads);
  }
  return std::max<std::int64_t>(1, threads);
}

std::optional<bool> divides_by_threads(std::string_view version) {
  if (version.empty()) return true;
  if (version.starts_with("v")) version.remove_prefix(1);
  if (version.empty()) return std::nullopt;
  const std::vector<std::string> parts = units::split(version, '-');  // 1.8.5, commits behind it, its hash
  const std::vector<std::string> numbers = units::split(parts.front(), '.');
  if (numbers.size() < 2 || numbers.size() > 3) return std::nullopt;
  using Release = std::array<std::int64_t, 3>;
  Release release{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<std::int64_t> value = units::number<std::int64_t>(numbers[i]);
    if (!value || *value < 0) return std::nullopt;
    release[i] = *value;
  }
  if (release[0] < 1) return std::nullopt;
  if (release >= Release{1, 9, 0}) return false;
  // Commits from a release to the one that stopped dividing.
  constexpr std::array<std::pair<Release, std::int64_t>, 3> kCommits = {
      {{{1, 8, 3}, 108}, {{1, 8, 4}, 34}, {{1, 8, 5}, 12}}};
  const std::optional<std::int64_t> behind =
      parts.size() > 1 ? units::number<std::int64_t>(parts[1]) : std::optional<std::int64_t>(0);
  const auto known = std::ranges::find(kCommits, release, &std::pair<Release, std::int64_t>::first);
  if (!behind || known == kCommits.end()) return true;
  return *behind < known->second;
}

std::vector<std::vector<std::string>> common_names(std::span<const std::vector<std::string>> sides) {
  return Grouping(sides).names();
}

}  // namespace cupel::record
