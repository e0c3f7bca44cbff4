#include "cupel/catalogue/catalogue.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <utility>

namespace cupel::catalogue {
namespace {

using Fields = std::map<std::string, std::string>;

struct Entry {
  std::string id;
  Fields fields;
};

// The words for enumerators, in their order.
constexpr std::array<std::string_view, 4> kKinds{"gain", "cost", "figure", "tool"};
constexpr std::array<std::string_view, 7> kGroups{"step", "whole", "few", "stage", "one call", "chosen", "counted"};

[[noreturn]] void fail(const std::string& id, const std::string& what) {
  throw std::invalid_argument("advice catalogue: " + id + ": " + what);
}

// "- Field: text" to the entry; returns the field's name.
std::string add_field(Entry& entry, std::string_view line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos) fail(entry.id, "no 'Field: text' in '" + std::string(line) + "'");
  const std::string name(line.substr(2, colon - 2));
  if (!entry.fields.emplace(name, line.substr(colon + 2)).second) fail(entry.id, "field '" + name + "' is given twice");
  return name;
}

void read_entries(std::string_view text, std::vector<Entry>& entries) {
  bool inside = false;  // what stands before the first entry is for readers
  std::string field;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("## ")) {
      entries.push_back({std::string(line.substr(3)), {}});
      inside = true;
      field.clear();
    } else if (!inside || line.empty()) {
      continue;
    } else if (line.starts_with("- ")) {
      field = add_field(entries.back(), line);
    } else if (line.starts_with("  ") && !field.empty()) {
      entries.back().fields[field] += line.substr(1);
    } else {
      fail(entries.back().id, "neither a field nor the rest of one: '" + std::string(line) + "'");
    }
  }
}

// Takes the field out of the entry, so that what is left at the end is unknown.
std::string take(Entry& entry, const std::string& name) {
  const auto found = entry.fields.find(name);
  if (found == entry.fields.end() || found->second.empty()) fail(entry.id, "field '" + name + "' is missing");
  std::string text = std::move(found->second);
  entry.fields.erase(found);
  return text;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else if (c != ' ') {
      words.back() += c;
    }
  }
  return words;
}

AdviceKind kind_of(const Entry& entry, const std::string& text) {
  const auto found = std::ranges::find(kKinds, text);
  if (found == kKinds.end()) fail(entry.id, "'" + text + "' is not a kind");
  return static_cast<AdviceKind>(found - kKinds.begin());
}

// The other groups are found by what is measured.
AdviceGroup group_of(const Entry& entry, const std::string& text) {
  for (const AdviceGroup group : {AdviceGroup::whole, AdviceGroup::stage, AdviceGroup::one_call}) {
    if (text == to_string(group)) return group;
  }
  fail(entry.id, "'" + text + "' is not a group");
}

// Whether a field that says one thing, or is not there, says it.
bool says(Entry& entry, const std::string& field, const std::string& only) {
  if (entry.fields.count(field) == 0) return false;
  const std::string text = take(entry, field);
  if (text != only) fail(entry.id, "'" + text + "' is not what '" + field + "' may say; '" + only + "' is");
  return true;
}

void require_empty(const Entry& entry) {
  if (!entry.fields.empty()) fail(entry.id, "unknown field '" + entry.fields.begin()->first + "'");
}

CatalogueRow row_of(Entry& entry) {
  CatalogueRow row;
  row.id = entry.id;
  row.advice = take(entry, "Advice");
  row.kind = kind_of(entry, take(entry, "Kind"));
  row.claim = take(entry, "Claim");
  row.source = take(entry, "Source");
  row.families = words_of(take(entry, "Family"));
  row.before = take(entry, "Before");
  row.after = take(entry, "After");
  if (entry.fields.count("Judged by") > 0) row.judged_by = take(entry, "Judged by");
  if (entry.fields.count("Beside") > 0) row.beside = take(entry, "Beside");
  if (entry.fields.count("Told by") > 0) row.told_by = take(entry, "Told by");
  if (entry.fields.count("Counted") > 0) row.counted = words_of(take(entry, "Counted"));
  if (entry.fields.count("Not counted") > 0) row.not_counted = words_of(take(entry, "Not counted"));
  if (entry.fields.count("Not shown") > 0) row.not_shown = words_of(take(entry, "Not shown"));
  row.is_default = !says(entry, "Default", "no");
  row.is_padded = says(entry, "Work", "padded");
  row.shown_as_time = says(entry, "Shown as", "time");
  if (entry.fields.count("In a step") > 0) {
    row.in_a_step = words_of(take(entry, "In a step"));
    row.instead_of = take(entry, "Instead of");
    row.is_steps_default = !says(entry, "Default of a step", "no");
  }
  if (entry.fields.count("Group") > 0) row.group = group_of(entry, take(entry, "Group"));
  if (entry.fields.count("Cause") > 0) row.cause = take(entry, "Cause");
  if (entry.fields.count("Not foretold") > 0) row.silence = take(entry, "Not foretold");
  if (entry.fields.count("Claim says") > 0) row.claim_says = take(entry, "Claim says");
  row.pytorch = take(entry, "PyTorch");
  row.one_line = entry.fields.count("In one line") > 0 ? take(entry, "In one line") : row.pytorch;
  for (const std::string& change : row.in_a_step) {
    const std::string field = "In one line, " + change;
    if (entry.fields.count(field) > 0) row.line_by_change[change] = take(entry, field);
  }
  const auto measured = [&](const char* field) { return entry.fields.count(field) > 0 ? take(entry, field) : ""; };
  row.measured = {measured("Measured in C++"), measured("Measured in PyTorch"), measured("Measured in a model")};
  row.cuda = take(entry, "CUDA");
  row.backfires = take(entry, "Backfires");
  if (entry.fields.count("Refuted") > 0) row.refuted = take(entry, "Refuted");
  if (entry.fields.count("Pattern") > 0) row.patterns = words_of(take(entry, "Pattern"));
  require_empty(entry);
  return row;
}

Pattern pattern_of(Entry& entry) {
  Pattern pattern{entry.id, take(entry, "Symptom"), take(entry, "Cause"), take(entry, "Remedy")};
  require_empty(entry);
  return pattern;
}

Silence silence_of(Entry& entry) {
  Silence silence{entry.id, take(entry, "Silence"), {}};
  require_empty(entry);
  return silence;
}

void add_pieces(Catalogue& catalogue) {
  for (const CatalogueRow& row : catalogue.rows) {
    if (row.silence.empty()) continue;
    const auto found = std::ranges::find(catalogue.silences, row.silence, &Silence::id);
    if (found == catalogue.silences.end()) fail(row.id, "there is no silence '" + row.silence + "'");
    found->pieces.push_back(row.id);
  }
}

void require_patterns(const Catalogue& catalogue) {
  for (const CatalogueRow& row : catalogue.rows) {
    for (const std::string& id : row.patterns) {
      const auto same = [&](const Pattern& pattern) { return pattern.id == id; };
      if (std::ranges::none_of(catalogue.patterns, same)) fail(row.id, "there is no pattern '" + id + "'");
    }
  }
}

}  // namespace

const char* to_string(AdviceKind kind) { return kKinds[static_cast<std::size_t>(kind)].data(); }

const char* to_string(AdviceGroup group) { return kGroups[static_cast<std::size_t>(group)].data(); }

const CatalogueRow* Catalogue::find(std::string_view id) const {
  const auto found = std::ranges::find(rows, id, &CatalogueRow::id);
  return found == rows.end() ? nullptr : &*found;
}

std::string Catalogue::made_by(std::string_view change) const {
  const auto makes = [&](const CatalogueRow& row) {
    return std::ranges::find(row.in_a_step, change) != row.in_a_step.end();
  };
  const auto found = std::ranges::find_if(rows, makes);
  return found == rows.end() ? "" : found->id;
}

Catalogue read_catalogue(const std::vector<std::string_view>& texts) {
  std::vector<Entry> entries;
  for (const std::string_view text : texts) read_entries(text, entries);
  Catalogue catalogue;
  std::map<std::string, int> seen;
  for (Entry& entry : entries) {
    if (++seen[entry.id] > 1) fail(entry.id, "is given twice");
    if (entry.fields.count("Symptom") > 0) {
      catalogue.patterns.push_back(pattern_of(entry));
    } else if (entry.fields.count("Silence") > 0) {
      catalogue.silences.push_back(silence_of(entry));
    } else {
      catalogue.rows.push_back(row_of(entry));
    }
  }
  require_patterns(catalogue);
  add_pieces(catalogue);
  return catalogue;
}

namespace {

bool g_is_read = false;

std::vector<std::string>& added() {
  static std::vector<std::string> texts;
  return texts;
}

Catalogue read_all() {
  g_is_read = true;
  std::vector<std::string_view> all = texts();
  all.insert(all.end(), added().begin(), added().end());
  return read_catalogue(all);
}

}  // namespace

const Catalogue& built_in() {
  static const Catalogue built_in = read_all();
  return built_in;
}

void add(std::vector<std::string> texts) {
  if (g_is_read) throw std::logic_error("advice is added after the catalogue was read");
  std::ranges::move(texts, std::back_inserter(added()));
}

}  // namespace cupel::catalogue
