#include "cupel/timing/rig.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "cupel/harness/run.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/stats/location.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/quick_streams.hpp"
#include "cupel/timing/this_device.hpp"

namespace cupel::timing {
namespace {

using Clock = std::chrono::steady_clock;
using cuda::elapsed_s;

constexpr std::size_t kShortCopyBytes = 4;
constexpr int kSamplesOfAPair = 100;

// From this length on, work is long enough for a power limit to lower its clock, and the two kernels of a few
// microseconds that read the clock around its events do not matter.
constexpr double kReadsClock_s = 200e-6;

std::vector<double> events_s(const std::vector<Rig::Sample>& samples) {
  std::vector<double> times_s;
  for (const Rig::Sample& sample : samples) times_s.push_back(sample.events_s);
  return times_s;
}

// The step of the clock that events read: the least difference between any two of their times.
double smallest_difference(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double least = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double difference = values[i] - values[i - 1];
    if (difference > 1e-10 && (least == 0 || difference < least)) least = difference;
  }
  return least;
}

struct Seen {
  int major, minor;
  double kernel_s, copy_s;
  const char* source;
};

// H200s, driver 580: an empty kernel 0.54 to 0.64 us, and a copy of 4 bytes to the host, which has the way to the host
// in it, 1.41 and 1.54 us on boards alone in their host and 2.21 on two that share one. The kernel's is set at the low
// end: kernels that fill the device show 0.2 us more cost than an empty one.
constexpr std::array kSeen{Seen{9, 0, 0.5e-6, 1.5e-6, "the low end of what CUPTI saw on NVIDIA H200s, driver 580"}};

}  // namespace

record::ShortestWork shortest_work(int compute_major, int compute_minor) {
  for (const Seen& seen : kSeen) {
    if (seen.major == compute_major && seen.minor == compute_minor) return {seen.kernel_s, seen.copy_s, seen.source};
  }
  return {kSeen[0].kernel_s, kSeen[0].copy_s, "assumed, as on an NVIDIA H200"};
}

Rig& Rig::get() {
  // Never destroyed: the driver may be gone before statics are, or its context beyond use.
  static Rig& rig = *new Rig;
  return rig;
}

Rig::Rig() : referee_(harness::options().timer == "cupti" ? &CuptiReferee::get() : nullptr) {
  if (harness::options().once) return;  // a profiler that runs kernels one by one would wait for the hold to end
  clock_.warm_up(stream_);
  hold_.load(stream_);
  stream_.synchronize();
  hold_.begin(stream_);
  hold_.release();
  stream_.synchronize();
  if (hold_.gave_up()) {
    throw std::runtime_error(
        "launches wait for the device here (CUDA_LAUNCH_BLOCKING=1, or a tool that runs kernels one by one), so "
        "nothing "
        "can be timed: unset it, or run each benchmark once and untimed (--cupel_once)");
  }
  take_quick_streams();
  calibrate();
  read_event_pair(0);
}

void Rig::take_quick_streams() {
  LaunchSpacing spacing(hold_);
  QuickStreams quick = quick_streams(spacing);
  stream_ = std::move(quick.stream);
  beside_ = std::move(quick.beside);
  calibration_.launch_spacing_s = quick.launch_spacing_s;
  calibration_.slowest_launch_spacing_s = quick.slowest_launch_spacing_s;
}

void Rig::calibrate() {
  cuda::check(cudaMemset(short_copy_from_.data(), 0, short_copy_from_.size_bytes()));
  launch_empty(stream_);
  stream_.synchronize();
  const record::DeviceInfo& device = this_device();
  record::set_shortest_work(calibration_, shortest_work(device.compute_major, device.compute_minor));
  calibration_.event_resolution_s = smallest_difference(events_s(shortest_kernels()));
  calibration_.flush = "read, or write for work that writes as much as L2 holds";
  calibration_.flush_bytes = flush_.bytes();
}

void Rig::read_event_pair(int round) {
  settle();
  take_unsettled();  // of no benchmark
  const auto middle_s = [](const std::vector<Sample>& samples) { return stats::interquartile_mean(events_s(samples)); };
  calibration_.event_pairs.push_back({.process = harness::options().process,
                                      .round = round,
                                      .kernel_s = middle_s(shortest_kernels()),
                                      .copy_s = middle_s(shortest_copies())});
  record::pool_floor(calibration_);
  if (referee_ != nullptr) referee_->forget();
}

double Rig::floor_s(record::Engine engine) const {
  return engine == record::Engine::copy ? calibration_.event_floor_copy_s : calibration_.event_floor_kernel_s;
}

record::ShortestWork Rig::read_shortest_work() {
  const auto median_s = [this](std::vector<Sample> samples) {
    collect(samples);
    std::vector<double> spans_s;
    for (const Sample& sample : samples) spans_s.push_back(sample.activity_s.value());
    return stats::median(spans_s);
  };
  const double kernel_s = median_s(shortest_kernels());
  return {kernel_s, median_s(shortest_copies()), "CUPTI"};
}

std::vector<Rig::Sample> Rig::shortest_kernels() { return pair_samples(launch_empty, {.flush = false}); }

std::vector<Rig::Sample> Rig::shortest_copies() {
  const auto copy = [this](std::size_t bytes) {
    return [this, bytes](cudaStream_t s) {
      cuda::check(cudaMemcpyAsync(short_copy_to_.data(), short_copy_from_.data(), bytes, cudaMemcpyDeviceToHost, s));
    };
  };
  return pair_samples(copy(kShortCopyBytes), {.prime = copy(kPrimeBytes), .flush = false});
}

std::vector<Rig::Sample> Rig::pair_samples(const Work& work, const Preparation& how) {
  last_s_ = 0;  // no clock is read around these
  std::vector<Sample> samples;
  for (int i = 0; i < kSamplesOfAPair; ++i) samples.push_back(once(work, how));
  return samples;
}

Rig::Sample Rig::once(const Work& work, const Preparation& how) { return timed(work, 1, how); }

Rig::Sample Rig::batch(const Work& work, int calls, const Preparation& how) {
  Preparation warm = how;
  warm.flush = false;
  return timed(work, calls, warm);
}

Rig::Sample Rig::timed(const Work& work, int calls, const Preparation& how) {
  if (how.before) how.before(stream_);
  if (how.flush) {
    flush_.run(stream_, how.bytes_written >= flush_.cache_bytes() ? Flush::Leaves::dirty : Flush::Leaves::clean);
  }
  stream_.synchronize();
  const bool reads_clock = last_s_ >= kReadsClock_s;
  double enqueue_s = 0;
  if (how.beside) cuda::check(cudaEventRecord(origin_, stream_));
  {
    const Release release{hold_};
    if (how.beside) {
      hold_.begin(stream_, beside_);
    } else {
      hold_.begin(stream_);
    }
    if (reads_clock) clock_span_.begin(stream_);
    if (how.prime) how.prime(stream_);
    record(start_, start_beside_, how.beside);
    const CuptiReferee::Watch watch(referee_);
    const Clock::time_point enqueuing = Clock::now();
    for (int i = 0; i < calls; ++i) work(stream_);
    enqueue_s = std::chrono::duration<double>(Clock::now() - enqueuing).count();
    record(stop_, stop_beside_, how.beside);
  }
  if (reads_clock) clock_span_.end(stream_);
  stream_.synchronize();
  if (how.beside) beside_.synchronize();
  if (hold_.gave_up()) {
    throw HeldUp(
        "the work waits for its stream or enqueues more than the queue holds, so it cannot be timed behind a hold: "
        "measure it by the host clock");
  }
  last_s_ = span_s(how.beside);
  if (const auto hz = reads_clock ? clock_span_.hz() : std::nullopt) clocks_hz_.push_back(*hz);
  return {last_s_, enqueue_s, std::nullopt};
}

void Rig::record(const cuda::Event& here, const cuda::Event& there, bool beside) {
  cuda::check(cudaEventRecord(here, stream_));
  if (beside) cuda::check(cudaEventRecord(there, beside_));
}

// All events read one clock, whatever stream they are on.
double Rig::span_s(bool beside) const {
  if (!beside) return elapsed_s(start_, stop_);
  return std::max(elapsed_s(origin_, stop_), elapsed_s(origin_, stop_beside_)) -
         std::min(elapsed_s(origin_, start_), elapsed_s(origin_, start_beside_));
}

std::int64_t Rig::begin_series() {
  constexpr std::chrono::milliseconds kForgotten{20};
  const std::int64_t set_aside = flush_.end_persistence();
  last_s_ = 0;
  clocks_hz_.clear();
  if (clock_.last_looked_at_before(kForgotten)) {
    const std::set<std::string> marks = unsettled_;
    settle();
    // Sustained work brings the device to a clock of its own, so that an unsettled one here is no fault.
    if (harness::options().sustained) unsettled_ = marks;
  }
  return set_aside;
}

void Rig::saw_sustained(bool steady, std::optional<double> clock_hz) {
  if (!steady) unsettled_.insert("pace");
  if (clock_hz) clocks_hz_.push_back(*clock_hz);
}

bool Rig::settle() {
  const bool memory_is_free = memory_.settle(stream_);  // first: the wait may let the clock fall
  const bool clock_is_back = clock_.settle(stream_);
  if (!memory_is_free) unsettled_.insert("memory");
  if (!clock_is_back) unsettled_.insert("clock");
  return clock_is_back && memory_is_free;
}

void Rig::flush() {
  flush_.run(stream_);
  stream_.synchronize();
}

void Rig::collect(std::vector<Sample>& samples) {
  if (referee_ == nullptr) return;
  const std::vector<double> spans = referee_->collect(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].activity_s = spans[i];
}

}  // namespace cupel::timing
