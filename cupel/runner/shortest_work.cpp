#include "cupel/runner/shortest_work.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "cupel/host/child.hpp"

namespace cupel::runner {
namespace {

constexpr double kLimit_s = 30;  // a context, CUPTI and a few hundred samples take one or two

// "5.44e-07,1.536e-06": the last line of what a child prints.
std::optional<ShortestWork> parse(const std::string& text) {
  const std::string line = host::last_line(text);
  const char* const end = line.data() + line.size();
  ShortestWork work;
  const auto kernel = std::from_chars(line.data(), end, work.kernel_s);
  if (kernel.ec != std::errc{} || kernel.ptr == end || *kernel.ptr != ',') return std::nullopt;
  const auto copy = std::from_chars(kernel.ptr + 1, end, work.copy_s);
  if (copy.ec != std::errc{} || copy.ptr != end || !(work.kernel_s > 0) || !(work.copy_s > 0)) return std::nullopt;
  return work;
}

}  // namespace

std::optional<ShortestWork> read_shortest_work(const Plan& plan) {
  const auto family = std::ranges::find_if(plan.families, [](const PlannedFamily& f) { return f.needs_device(); });
  if (family == plan.families.end() || plan.settings.timer != "events") return std::nullopt;
  std::vector<std::string> arguments = child_flags(plan.settings);
  arguments.push_back("--cupel_measure_shortest_work");
  const host::ChildResult child =
      host::run_child({.program = family->executable, .arguments = arguments, .time_limit_s = kLimit_s});
  if (!host::exited_with(child, 0)) return std::nullopt;
  return parse(child.output_text);
}

}  // namespace cupel::runner
