#include "cupel/figures/fingerprint.hpp"

#include <algorithm>
#include <utility>

#include "cupel/record/record.hpp"

namespace cupel::figures {
namespace {

using Known = std::optional<std::string>;

const Key* find(const std::vector<Key>& keys, const std::string& name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

Hardness hardness_of(const Key* a, const Key* b, bool both_known) {
  const std::string& name = (a != nullptr ? a : b)->name;
  if (!both_known && name != "GPU") return Hardness::soft;
  const bool hard = (a != nullptr && a->hardness == Hardness::hard) && (b != nullptr && b->hardness == Hardness::hard);
  return hard ? Hardness::hard : Hardness::soft;
}

void add_difference(std::vector<Difference>& found, const Key* a, const Key* b) {
  const Known before = a != nullptr ? a->value : Known(), after = b != nullptr ? b->value : Known();
  if (before == after) return;
  found.push_back({(a != nullptr ? a : b)->name, before, after, hardness_of(a, b, before && after)});
}

}  // namespace

std::vector<Key> fingerprint(const record::Context& context) {
  std::vector<Key> keys;
  for (Fact& fact : facts(context)) {
    if (fact.hardness != Hardness::none) keys.push_back({std::move(fact.name), std::move(fact.value), fact.hardness});
  }
  return keys;
}

std::vector<Difference> differences(const record::Context& baseline, const record::Context& contender) {
  return differences(fingerprint(baseline), fingerprint(contender));
}

std::vector<Difference> differences(const std::vector<Key>& baseline, const std::vector<Key>& contender) {
  std::vector<Difference> found;
  for (const Key& key : baseline) add_difference(found, &key, find(contender, key.name));
  for (const Key& key : contender) {
    if (find(baseline, key.name) == nullptr) add_difference(found, nullptr, &key);
  }
  std::stable_partition(found.begin(), found.end(),
                        [](const Difference& difference) { return difference.hardness == Hardness::hard; });
  return found;
}

bool any_hard(const std::vector<Difference>& differences) {
  return std::ranges::any_of(differences,
                             [](const Difference& difference) { return difference.hardness == Hardness::hard; });
}

std::string to_string(const Difference& difference) {
  return difference.name + ": " + difference.baseline.value_or("unknown") + " -> " +
         difference.contender.value_or("unknown");
}

void note_clock_read(record::Context& context, bool under_load) {
  context.run.notes[kClockRead] =
      under_load ? "while the work ran, where that is 0.2 ms and more" : "before and after the work";
}

record::Context noted_context(const record::ResultSet& results) {
  record::Context context = results.context;
  const auto has_clock = [](const record::Row& row) { return row.telemetry && row.telemetry->sm_clock_hz; };
  const auto says_when = [](const record::Row& row) { return row.telemetry && row.telemetry->sm_clock_under_load; };
  if (std::ranges::any_of(results.rows, has_clock)) {
    note_clock_read(context, std::ranges::any_of(results.rows, says_when));
  }
  return context;
}

Facts facts_of(const record::Context& context) { return facts_of(fingerprint(context)); }

Facts facts_of(const std::vector<Key>& keys) {
  Facts facts;
  for (const Key& key : keys) {
    if (key.value) facts[key.name] = *key.value;
  }
  return facts;
}

std::string model_of(const record::Context& context) { return model_of(fingerprint(context)); }

std::string model_of(const std::vector<Key>& keys) {
  std::string model;
  for (const Key& key : keys) {
    const bool names_it = key.name == "GPU" || key.name == "SMs" || key.name == "memory" || key.name == "memory bus" ||
                          (key.name == "CPU" && key.hardness == Hardness::hard);
    if (!names_it || !key.value) continue;
    const bool needs_name = key.name != "GPU" && key.name != "CPU";
    model += (model.empty() ? "" : ", ") + *key.value + (needs_name ? " " + key.name : "");
  }
  return model.empty() ? "unknown model" : model;
}

Facts facts_of_most(std::span<const Facts* const> machines) {
  std::map<std::string, std::map<std::string, std::size_t>> counts;
  for (const Facts* facts : machines) {
    for (const auto& [name, value] : *facts) ++counts[name][value];
  }
  Facts most;
  for (const auto& [name, values] : counts) {
    for (const auto& [value, count] : values) {
      if (2 * count > machines.size()) most[name] = value;
    }
  }
  return most;
}

std::vector<std::string> differing(const Facts& most, const Facts& one) {
  std::vector<std::string> found;
  for (const auto& [name, value] : most) {
    const auto other = one.find(name);
    const std::string says = other == one.end() ? "unknown" : other->second;
    if (says != value) found.push_back(name + ": " + value + " -> " + says);
  }
  return found;
}

}  // namespace cupel::figures
