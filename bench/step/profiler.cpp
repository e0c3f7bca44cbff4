// The cost of a profiler that is left on: CUPTI makes records of the steps, as for a framework's profiler. Each side is
// a child process of its own, which brings its samples.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "bench/step/child_report.hpp"
#include "bench/step/measure.hpp"
#include "bench/step/profiled.hpp"
#include "bench/step/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/host/child.hpp"

namespace cupel::bench::step {
namespace {

using record::Role;

constexpr int kSteps = 4;  // of a sample, which share the wait at its end
constexpr int kMostSamples = 24;
constexpr double kLimit_s = 120;  // libraries are loaded and plans made anew: some seconds

// A child takes longer to start than its samples do: one a process and row, in the first round, for all rounds.
bool measured_before(bool records) {
  static std::set<bool> measured;
  return !measured.insert(records).second;
}

void steps_in_child(bool records) {
  if (measured_before(records)) return;
  const harness::Options& options = harness::options();
  const int samples = options.once ? 1 : std::min(options.max_samples, kMostSamples);

  ChildReport report = report_of_child(
      host::beside_this_program("cupel_step_profiled"),
      {records ? "on" : "off", std::to_string(samples), std::to_string(kSteps), std::to_string(cuda::current_device())},
      kLimit_s);

  harness::require(
      report.recorded_steps == (records ? kSteps : 0),
      "of " + std::to_string(kSteps) + " steps CUPTI has recorded " + std::to_string(report.recorded_steps));
  harness::require(std::isfinite(report.loss), "the loss is no number");
  double timed_s = 0;
  for (const double sample_s : report.samples_s) timed_s += kSteps * sample_s;
  record::Series series;
  if (!options.once) {
    series.mode = record::Mode::host;
    series.calls_per_sample = kSteps;
    series.stop = record::Stop::fixed;
    series.samples_s = std::move(report.samples_s);
  }
  harness::keep({.items = profiled_recipe().options.batch}, std::move(series), timed_s);
}

void add(const std::string& records, Role role) {
  harness::Definition& row = harness::add("step/profiler/records:" + records,
                                          [is_on = records == "on"](benchmark::State&) { steps_in_child(is_on); });
  with_needs(row, profiled_recipe())
      .from(harness::Profile::standard)
      .duration([](const auto&) { return harness::Duration{.round_s = 0.5}; })
      .advice("profiler-left-on", role, "net:resnet18_32");
}

}  // namespace

void register_profiler() {
  add("off", Role::before);
  add("on", Role::after);
}

}  // namespace cupel::bench::step
