#include "cupel/figures/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "cupel/figures/power_limit.hpp"
#include "cupel/figures/process.hpp"
#include "cupel/figures/suite.hpp"
#include "cupel/figures/telemetry_summary.hpp"
#include "cupel/record/faults.hpp"
#include "cupel/record/record.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/units/format.hpp"
#include "cupel/units/lists.hpp"

namespace cupel::figures {
namespace {

using record::ResultSet;
using record::Row;
using Causes = std::vector<Cause>;

// Bytes a second and lane, one direction, after the line code. Source: PCI Express base specification; generation 6 is
// with its flits' overhead of 14 in 256 bytes.
constexpr std::array kLaneRate{0.25e9,  0.5e9, 8e9 / 8 * 128 / 130, 16e9 / 8 * 128 / 130, 32e9 / 8 * 128 / 130,
                               7.5625e9};

// Below this the time is worth a word. NUMA's far node costs a few percent at least; less is noise.
constexpr double kFarNode = 0.95;

int count_of(const ResultSet& results, auto is) { return static_cast<int>(std::ranges::count_if(results.rows, is)); }

std::string of_all(int count, const ResultSet& results) {
  return std::to_string(count) + " of " + std::to_string(results.rows.size()) + " measurements";
}

void add(const std::optional<record::Fault>& fault, Causes& causes) {
  if (!fault || !fault->is_harmful) return;
  std::string what = fault->what;
  what.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(what.front())));
  causes.push_back({fault->id, what + ". " + fault->meaning, fault->remedy});
}

std::set<std::string> harmful_reasons(const Row& row) {
  std::set<std::string> reasons;
  if (!row.telemetry) return reasons;
  for (const std::string& reason : row.telemetry->throttle_reasons) {
    if (record::is_throttling(reason)) reasons.insert(reason);
  }
  return reasons;
}

void build(const ResultSet& results, Causes& causes) {
  const record::Build& build = results.context.build;
  if (build.benchmark_debug) {
    causes.push_back({"debug-library", "Google Benchmark was built in debug mode: host times are too long.",
                      "Link a release build of it."});
  }
  add(record::build_fault(build.type), causes);
}

void unoptimised(const ResultSet& results, Causes& causes) {
  const std::vector<std::string>& families = results.context.run.unoptimised;
  if (families.empty()) return;
  causes.push_back(
      {"unoptimised",
       fmt::format("The code of {} was compiled without optimisation: host times are up to 34 times too long.",
                   units::joined(families, " and ")),
       "Configure with -DCMAKE_BUILD_TYPE=Release."});
}

void throttled(const ResultSet& results, Causes& causes) {
  std::set<std::string> reasons;
  const int count = count_of(results, [&](const Row& row) {
    const std::set<std::string> here = harmful_reasons(row);
    reasons.insert(here.begin(), here.end());
    return !here.empty();
  });
  if (count == 0) return;
  add(record::throttling_fault(
          fmt::format("the GPU was slowed in {} ({})", of_all(count, results), fmt::join(reasons, ", "))),
      causes);
}

void foreign_process(const ResultSet& results, Causes& causes) {
  const int count = telemetry_summary(results).shared;
  if (count == 0) return;
  add(record::foreign_process_fault("another process was on the GPU in " + of_all(count, results)), causes);
}

// The fastest copy across the link, one direction.
std::optional<double> best_link_rate(const ResultSet& results) {
  std::optional<double> best;
  for (const Row& row : results.rows) {
    const record::Series* figure = row.main_series();
    if (figure == nullptr || figure->samples_s.empty() || !row.limit || row.workload.bytes_moved <= 0) continue;
    if (!row.limit->name.starts_with("PCIe")) continue;
    const double time_s = location_s(*figure);
    const int directions = row.limit->name.ends_with("both directions") ? 2 : 1;
    if (time_s > 0)
      best = std::max(best.value_or(0), static_cast<double>(row.workload.bytes_moved) / time_s / directions);
  }
  return best;
}

std::optional<double> link_rate(int generation, int width) {
  if (generation < 1 || generation > static_cast<int>(kLaneRate.size())) return std::nullopt;
  return kLaneRate[static_cast<std::size_t>(generation - 1)] * width;
}

void pcie_link(const ResultSet& results, Causes& causes) {
  if (!results.context.device) return;
  const record::DeviceInfo& device = *results.context.device;
  add(record::pcie_width_fault(device.pcie_width, device.pcie_width_max), causes);
  if (!device.pcie_generation || !device.pcie_width) return;
  const std::optional<double> seen = best_link_rate(results);
  const std::optional<double> allowed = link_rate(*device.pcie_generation, *device.pcie_width);
  if (!seen || !allowed || *seen > *allowed) return;
  add(record::pcie_generation_fault(device.pcie_generation, device.pcie_generation_max,
                                    "the fastest copy reached " + units::format(*seen, units::Unit::bytes_per_second)),
      causes);
}

// Times of pinned copies by scenario, as tagged: where the run's memory lies by itself, and on the GPU's own node.
void far_node(const ResultSet& results, Causes& causes) {
  std::map<std::string, std::map<std::string, std::vector<double>>> times;
  for (const Row& row : results.rows) {
    const record::Series* figure = row.main_series();
    if (figure == nullptr || figure->samples_s.empty()) continue;
    for (const record::AdviceTag& tag : row.advice) {
      if (tag.id != "bandwidth") continue;
      const double time_s = location_s(*figure);
      if (time_s > 0) times[tag.scenario][tag.variant].push_back(time_s);
    }
  }
  double least = 1;
  for (const auto& [scenario, variants] : times) {
    const auto here = variants.find("pinned"), near = variants.find("pinned_near");
    if (here == variants.end() || near == variants.end()) continue;
    least = std::min(least, stats::geometric_mean(near->second) / stats::geometric_mean(here->second));
  }
  if (least >= kFarNode) return;
  causes.push_back({"far-numa-node",
                    "Copies from memory on the GPU's own NUMA node took " + units::format_percent(least) +
                        " of the time: the run's CPUs are on another node.",
                    "Bind the process to the GPU's node: numactl --cpunodebind=N --membind=N (nvidia-smi topo -m)."});
}

void host(const ResultSet& results, Causes& causes) { add(record::governor_fault(results.context.host), causes); }

void busy_host(const ResultSet& results, Causes& causes) {
  const int count = count_of(results, is_busy);
  if (count == 0) return;
  const int timed = count_of(results, [](const Row& row) { return row.counters.contains(record::kCpuWait); });
  const std::string what = "Threads waited for a CPU in " + std::to_string(count) + " of " + std::to_string(timed) +
                           " host times, which are too long. ";
  causes.push_back({"busy-host", what + "Advice leaves them out where enough other processes did not wait.",
                    "Run nothing else on the machine; measure again if a host time of yours is undecided."});
}

void power_limit(const ResultSet& results, Causes& causes) {
  if (results.context.device) add(record::power_limit_fault(*results.context.device), causes);
}

// No fault: a GPU is meant to be run at its limit, whatever that is set to.
void at_power_limit(const ResultSet& results, Causes& causes) {
  const std::string text = power_limited_text(power_limited(results));
  if (text.empty()) return;
  causes.push_back({"at-power-limit", text + ".", "That is normal. nvidia-smi -q -d POWER shows the limit."});
}

void unsettled(const ResultSet& results, Causes& causes) {
  const int count = telemetry_summary(results).unsettled;
  if (count == 0) return;
  causes.push_back({"unsettled", "Clock, memory or pace had not settled in " + of_all(count, results) + ".",
                    "Leave the GPU to this run alone, or lock its clocks (nvidia-smi -lgc)."});
}

void persistence(const ResultSet& results, Causes& causes) {
  if (results.context.device) add(record::persistence_fault(*results.context.device), causes);
}

void incomplete(const ResultSet& results, Causes& causes) {
  if (results.context.run.interrupted) {
    causes.push_back({"interrupted", "The run was interrupted: this is what it had measured.",
                      "cupel run --resume FILE goes on with it."});
  }
  if (results.context.run.whole_processes && !results.context.run.interrupted) {
    causes.push_back({"not-ended", "The run did not come to its end: it was killed, or still goes on.",
                      "cupel run --resume FILE goes on with it."});
  }
  const auto& notes = results.context.run.notes;
  if (const auto bad = notes.find(record::kEndedBadly); bad != notes.end()) {
    causes.push_back({"ended-badly", "Processes ended badly, and their figures may be wrong: " + bad->second + ".",
                      "Find out why, then measure again."});
  }
  const int failed = count_of(results, [](const Row& row) { return row.status == record::Status::failed; });
  if (failed > 0) {
    causes.push_back(
        {"failed", of_all(failed, results) + " failed.", "cupel show FILE names them with their reasons."});
  }
}

std::vector<Cause> causes_of(const record::ResultSet& results) {
  Causes all;
  unoptimised(results, all);
  build(results, all);
  throttled(results, all);
  foreign_process(results, all);
  pcie_link(results, all);
  power_limit(results, all);
  far_node(results, all);
  host(results, all);
  busy_host(results, all);
  unsettled(results, all);
  incomplete(results, all);
  at_power_limit(results, all);
  persistence(results, all);
  return all;
}

}  // namespace

std::vector<Cause> causes(const record::ResultSet& results, const std::function<bool(const std::string&)>& keep) {
  if (!keep) return causes_of(results);
  record::ResultSet kept{results.context, {}};
  std::ranges::copy_if(results.rows, std::back_inserter(kept.rows),
                       [&](const record::Row& row) { return keep(row.name); });
  return causes_of(kept);
}

// done: what happened to `what` there, "measured".
static std::string on_a_busy_machine(std::ptrdiff_t count, const std::string& what, const char* done) {
  return fmt::format("{} {} {} on a busy machine", what, count == 1 ? "was" : "were", done);
}

std::string busy_text(const Suite& suite) {
  const auto is_left_out = [](const Benchmark& one) { return one.ok == 0 && one.failed == 0 && one.left_out() > 0; };
  const auto left_out = std::ranges::count_if(suite.benchmarks, is_left_out);
  if (left_out == 0) return "";
  const std::string what = fmt::format("{} of {}", left_out, units::counted(std::ssize(suite.benchmarks), "benchmark"));
  return on_a_busy_machine(left_out, what, "measured") +
         " (threads waited for a CPU, or the GPU was shared or throttled by heat): end other programs there, and "
         "measure again";
}

std::string none_counts_text(const record::ResultSet& results) {
  int counted = 0, left_out = 0;
  for (const Row& row : results.rows) {
    const ProcessState state = state_of(row);
    counted += state == ProcessState::counts;
    left_out += state == ProcessState::busy || state == ProcessState::disturbed;
  }
  if (counted > 0 || left_out == 0) return "";
  std::string why;
  for (const Cause& cause : causes(results)) {
    if (units::contains(std::array{"busy-host", "foreign-process", "throttled"}, cause.id))
      units::append(why, cause.what + " " + cause.remedy, " ");
  }
  return fmt::format("none of the measurements can be used: {}. {}",
                     on_a_busy_machine(left_out, std::to_string(left_out), "taken"), why);
}

}  // namespace cupel::figures
