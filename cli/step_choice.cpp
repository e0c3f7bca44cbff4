#include "cli/step_choice.hpp"

#include <algorithm>

#include "cli/commands.hpp"
#include "cupel/foretell/needs.hpp"
#include "cupel/record/step_profile.hpp"

namespace cupel::cli {
namespace {

std::vector<record::ListedBenchmark> listed(std::vector<runner::Family> families, const runner::Settings& settings) {
  std::vector<record::ListedBenchmark> all;
  for (runner::Family& family : families) {
    if (std::ranges::find(foretell::kFamilies, family.name) == foretell::kFamilies.end()) continue;
    runner::fill_listing(family, settings);
    std::ranges::move(family.listing.benchmarks, std::back_inserter(all));
  }
  return all;
}

constexpr double kKept = 0.95;  // of the time: what a process takes besides is not known before

}  // namespace

runner::Selection chosen_for_step(const std::filesystem::path& profile, std::vector<runner::Family> families,
                                  const runner::Settings& settings, double budget_s) {
  const std::vector<record::ListedBenchmark> there = listed(std::move(families), settings);
  runner::Selection chosen;
  double left_s = kKept * budget_s;
  for (const record::ListedBenchmark* one : foretell::needs(record::read_step_profile(profile), there)) {
    const std::string family = one->name.substr(0, one->name.find('/'));
    const bool is_new = std::ranges::find(chosen.families, family) == chosen.families.end();
    const double time_s = runner::need(*one).at(runner::kLeastShare) + (is_new ? runner::kDeviceStart_s : 0);
    if (time_s > left_s) continue;
    left_s -= time_s;
    if (is_new) chosen.families.push_back(family);
    chosen.filters.push_back("^" + one->name + "$");
  }
  if (!chosen.families.empty()) return chosen;
  throw UsageError("--step " + profile.string() + ": no benchmark here says anything of this step within its time");
}

}  // namespace cupel::cli
