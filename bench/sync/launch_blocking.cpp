// The cost of CUDA_LAUNCH_BLOCKING=1. The variable is read when a process makes its context, so each side is a child
// process of its own; the child program is the same and brings its samples.
#include <algorithm>
#include <set>

#include "bench/sync/child_report.hpp"
#include "bench/sync/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/host/child.hpp"

namespace cupel::bench::sync {
namespace {

constexpr const char* kVariable = "CUDA_LAUNCH_BLOCKING";
constexpr int kLaunches = 64;    // a sample; with the wait at its end shared by all of them
constexpr double kLimit_s = 60;  // a context takes well below a second, samples a few milliseconds
constexpr int kMostSamples = 200;

// To start a child and its context takes longer than all its samples, so that a process does it once a benchmark, in
// the first round, for all rounds.
bool measured_before(bool blocking) {
  static std::set<bool> measured;
  return !measured.insert(blocking).second;
}

ChildReport report_of_child(bool blocking, int samples) {
  const host::ChildResult child = host::run_child(
      {.program = host::beside_this_program("cupel_sync_child"),
       .arguments = {std::to_string(samples), std::to_string(kLaunches), std::to_string(cuda::current_device())},
       .environment = host::environment_with({{kVariable, blocking ? "1" : ""}}),
       .time_limit_s = kLimit_s});
  if (host::exited_with(child, kExitNoDevice)) {
    harness::skip(host::with_last_words("a second process may not use the device (compute mode exclusive?)", child));
  }
  if (host::exited_with(child, kExitCannotRun)) {
    harness::skip(host::with_last_words("launches of a second process cannot run here", child));
  }
  if (!host::exited_with(child, 0)) {
    throw std::runtime_error("cupel_sync_child: " + host::with_last_words(host::ending_text(child), child));
  }
  return child_report_from(child.output_text);
}

void launch_in_child(benchmark::State&, bool blocking) {
  if (measured_before(blocking)) return;
  const harness::Options& options = harness::options();
  const int samples = options.once ? 1 : std::min(options.max_samples, kMostSamples);

  ChildReport report = report_of_child(blocking, samples);

  harness::require(report.ran == report.launched, std::to_string(report.launched) + " launches in the child ran " +
                                                      std::to_string(report.ran) + " kernels");
  harness::require(report.blocking == blocking, std::string("the child did not see ") + kVariable + " as it was set");
  record::Series series;
  double timed_s = 0;
  for (const double sample_s : report.samples_s) {
    timed_s += sample_s * static_cast<double>(report.launches_per_sample);
  }
  if (!options.once) {
    series.mode = record::Mode::host;
    series.calls_per_sample = report.launches_per_sample;
    series.stop = record::Stop::fixed;
    series.samples_s = std::move(report.samples_s);
  }
  harness::keep({.items = 1}, std::move(series), timed_s);
}

}  // namespace

void register_launch_blocking() {
  using harness::add;
  using record::Role;
  // Two contexts take over a second: not in the quick profile.
  add("sync/launch_blocking/variable:unset", [](auto& s) { launch_in_child(s, false); })
      .from(harness::Profile::standard)
      .advice("launch-blocking", Role::before, "launch");
  add("sync/launch_blocking/variable:set", [](auto& s) { launch_in_child(s, true); })
      .from(harness::Profile::standard)
      .advice("launch-blocking", Role::after, "launch");
}

}  // namespace cupel::bench::sync
