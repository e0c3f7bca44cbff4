#include "cupel/timing/sustained.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "cupel/harness/clock.hpp"
#include "cupel/timing/steady.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::timing {
namespace {

using harness::Clock;
using harness::seconds_since;

constexpr double kSustainedBatch_s = 5e-3;
constexpr int kMostLaunches = 250;    // of one batch; a stream takes about 1000
constexpr double kLaunchBound = 0.9;  // the host's share of the device's time, from which on the device may wait
constexpr double kLongest_s = 10;     // until it is steady
constexpr double kSampled_s = 1;      // a few times up and down at the power limit

// Batches that follow each other without a gap: one is timed while the next ones are enqueued already.
class BackToBack {
 public:
  BackToBack(const Work& work, const DeviceSampling& how, int calls) : work_(work), how_(how), calls_(calls) {
    for (Batch& batch : batches_) enqueue(batch);
  }
  ~BackToBack() { cudaStreamSynchronize(stream_); }
  BackToBack(const BackToBack&) = delete;
  BackToBack& operator=(const BackToBack&) = delete;

  /// Seconds of the oldest batch, whose place the next one takes.
  double next_s() {
    Batch& batch = batches_[oldest_];
    oldest_ = (oldest_ + 1) % batches_.size();
    cuda::check(cudaEventSynchronize(batch.stop));
    const double time_s = cuda::elapsed_s(batch.start, batch.stop);
    enqueue(batch);
    return time_s;
  }

 private:
  struct Batch {
    cuda::Event start, stop;
  };

  void enqueue(const Batch& batch) {
    if (how_.before) how_.before(stream_);
    cuda::check(cudaEventRecord(batch.start, stream_));
    for (int i = 0; i < calls_; ++i) work_(stream_);
    cuda::check(cudaEventRecord(batch.stop, stream_));
  }

  const Work& work_;
  const DeviceSampling& how_;
  int calls_;
  cudaStream_t stream_ = Rig::get().stream();
  std::array<Batch, 3> batches_;
  std::size_t oldest_ = 0;
};

int calls_of_a_batch(const Work& work, const DeviceSampling& how) {
  Rig& rig = Rig::get();
  const Rig::Sample one = rig.batch(work, 1, {.before = how.before, .flush = false});
  const double call_s = std::max(one.events_s - rig.floor_s(how.engine), 1e-7);
  const int most = std::max(1, kMostLaunches / std::max(1, how.launches));
  return static_cast<int>(std::clamp(std::ceil(kSustainedBatch_s / call_s), 1.0, static_cast<double>(most)));
}

void require_that_the_host_keeps_up(const Work& work, const DeviceSampling& how, int calls) {
  Rig& rig = Rig::get();
  const Rig::Sample held = rig.batch(work, calls, {.before = how.before, .flush = false});
  const double device_s = held.events_s - rig.floor_s(how.engine);
  if (held.enqueue_s < kLaunchBound * device_s) return;
  std::array<char, 160> reason{};
  std::snprintf(reason.data(), reason.size(),
                "to launch it takes the host %.2f us and to run it the device %.2f us: it cannot be kept back to back",
                held.enqueue_s / calls * 1e6, device_s / calls * 1e6);
  harness::skip(reason.data());
}

Stretch next_stretch(BackToBack& batches, int calls) {
  Rig& rig = Rig::get();
  rig.clock_span().begin(rig.stream());
  double total_s = 0;
  int count = 0;
  for (; total_s < kStretch_s; ++count) total_s += batches.next_s();
  rig.clock_span().end(rig.stream());
  const std::optional<double> power = power_w();  // while what is enqueued still runs
  cuda::check(cudaStreamSynchronize(rig.stream()));
  return {total_s / count / calls, rig.clock_span().hz(), power};
}

// The energy of a call by the driver's counter, which moves every so often: between the first and the last time
// that it was seen to move.
class EnergyOfCalls {
 public:
  void saw(int calls) {
    calls_ += calls;
    const std::optional<double> now_j = energy_j();
    if (!now_j || now_j == last_j_) return;
    if (last_j_ && !first_) first_ = Seen{*now_j, calls_};
    last_j_ = now_j;
    last_ = Seen{*now_j, calls_};
  }

  // Nothing where it moved too seldom to tell.
  std::optional<double> of_a_call() const {
    constexpr std::int64_t kLeastCalls = 2;
    if (!first_ || last_.calls - first_->calls < kLeastCalls) return std::nullopt;
    return (last_.energy_j - first_->energy_j) / static_cast<double>(last_.calls - first_->calls);
  }

 private:
  struct Seen {
    double energy_j = 0;
    std::int64_t calls = 0;
  };
  std::int64_t calls_ = 0;
  std::optional<double> last_j_;
  std::optional<Seen> first_;
  Seen last_;
};

}  // namespace

void sample_sustained(const record::Workload& workload, const Work& work, const DeviceSampling& how) {
  if (how.beside) harness::skip("work on two streams is not measured back to back");
  const std::int64_t earlier = harness::calls_of_earlier_rounds(record::Mode::sustained);
  const int calls = earlier > 0 ? static_cast<int>(earlier) : calls_of_a_batch(work, how);
  require_that_the_host_keeps_up(work, how, calls);

  BackToBack batches(work, how, calls);
  const Clock::time_point start = Clock::now();
  std::vector<Stretch> stretches;
  while (!is_steady(stretches) && seconds_since(start) < kLongest_s) stretches.push_back(next_stretch(batches, calls));
  Rig::get().saw_sustained(is_steady(stretches), stretches.back().clock_hz);

  record::Series series;
  series.mode = record::Mode::sustained;
  series.calls_per_sample = calls;
  series.resolution_s = Rig::get().calibration().event_resolution_s / calls;
  series.stop = record::Stop::wall;
  double timed_s = 0;
  EnergyOfCalls energy;
  while (timed_s < kSampled_s) {
    const double batch_s = batches.next_s();
    energy.saw(calls);
    timed_s += batch_s;
    series.samples_s.push_back(batch_s / calls);
  }
  if (const std::optional<double> call_j = energy.of_a_call()) {
    harness::set_counter("energy", {*call_j, "J", record::Better::lower});
  }
  harness::keep(workload, std::move(series), timed_s);
}

}  // namespace cupel::timing
