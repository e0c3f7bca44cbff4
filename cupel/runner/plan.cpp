#include "cupel/runner/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace cupel::runner {
namespace {

bool asked_for(const std::string& family, const Selection& selection) {
  const std::vector<std::string>& named = selection.families;
  return named.empty() || std::ranges::find(named, family) != named.end();
}

// The seconds that were asked for, else those that the executables say; of executables that do not, the longest that
// one benchmark is expected to take.
double longest_wall_s(const Plan& plan) {
  if (plan.settings.max_wall_s) return *plan.settings.max_wall_s;
  double longest_s = 0;
  for (const PlannedFamily& family : plan.families) {
    longest_s = std::max(longest_s, family.max_wall_s.value_or(0));
    if (family.max_wall_s) continue;
    for (const auto& benchmark : family.benchmarks) longest_s = std::max(longest_s, expected_s(benchmark));
  }
  return longest_s;
}

// To the millisecond.
void keep_of_sampling(Plan& plan, double share) {
  const double wall_s = longest_wall_s(plan), shorter_s = std::round(wall_s * share * 1000) / 1000;
  if (shorter_s >= wall_s) return;
  plan.settings.max_wall_s = shorter_s;
  for (PlannedFamily& family : plan.families) {
    family.max_wall_s = plan.settings.max_wall_s;
    for (record::ListedBenchmark& benchmark : family.benchmarks) benchmark.seconds = need(benchmark).at(share);
  }
}

}  // namespace

units::TimeNeed need(const record::ListedBenchmark& benchmark) {
  const auto sane = [](double seconds) { return std::isfinite(seconds) && seconds > 0 ? seconds : 0; };
  const double all_s = sane(benchmark.seconds), least_s = std::min(sane(benchmark.least_seconds), all_s);
  return {least_s, all_s - least_s};
}

bool PlannedFamily::needs_device() const {
  return std::ranges::any_of(benchmarks, &record::ListedBenchmark::needs_device);
}

units::TimeNeed PlannedFamily::need() const {
  units::TimeNeed total{needs_device() ? kDeviceStart_s : kHostStart_s, 0};
  for (const record::ListedBenchmark& benchmark : benchmarks) total += runner::need(benchmark);
  return total;
}

std::int64_t PlannedFamily::device_bytes() const {
  return std::ranges::max(benchmarks, {}, &record::ListedBenchmark::device_bytes).device_bytes;
}

std::int64_t PlannedFamily::host_bytes() const {
  return std::ranges::max(benchmarks, {}, &record::ListedBenchmark::host_bytes).host_bytes;
}

double Plan::least_s() const {
  double total = 0;
  for (const PlannedFamily& family : families) total += family.need().least_s;
  return total;
}

std::size_t Plan::benchmarks() const {
  std::size_t total = 0;
  for (const PlannedFamily& family : families) total += family.benchmarks.size();
  return total;
}

Plan make_plan(std::vector<Family>& families, const Settings& settings, const Selection& selection) {
  Plan plan{settings, selection, {}, {}, {}, settings.processes};
  for (Family& family : families) {
    if (!asked_for(family.name, selection)) continue;
    fill_listing(family, settings);
    if (!family.problem.empty()) plan.problems.emplace_back(family.name, family.problem);
    std::vector<record::ListedBenchmark> chosen = select(family.listing, selection);
    if (!chosen.empty())
      plan.families.push_back({family.name, family.executable, std::move(chosen), family.listing.max_wall_s});
  }
  std::ranges::stable_sort(plan.families, [](const PlannedFamily& a, const PlannedFamily& b) {
    return a.needs_device() && !b.needs_device();
  });
  return plan;
}

// A plan that was cut to fit exactly may come out above by this share.
constexpr double kRounding = 1e-9;

Plan fit_budget(Plan plan, double budget_s) {
  const auto process = [&] {
    units::TimeNeed all;
    for (const PlannedFamily& family : plan.families) all += family.need();
    return all;
  };
  int& processes = plan.settings.processes;
  const int asked = processes;
  const std::optional<double> asked_wall_s = plan.settings.max_wall_s;
  if (process().at(1) * processes <= budget_s) return plan;

  const double share = units::sampling_share(budget_s / processes, process());
  keep_of_sampling(plan, std::max(share, kLeastShare));
  while (processes > 1 && process().at(1) * processes > (1 + kRounding) * budget_s) --processes;
  if (process().at(1) > budget_s) keep_of_sampling(plan, units::sampling_share(budget_s, process()));

  if (const auto wall_s = plan.settings.max_wall_s; wall_s != asked_wall_s) {
    plan.cuts.push_back(*wall_s > 0 ? fmt::format("sampling of one benchmark ends after {:.3g} s", *wall_s)
                                    : "the fewest samples of each benchmark");
  }
  if (processes < asked) plan.cuts.push_back(fmt::format("about {} of {} processes", processes, asked));
  return plan;
}

}  // namespace cupel::runner
