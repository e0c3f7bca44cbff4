// What a profiler that is left on costs: steps of which CUPTI makes records, as a framework's profiler has it do. Each
// side is a child process of its own, which brings its samples.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "bench/step/measure.hpp"
#include "bench/step/profiled.hpp"
#include "bench/step/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/child_process.hpp"
#include "cupel/harness/run.hpp"

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

nlohmann::json report_of_child(bool records, int samples) {
  const harness::ChildOutput output = harness::run_child(
      harness::beside_this_program("cupel_step_profiled"),
      {records ? "on" : "off", std::to_string(samples), std::to_string(kSteps), std::to_string(cuda::current_device())},
      harness::environment(), kLimit_s);
  if (output.exit_code == kExitNoDevice) {
    harness::skip("a second process may not use the device (compute mode exclusive?); what it said is on stderr");
  }
  if (output.exit_code == kExitNoCupti) harness::skip("CUPTI cannot be used; why is on stderr");
  if (output.exit_code != 0) {
    throw std::runtime_error("cupel_step_profiled ended with " + std::to_string(output.exit_code) +
                             "; what it said is on stderr");
  }
  return nlohmann::json::parse(output.text);
}

void steps_in_child(bool records) {
  if (measured_before(records)) return;
  const harness::Options& options = harness::options();
  const nlohmann::json report =
      report_of_child(records, options.once ? 1 : std::min(options.max_samples, kMostSamples));

  harness::require(report.at("recorded_steps") == (records ? kSteps : 0),
                   "of " + std::to_string(kSteps) + " steps CUPTI has recorded " + report.at("recorded_steps").dump());
  harness::require(report.at("loss").is_number(), "the loss is no number");
  const auto samples_s = report.at("samples_s").get<std::vector<double>>();
  double timed_s = 0;
  for (const double sample_s : samples_s) timed_s += kSteps * sample_s;
  record::Series series;
  if (!options.once) {
    series.mode = record::Mode::host;
    series.calls_per_sample = kSteps;
    series.stop = record::Stop::fixed;
    series.samples_s = samples_s;
  }
  harness::keep({.items = profiled_recipe().options.batch}, std::move(series), timed_s);
}

void add(const std::string& records, Role role) {
  harness::Definition& row =
      harness::add("step/profiler/records:" + records,
                   guarded([is_on = records == "on"](benchmark::State&) { steps_in_child(is_on); }));
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
