#include "cupel/runner/shortest_work.hpp"

#include <string>

#include "cupel/host/child.hpp"
#include "cupel/record/child.hpp"
#include "cupel/units/parse.hpp"

namespace cupel::runner {
namespace {

constexpr double kLimit_s = 30;  // a context, CUPTI and a few hundred samples take one or two

// "5.44e-07,1.536e-06": the last line of what a child prints.
std::optional<record::ShortestWork> parse(const std::string& text) {
  const std::vector<std::string> parts = units::split(host::last_line(text), ',');
  if (parts.size() != 2) return std::nullopt;
  const record::ShortestWork work{units::number<double>(parts[0]).value_or(0),
                                  units::number<double>(parts[1]).value_or(0), "CUPTI in this run"};
  return work.kernel_s > 0 && work.copy_s > 0 ? std::optional(work) : std::nullopt;
}

}  // namespace

std::optional<record::ShortestWork> read_shortest_work(const Plan& plan) {
  if (plan.settings.timer != "events") return std::nullopt;
  std::vector<std::string> arguments = child_flags(plan.settings);
  arguments.push_back("--cupel_measure_shortest_work");
  for (const PlannedFamily& family : plan.families) {
    if (!family.needs_device()) continue;
    const host::ChildResult child =
        host::run_child({.program = family.executable, .arguments = arguments, .time_limit_s = kLimit_s});
    if (host::exited_with(child, record::kChildNothingRan)) continue;  // a family that cannot tell
    return host::exited_with(child, 0) ? parse(child.output_text) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace cupel::runner
