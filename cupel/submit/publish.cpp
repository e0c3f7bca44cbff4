#include "cupel/submit/publish.hpp"

#include <cctype>
#include <set>
#include <string_view>

#include "cupel/figures/published_uuid.hpp"
#include "cupel/host/private_paths.hpp"
#include "cupel/record/record.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::submit {
namespace {

// A name of a host goes on with letters, digits, hyphens and points.
bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}

// Each place where the word stands by itself.
void replace_word(std::string& text, const std::string& word, std::string_view by) {
  if (word.empty()) return;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool is_whole = (at == 0 || !is_of_a_name(text[at - 1])) && (end == text.size() || !is_of_a_name(text[end]));
    if (is_whole) text.replace(at, word.size(), by);
    at += is_whole ? by.size() : word.size();
  }
}

// Every text of a result that somebody else may have written: `use` gets it and the JSON pointer to it.
template <class Results, class Use>
void each_text(Results& results, const Use& use) {
  for (auto& [key, note] : results.context.run.notes) use(note, "/context/cupel/run/notes/" + key);
  for (auto& library : results.context.libraries) use(library.file, std::string("/context/cupel/libraries"));
  for (auto& row : results.rows) {
    use(row.note, "the note of " + row.name);
    use(row.reason, "the reason of " + row.name);
  }
}

}  // namespace

record::ResultSet published(record::ResultSet results, const std::vector<std::string>& host_names) {
  record::RunInfo& run = results.context.run;
  std::vector<std::string> names = host_names;
  names.push_back(run.node);
  const std::string uuid = results.context.device ? results.context.device->uuid : "";
  each_text(results, [&](std::string& text, const std::string&) {
    text = host::without_private_paths(text);
    for (const std::string& name : names) replace_word(text, name, "host");
    replace_word(text, uuid, figures::published_uuid(uuid));
  });
  run.node.clear();
  run.job.clear();
  if (results.context.device) results.context.device->uuid = figures::published_uuid(uuid);
  return results;
}

std::string file_name(const record::ResultSet& results) {
  std::set<std::string> families;
  for (const record::Row& row : results.rows) families.insert(row.family);
  return units::slug(units::joined(families, "-")) + ".json.gz";
}

std::vector<std::string> left_in(const record::ResultSet& results) {
  std::vector<std::string> left;
  const record::RunInfo& run = results.context.run;
  if (!run.node.empty()) left.emplace_back("/context/cupel/run/node: names a machine");
  if (!run.job.empty()) left.emplace_back("/context/cupel/run/job: names a job of a scheduler");
  if (results.context.device && !figures::is_published(results.context.device->uuid))
    left.emplace_back("/context/cupel/device/uuid: is not hashed");
  each_text(results, [&](const std::string& text, const std::string& where) {
    if (host::without_private_paths(text) != text) left.push_back(where + ": has the path of a home folder");
  });
  return left;
}

}  // namespace cupel::submit
