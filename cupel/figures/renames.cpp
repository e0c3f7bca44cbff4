#include "cupel/figures/renames.hpp"

#include <algorithm>
#include <set>

#include "cupel/files/errors.hpp"
#include "cupel/record/json_text.hpp"

namespace cupel::figures {
namespace {

// "renames.json: "old/name": ". A JSON pointer would write its slashes as ~1.
std::string at(const std::string& origin, const std::string& name) {
  return origin + ": " + record::detail::line(name) + ": ";
}

void check_chains(const Renames& renames, const std::string& origin) {
  std::set<std::string> targets;
  for (const auto& [before, after] : renames) {
    const std::string where = at(origin, before);
    if (!targets.insert(after).second) throw files::ReadError(where + "another name is renamed to the same");
    if (before != after && renames.count(after) > 0) throw files::ReadError(where + "its new name is renamed again");
  }
}

}  // namespace

Renames renames_from_json(std::string_view text, const std::string& origin) {
  const record::detail::Parsed parsed = record::detail::parse(text);
  if (!parsed.error.empty()) throw files::ReadError(origin + ": " + parsed.error);
  if (!parsed.value.is_object())
    throw files::ReadError(origin + ": must be an object of old name to new name, as {\"old\": \"new\"}");
  Renames renames;
  for (const auto& [before, after] : parsed.value.items()) {
    if (before.empty() || !after.is_string() || after == "") {
      throw files::ReadError(at(origin, before) + "must be a name that is not empty");
    }
    renames.emplace(before, after);
  }
  check_chains(renames, origin);
  return renames;
}

std::vector<std::string> idle_renames(const Renames& renames, const std::set<std::string>& renamed,
                                      std::span<const std::set<std::string>> sides) {
  std::vector<std::string> idle;
  for (const auto& [before, after] : renames) {
    const bool is_done = std::ranges::all_of(sides, [&](const auto& side) { return side.contains(after); });
    if (!renamed.contains(before) && !is_done) idle.push_back(before);
  }
  return idle;
}

}  // namespace cupel::figures
