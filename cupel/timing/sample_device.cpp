#include "cupel/timing/sample_device.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "cupel/harness/clock.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/rig.hpp"
#include "cupel/timing/sustained.hpp"

namespace cupel::timing {
namespace {

using harness::Allowance;
using harness::Clock;
using harness::seconds_since;

constexpr int kWarmUpLaunches = 3;
constexpr double kWarmUp_s = 0.005;
constexpr double kBatch_s = 1e-3;         // a hot batch lasts this long
constexpr int kLaunchesBehindHold = 500;  // a held stream takes about 1000 operations
constexpr int kFewestBatches = 20;        // in all rounds together
constexpr int kMostBatches = 40;
// After so much work a power limit begins to take the clock down: on an H200 a series of 67 ms of tf32 products
// scattered by 6 %, and one of 14 ms of bf16 products by 0.2 %.
constexpr double kBurst_s = 20e-3;

Rig::Preparation preparation(const DeviceSampling& how, bool flush) {
  return {.before = how.before, .prime = how.prime, .flush = flush, .beside = how.beside};
}

void wait_for_all(const DeviceSampling& how) {
  cuda::check(cudaStreamSynchronize(Rig::get().stream()));
  if (how.beside) cuda::check(cudaStreamSynchronize(Rig::get().beside()));
}

// Not behind the hold: the first launch of a kernel loads its module, which waits for the stream.
void warm_up(const Work& work, const DeviceSampling& how) {
  const cudaStream_t stream = Rig::get().stream();
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < kWarmUpLaunches; ++i) {
    if (how.before) how.before(stream);
    if (how.prime) how.prime(stream);
    work(stream);
    wait_for_all(how);
    if (seconds_since(start) > kWarmUp_s) break;
  }
}

struct Sampled {
  record::Series series;  // times of one call
  double timed_s = 0;
};

// Sets the times to CUPTI's where it watched: they need no correction. Else they stay the events'.
void use_referee_times(record::Series& series, std::vector<Rig::Sample>& samples) {
  Rig::get().collect(samples);
  if (samples.empty() || !samples.front().activity_s) return;
  series.engine.reset();
  series.floor_s = series.correction_s = 0;
  const auto calls = static_cast<double>(series.calls_per_sample);
  std::ranges::transform(samples, series.samples_s.begin(), [=](const auto& s) { return *s.activity_s / calls; });
}

// Samples of `calls` calls each until the stop rule says why to end.
Sampled take(record::Mode mode, Engine engine, int calls, const Allowance& allowed,
             const std::function<Rig::Sample()>& sample) {
  Sampled taken;
  record::Series& series = taken.series;
  series.mode = mode;
  series.engine = engine;
  series.calls_per_sample = calls;
  series.resolution_s = Rig::get().calibration().event_resolution_s / calls;
  series.floor_s = series.correction_s = Rig::get().floor_s(engine) / calls;
  std::vector<Rig::Sample> samples;
  double burst_s = 0;
  const Clock::time_point start = Clock::now();
  std::optional<record::Stop> stop;
  while (!(stop = harness::reason_to_stop(series, allowed, seconds_since(start)))) {
    if (burst_s > kBurst_s) {
      Rig::get().clock().settle(
          Rig::get().stream());  // of the clock alone: what the memory is watched by empties the L2
      burst_s = 0;
    }
    samples.push_back(sample());
    burst_s += samples.back().events_s;
    taken.timed_s += samples.back().events_s;
    series.samples_s.push_back(samples.back().events_s / calls);
  }
  series.stop = *stop;
  use_referee_times(series, samples);
  return taken;
}

// Returns the location, corrected.
double sample_cold(const record::Workload& workload, const Work& work, const DeviceSampling& how) {
  Rig::Preparation cold = preparation(how, true);
  cold.bytes_written = workload.bytes_written;
  Sampled taken =
      take(record::Mode::cold, how.engine, 1, harness::allowance(), [&] { return Rig::get().once(work, cold); });
  const double location_s = stats::interquartile_mean(taken.series.corrected_s());
  harness::keep(workload, std::move(taken.series), taken.timed_s);
  return location_s;
}

// A batch lasts kBatch_s, and all of it fits behind the hold, so that the device never waits for a launch.
int batch_size(double call_s, int launches) {
  const double wanted = std::ceil(kBatch_s / std::max(call_s, 1e-7));
  const int fits = std::max(1, kLaunchesBehindHold / std::max(1, launches));
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(fits)));
}

// As many calls as fit behind the hold, found by trying: how much a queue takes depends on what the calls enqueue. The
// batch that fits also fills the cache. To try too many costs the hold's patience, half a second, so what was found
// holds for all work of the kind.
int batch_that_fits(const Work& work, const Rig::Preparation& how, int calls, const DeviceSampling& sampling) {
  static std::map<Engine, int> most_operations;
  const auto [most, is_new] = most_operations.try_emplace(sampling.engine, kLaunchesBehindHold);
  const int operations = std::max(1, sampling.launches);
  calls = std::clamp(most->second / operations, 1, calls);
  for (;; calls /= 2) {
    try {
      Rig::get().batch(work, calls, how);
      return calls;
    } catch (const HeldUp&) {
      if (calls == 1) throw;
      most->second = calls / 2 * operations;
    }
  }
}

void sample_hot(const record::Workload& workload, const Work& work, const DeviceSampling& how, double call_s) {
  const std::int64_t earlier = harness::calls_of_earlier_rounds(record::Mode::hot);
  const Rig::Preparation warm = preparation(how, false);
  const int wanted = earlier > 0 ? static_cast<int>(earlier) : batch_size(call_s, how.launches);
  const int calls = earlier > 0 ? wanted : batch_that_fits(work, warm, wanted, how);
  if (earlier > 0) Rig::get().batch(work, calls, warm);  // fills the cache
  Allowance allowed = harness::allowance();
  const int rounds = harness::options().rounds;
  allowed.min_samples = std::min(allowed.min_samples, (kFewestBatches + rounds - 1) / rounds);
  allowed.max_samples = std::min(allowed.max_samples, (kMostBatches + rounds - 1) / rounds);
  Sampled taken =
      take(record::Mode::hot, how.engine, calls, allowed, [&] { return Rig::get().batch(work, calls, warm); });
  harness::keep(workload, std::move(taken.series), taken.timed_s);
}

void sample_call_to_completion(benchmark::State& state, const record::Workload& workload, const Work& work,
                               const DeviceSampling& how) {
  const cudaStream_t stream = Rig::get().stream();
  harness::HostSampling host;
  host.warm_up = 1;  // the device has just done it many times
  if (how.before || how.host_cold) {
    host.calls = 1;
    host.before = [&] {
      if (how.before) how.before(stream);
      if (how.host_cold) Rig::get().flush();
      cuda::check(cudaStreamSynchronize(stream));
    };
  }
  harness::sample_host(
      state, workload,
      [&] {
        work(stream);
        wait_for_all(how);
      },
      host);
}

void run_once(const record::Workload& workload, const Work& work, const DeviceSampling& how) {
  const cudaStream_t stream = Rig::get().stream();
  if (how.before) how.before(stream);
  work(stream);
  wait_for_all(how);
  harness::keep(workload, {}, 0);
}

}  // namespace

void sample_device(benchmark::State& state, const record::Workload& workload, const Work& work,
                   const DeviceSampling& how) {
  if (harness::options().once) {
    run_once(workload, work, how);
    return;
  }
  warm_up(work, how);
  harness::begin_sampling();
  if (const std::int64_t set_aside = Rig::get().begin_series(); set_aside > 0) {
    harness::set_counter("l2_set_aside", {static_cast<double>(set_aside), "bytes", record::Better::none, true});
  }
  if (harness::options().sustained) {
    sample_sustained(workload, work, how);
    return;
  }
  double call_s = 0;
  if (how.cold) call_s = sample_cold(workload, work, how);
  if (how.hot) {
    if (!how.cold) {
      call_s = std::max(Rig::get().once(work, preparation(how, false)).events_s - Rig::get().floor_s(how.engine), 0.0);
    }
    sample_hot(workload, work, how, call_s);
  }
  if (how.host_too) sample_call_to_completion(state, workload, work, how);
}

double quick_time_s(const std::function<void(cudaStream_t)>& work, int samples, Engine engine) {
  if (harness::options().once) return 0;
  harness::begin_sampling();
  Rig& rig = Rig::get();
  work(rig.stream());
  cuda::check(cudaStreamSynchronize(rig.stream()));

  std::vector<Rig::Sample> taken;
  for (int i = 0; i < samples; ++i) taken.push_back(rig.once(work, {}));
  rig.collect(taken);

  const double floor_s = rig.floor_s(engine);
  std::vector<double> times_s;
  for (const Rig::Sample& sample : taken) {
    times_s.push_back(sample.activity_s ? *sample.activity_s : std::max(sample.events_s - floor_s, 0.0));
  }
  return stats::median(times_s);
}

}  // namespace cupel::timing
