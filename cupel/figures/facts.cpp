#include "cupel/figures/facts.hpp"

#include "cupel/figures/fingerprint.hpp"

namespace cupel::figures {

Facts facts_of(const record::Context& context) {
  Facts facts;
  for (const Key& key : fingerprint(context)) {
    if (key.value) facts[key.name] = *key.value;
  }
  return facts;
}

std::string model_of(const record::Context& context) {
  std::string model;
  for (const Key& key : fingerprint(context)) {
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
