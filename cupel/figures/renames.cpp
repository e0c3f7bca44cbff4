#include "cupel/figures/renames.hpp"

#include <set>

#include "cupel/record/json.hpp"
#include "cupel/record/parse.hpp"

namespace cupel::figures {
namespace {

using record::detail::Member;
using record::detail::Object;

void check_chains(const Renames& renames, const std::string& origin) {
  std::set<std::string> targets;
  for (const auto& [before, after] : renames) {
    const std::string where = origin + ": /" + record::detail::pointer_token(before) + ": ";
    if (!targets.insert(after).second) throw record::ReadError(where + "another name is renamed to the same");
    if (before != after && renames.count(after) > 0) throw record::ReadError(where + "its new name is renamed again");
  }
}

}  // namespace

Renames renames_from_json(std::string_view text, const std::string& origin) {
  const record::detail::Parsed parsed = record::detail::parse(text);
  if (!parsed.error.empty()) throw record::ReadError(origin + ": " + parsed.error);
  const Object* object = parsed.value.as<Object>();
  if (object == nullptr) throw record::ReadError(origin + ": /: must be an object of old name to new name");
  Renames renames;
  for (const Member& member : *object) {
    const std::string* name = member.value.as<std::string>();
    if (name == nullptr || name->empty() || member.key.empty()) {
      throw record::ReadError(origin + ": /" + record::detail::pointer_token(member.key) +
                              ": must be a name that is not empty");
    }
    renames.emplace(member.key, *name);
  }
  check_chains(renames, origin);
  return renames;
}

}  // namespace cupel::figures
