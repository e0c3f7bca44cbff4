#include "cupel/timing/sample_device.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "cupel/harness/clock.hpp"
#include "cupel/harness/sample_host.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/timing/rig.hpp"

namespace cupel::timing {
namespace {

using harness::Allowance;
using harness::Clock;
using harness::seconds_since;

constexpr int kWarmUpLaunches = 3;
constexpr double kWarmUp_s = 0.005;
constexpr std::size_t kFewestSamples = 3;  // a round, however slow
constexpr double kBatch_s = 1e-3;          // a hot batch lasts this long
constexpr int kLaunchesBehindGate = 500;   // a held stream takes about 1000 operations
constexpr int kFewestBatches = 20;         // in all rounds together
constexpr int kMostBatches = 40;

Rig::Preparation preparation(const DeviceSampling& how, bool flush) {
  return {.before = how.before, .prime = how.prime, .flush = flush, .beside = how.beside};
}

void wait_for_all(const DeviceSampling& how) {
  cuda::check(cudaStreamSynchronize(Rig::get().stream()));
  if (how.beside) cuda::check(cudaStreamSynchronize(Rig::get().beside()));
}

double floor_of(Engine engine) {
  const record::Calibration& calibration = Rig::get().calibration();
  return engine == Engine::copy ? calibration.event_floor_copy_s : calibration.event_floor_kernel_s;
}

// Not behind the gate: the first launch of a kernel loads its module, which waits for the stream.
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

struct Taken {
  std::vector<Rig::Sample> samples;
  double timed_s = 0;
  record::Stop stop = record::Stop::count;
};

// Samples until the interval is narrow enough, the count is full or the wall time is up.
Taken take(record::Mode mode, const Allowance& allowed, const std::function<Rig::Sample()>& sample) {
  Taken taken;
  std::vector<double> times_s;
  const Clock::time_point start = Clock::now();
  while (static_cast<int>(times_s.size()) < allowed.max_samples) {
    taken.samples.push_back(sample());
    times_s.push_back(taken.samples.back().events_s);
    taken.timed_s += times_s.back();
    const std::size_t n = times_s.size();
    if (harness::time_to_ask(n, allowed) && harness::precise_enough(mode, times_s)) {
      taken.stop = record::Stop::precision;
      break;
    }
    if (seconds_since(start) > allowed.wall_s && n >= kFewestSamples) {
      taken.stop = record::Stop::wall;
      break;
    }
  }
  Rig::get().collect(taken.samples);
  return taken;
}

// One call's times: by CUPTI where it watched, and then there is nothing to correct; else by events.
record::Series series_of(record::Mode mode, const Taken& taken, int calls, double floor_s) {
  const bool refereed = !taken.samples.empty() && taken.samples.front().activity_s.has_value();
  record::Series series;
  series.mode = mode;
  series.calls_per_sample = calls;
  series.stop = taken.stop;
  series.resolution_s = Rig::get().calibration().event_resolution_s / calls;
  series.floor_s = refereed ? 0 : floor_s / calls;
  series.correction_s = series.floor_s;
  for (const Rig::Sample& sample : taken.samples) {
    series.samples_s.push_back((refereed ? *sample.activity_s : sample.events_s) / calls);
  }
  return series;
}

void sample_cold(const record::Workload& workload, const Work& work, const DeviceSampling& how, double& location_s) {
  Rig::Preparation cold = preparation(how, true);
  cold.bytes_written = workload.bytes_written;
  const Taken taken = take(record::Mode::cold, harness::allowance(), [&] { return Rig::get().once(work, cold); });
  record::Series series = series_of(record::Mode::cold, taken, 1, floor_of(how.engine));
  location_s = stats::interquartile_mean(series.corrected_s());
  harness::keep(workload, std::move(series), taken.timed_s);
}

// A batch lasts kBatch_s, and all of it fits behind the gate, so that the device never waits for a launch.
int batch_size(double call_s, int launches) {
  const double wanted = std::ceil(kBatch_s / std::max(call_s, 1e-7));
  const int fits = std::max(1, kLaunchesBehindGate / std::max(1, launches));
  return static_cast<int>(std::clamp(wanted, 1.0, static_cast<double>(fits)));
}

// As many calls as fit behind the gate, found by trying: how much a queue takes depends on what the calls enqueue. The
// batch that fits also fills the cache. To try too many costs the gate's patience, two seconds, so what was found holds
// for all work of the kind.
int batch_that_fits(const Work& work, const Rig::Preparation& how, int calls, const DeviceSampling& sampling) {
  static std::map<Engine, int> most_operations;
  const auto [most, is_new] = most_operations.try_emplace(sampling.engine, kLaunchesBehindGate);
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
  const Taken taken = take(record::Mode::hot, allowed, [&] { return Rig::get().batch(work, calls, warm); });
  harness::keep(workload, series_of(record::Mode::hot, taken, calls, floor_of(how.engine)), taken.timed_s);
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
  Rig::get().begin_series();
  double call_s = 0;
  if (how.cold) sample_cold(workload, work, how, call_s);
  if (how.hot) {
    if (!how.cold)
      call_s = std::max(Rig::get().once(work, preparation(how, false)).events_s - floor_of(how.engine), 0.0);
    sample_hot(workload, work, how, call_s);
  }
  if (how.host_too) sample_call_to_completion(state, workload, work, how);
}

}  // namespace cupel::timing
