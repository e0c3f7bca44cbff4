#include "cupel/harness/sample_host.hpp"

#include <algorithm>
#include <optional>

#include "cupel/harness/clock.hpp"
#include "cupel/host/cpu_wait.hpp"

namespace cupel::harness {
namespace {

constexpr double kClockShare = 1000;  // a sample lasts this many readings of the clock
constexpr double kShortestSample_s = 20e-6;

void run_if_set(const std::function<void()>& f) {
  if (f) f();
}

double time_calls(const std::function<void()>& call, const HostSampling& how, std::int64_t calls) {
  run_if_set(how.before);
  const Clock::time_point start = Clock::now();
  for (std::int64_t i = 0; i < calls; ++i) call();
  const double elapsed_s = seconds_since(start);
  run_if_set(how.after);
  return elapsed_s;
}

// A thread that was interrupted makes a short call look long, and all samples to come would be one call each. So a
// sample is long enough when three in a row are; one that is fifty times as long is beyond doubt.
bool lasts(const std::function<void()>& call, const HostSampling& how, std::int64_t calls, double goal_s) {
  constexpr int kTries = 3;
  constexpr double kBeyondDoubt = 50;
  for (int i = 0; i < kTries; ++i) {
    const double elapsed_s = time_calls(call, how, calls);
    if (elapsed_s < goal_s) return false;
    if (elapsed_s > kBeyondDoubt * goal_s) return true;
  }
  return true;
}

// Doubles the calls until one sample is long enough for the clock; once, for all rounds.
std::int64_t calls_that_last(const std::function<void()>& call, const HostSampling& how, double goal_s) {
  if (const std::int64_t earlier = calls_of_earlier_rounds(record::Mode::host); earlier > 0) return earlier;
  std::int64_t calls = 1;
  while (calls < how.max_calls && !lasts(call, how, calls, goal_s)) calls *= 2;
  return std::min(calls, how.max_calls);
}

}  // namespace

double clock_cost_s() {
  static const double cost_s = [] {
    double least = 1;
    for (int i = 0; i < 1000; ++i) {
      const Clock::time_point start = Clock::now();
      least = std::min(least, seconds_since(start));
    }
    return std::max(least, 1e-9);
  }();
  return cost_s;
}

void sample_host(benchmark::State&, const record::Workload& work, const std::function<void()>& call,
                 const HostSampling& how) {
  if (options().once) {
    time_calls(call, how, std::max<std::int64_t>(how.calls, 1));
    keep(work, {}, 0);
    return;
  }
  begin_sampling();
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < how.warm_up; ++i) time_calls(call, how, std::max<std::int64_t>(how.calls, 1));

  const double goal_s = std::max(kShortestSample_s, kClockShare * clock_cost_s());
  record::Series series;
  series.mode = record::Mode::host;
  series.calls_per_sample = how.calls > 0 ? how.calls : calls_that_last(call, how, goal_s);
  const auto calls = static_cast<double>(series.calls_per_sample);
  series.resolution_s = series.correction_s = series.floor_s = clock_cost_s() / calls;

  Allowance allowed = allowance();
  if (how.few) allowed.max_samples = std::min(allowed.max_samples, allowed.min_samples);
  const Clock::time_point sampling = Clock::now();
  const std::optional<double> waited_before_s = host::waited_for_cpu_s();
  double timed_s = 0;
  std::optional<record::Stop> stop;
  while (!(stop = reason_to_stop(series, allowed, seconds_since(start)))) {
    const double elapsed_s = time_calls(call, how, series.calls_per_sample);
    timed_s += elapsed_s;
    series.samples_s.push_back(elapsed_s / calls);
  }
  series.stop = *stop;
  const std::optional<double> waited_s = host::waited_for_cpu_s();
  if (waited_before_s && waited_s)
    account_cpu_wait(seconds_since(sampling), std::max(0.0, *waited_s - *waited_before_s));
  keep(work, std::move(series), timed_s);
}

}  // namespace cupel::harness
