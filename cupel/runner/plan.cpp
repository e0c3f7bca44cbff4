#include "cupel/runner/plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cupel/units/format.hpp"

namespace cupel::runner {
namespace {

bool asked_for(const std::string& family, const Selection& selection) {
  const std::vector<std::string>& named = selection.families;
  return named.empty() || std::find(named.begin(), named.end(), family) != named.end();
}

template <typename Value>
std::int64_t largest(const std::vector<record::ListedBenchmark>& benchmarks, Value value) {
  std::int64_t most = 0;
  for (const record::ListedBenchmark& benchmark : benchmarks) most = std::max(most, value(benchmark));
  return most;
}

// What the executables say; of those that do not, the longest that one benchmark is expected to take.
double longest_wall_s(const Plan& plan) {
  double longest_s = 0;
  for (const PlannedFamily& family : plan.families) {
    longest_s = std::max(longest_s, family.max_wall_s.value_or(0));
    if (family.max_wall_s) continue;
    for (const auto& benchmark : family.benchmarks) longest_s = std::max(longest_s, expected_s(benchmark));
  }
  return longest_s;
}

}  // namespace

double expected_s(const record::ListedBenchmark& benchmark) {
  return std::isfinite(benchmark.seconds) && benchmark.seconds > 0 ? benchmark.seconds : 0;
}

bool PlannedFamily::needs_device() const {
  return std::any_of(benchmarks.begin(), benchmarks.end(),
                     [](const auto& benchmark) { return benchmark.needs_device; });
}

double PlannedFamily::process_s() const {
  double total = needs_device() ? kDeviceStart_s : kHostStart_s;
  for (const record::ListedBenchmark& benchmark : benchmarks) total += runner::expected_s(benchmark);
  return total;
}

std::int64_t PlannedFamily::device_bytes() const {
  return largest(benchmarks, [](const auto& benchmark) { return benchmark.device_bytes; });
}

std::int64_t PlannedFamily::host_bytes() const {
  return largest(benchmarks, [](const auto& benchmark) { return benchmark.host_bytes; });
}

double Plan::expected_s() const {
  double total = 0;
  for (const PlannedFamily& family : families) total += family.process_s() * settings.processes;
  return total;
}

std::size_t Plan::benchmarks() const {
  std::size_t total = 0;
  for (const PlannedFamily& family : families) total += family.benchmarks.size();
  return total;
}

Plan make_plan(std::vector<Family>& families, const Settings& settings, const Selection& selection) {
  Plan plan{settings, selection, {}, {}, {}};
  for (Family& family : families) {
    if (!asked_for(family.name, selection)) continue;
    fill_listing(family, settings);
    if (!family.problem.empty()) plan.problems.emplace_back(family.name, family.problem);
    std::vector<record::ListedBenchmark> chosen = select(family.listing, selection);
    if (!chosen.empty())
      plan.families.push_back({family.name, family.executable, std::move(chosen), family.listing.max_wall_s});
  }
  std::stable_sort(plan.families.begin(), plan.families.end(), [](const PlannedFamily& a, const PlannedFamily& b) {
    return a.needs_device() && !b.needs_device();
  });
  return plan;
}

Plan fit_budget(std::vector<Family>& families, const Plan& plan, double budget_s) {
  Plan fitted = plan;
  const double wanted_s = plan.expected_s();
  if (wanted_s <= budget_s || plan.benchmarks() == 0) return fitted;

  // Samples before processes: what differs between processes cannot be had back by more samples in one.
  const double wall_s = plan.settings.max_wall_s.value_or(longest_wall_s(plan));
  const double share = std::max(0.25, budget_s / wanted_s);
  const double shorter_s = std::round(wall_s * share * 1000) / 1000;
  if (shorter_s > 0 && shorter_s < wall_s) {
    Settings shorter = plan.settings;
    shorter.max_wall_s = shorter_s;
    fitted = make_plan(families, shorter, plan.selection);
    fitted.cuts.push_back(fmt::format("sampling of one benchmark ends after {:.3g} s", shorter_s));
  }
  while (fitted.expected_s() > budget_s && fitted.settings.processes > 1) --fitted.settings.processes;
  if (fitted.settings.processes < plan.settings.processes) {
    fitted.cuts.push_back(
        fmt::format("{} instead of {} processes", fitted.settings.processes, plan.settings.processes));
  }
  if (fitted.expected_s() > budget_s) {
    fitted.cuts.push_back(fmt::format("and still {} are expected: ask for fewer benchmarks (--filter)",
                                      units::format_duration(fitted.expected_s())));
  }
  return fitted;
}

}  // namespace cupel::runner
