// Prints, as JSON, the gains that the rules foretell beside those that a waterfall of steps measured:
//   cupel_foretell_score PROFILES STEP.json RESULT...
// PROFILES: a folder of step profiles. STEP.json: a result with step/waterfall. RESULT: micro-results of the same
// machine, files or folders.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <stdexcept>

#include "cupel/figures/join.hpp"
#include "cupel/record/json.hpp"
#include "cupel/record/json_text.hpp"
#include "tests/foretell/score.hpp"

namespace cupel::foretell {
namespace {

using record::detail::Json;

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().string();
    if (name.ends_with(".json") || name.ends_with(".json.gz")) files.push_back(name);
  }
  std::ranges::sort(files);
  return files;
}

record::ResultSet results_of(const std::vector<std::string>& files_or_folders) {
  std::vector<figures::NamedResults> parts;
  for (const std::string& name : files_or_folders) {
    const bool is_folder = std::filesystem::is_directory(name);
    for (const std::string& file : is_folder ? files_in(name) : std::vector{name}) {
      parts.push_back({{file}, record::read_any(file).results});
    }
  }
  parts = figures::join_parts(std::move(parts));
  if (parts.size() != 1) throw std::invalid_argument("the micro-results are not those of one machine");
  return std::move(parts.front().results);
}

void put_estimate(Json& object, const std::string& name, const Estimate& estimate) {
  object[name + "_s"] = estimate.value;
  object[name + "_low_s"] = estimate.low;
  object[name + "_high_s"] = estimate.high;
}

Json change_json(const CheckedChange& change) {
  Json object{
      {"where", change.where}, {"change", change.change}, {"pieces", change.pieces}, {"before_s", change.before_s}};
  put_estimate(object, "measured", change.measured_s);
  object["matters"] = change.matters();
  if (!change.silent.empty()) {
    object["silent"] = change.silent;
    return object;
  }
  put_estimate(object, "foretold", change.foretold_s);
  object["sign_is_right"] = change.sign_is_right();
  if (change.measured_s.value != 0) object["error"] = change.error();
  return object;
}

Json score_json(const std::vector<CheckedChange>& checked) {
  const Tally tally = tally_of(checked);
  Json changes = Json::array();
  for (const CheckedChange& one : checked) changes.push_back(change_json(one));
  Json root{{"changes", changes},     {"foretold", tally.foretold}, {"silent", tally.silent},
            {"matter", tally.matter}, {"right", tally.right},       {"small", kSmall}};
  if (tally.matter > 0) root["error"] = tally.error;
  return root;
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) throw std::invalid_argument("usage: cupel_foretell_score PROFILES STEP.json RESULT...");
  std::vector<record::StepProfile> profiles;
  for (const std::string& file : files_in(arguments[0])) profiles.push_back(record::read_step_profile(file));
  const std::vector<figures::Figure> steps = figures::figures_of(results_of({arguments[1]}));
  const Micro micro(figures::figures_of(results_of({arguments.begin() + 2, arguments.end()})));
  std::cout << score_json(checked_changes(steps, profiles, micro)).dump(1) << '\n';
  return 0;
}

}  // namespace
}  // namespace cupel::foretell

int main(int argc, char** argv) {
  try {
    return cupel::foretell::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
