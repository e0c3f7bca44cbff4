#include "cupel/timing/rig.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "cupel/harness/run.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/empty_kernel.hpp"
#include "cupel/timing/quick_streams.hpp"

namespace cupel::timing {
namespace {

using cuda::elapsed_s;

// What the shortest works take by the device's own account (CUPTI, H200, driver 580: an empty kernel 0.54 to 0.64 us, a
// copy of 4 bytes to the host 1.54 us). The event pair around them reads longer; the difference is what the pair costs.
// The kernel's is set at the low end: kernels that fill the device show 0.2 us more cost than an empty one.
constexpr double kEmptyKernel_s = 0.5e-6;
constexpr double kShortestCopy_s = 1.5e-6;

constexpr int kCalibrationSamples = 200;

// Work of that length gets two kernels of a few microseconds around its events, and a power limit may lower its clock.
constexpr double kReadsClock_s = 200e-6;

double smallest_difference(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double least = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double difference = values[i] - values[i - 1];
    if (difference > 1e-10 && (least == 0 || difference < least)) least = difference;
  }
  return least;
}

}  // namespace

Rig& Rig::get() {
  // Never destroyed: the driver may be gone before statics are, or its context beyond use.
  static Rig& rig = *new Rig;
  return rig;
}

Rig::Rig() : referee_(harness::options().timer == "cupti" ? &CuptiReferee::get() : nullptr) {
  if (harness::options().once) return;  // a profiler that runs kernels one by one would hold the gate closed
  clock_.warm_up(stream_);
  gate_.load(stream_);
  stream_.synchronize();
  gate_.close(stream_);
  gate_.open();
  stream_.synchronize();
  if (gate_.stood_open_by_itself()) {
    throw std::runtime_error(
        "launches wait for the device here (CUDA_LAUNCH_BLOCKING=1, or a tool that runs kernels one by one), so "
        "nothing "
        "can be timed: unset it, or run each benchmark once and untimed (--cupel_once)");
  }
  take_quick_streams();
  calibrate();
}

void Rig::take_quick_streams() {
  LaunchProbe probe(gate_);
  QuickStreams quick = quick_streams(probe);
  stream_ = std::move(quick.stream);
  beside_ = std::move(quick.beside);
  calibration_.launch_spacing_s = quick.launch_spacing_s;
  calibration_.slowest_launch_spacing_s = quick.slowest_launch_spacing_s;
}

void Rig::calibrate() {
  cuda::DeviceBuffer<char> there(1 << 16);
  cuda::PinnedBuffer<char> here(1 << 16);
  cuda::check(cudaMemset(there.data(), 0, there.size_bytes()));
  const auto copy = [&](std::size_t bytes) {
    return [&, bytes](cudaStream_t s) {
      cuda::check(cudaMemcpyAsync(here.data(), there.data(), bytes, cudaMemcpyDeviceToHost, s));
    };
  };
  const auto samples_of = [&](const Work& work, const Preparation& how) {
    std::vector<double> samples;
    for (int i = 0; i < kCalibrationSamples; ++i) samples.push_back(once(work, how).events_s);
    return samples;
  };
  launch_empty(stream_);
  stream_.synchronize();
  const std::vector<double> kernels = samples_of(launch_empty, {.flush = false});
  const std::vector<double> copies = samples_of(copy(4), {.prime = copy(1 << 16), .flush = false});

  calibration_.event_floor_kernel_s = std::max(stats::median(kernels) - kEmptyKernel_s, 0.0);
  calibration_.event_floor_copy_s = std::max(stats::median(copies) - kShortestCopy_s, 0.0);
  std::vector<double> all = kernels;
  all.insert(all.end(), copies.begin(), copies.end());
  calibration_.event_resolution_s = smallest_difference(all);
  calibration_.flush = "read, or write for work that writes as much as L2 holds";
  calibration_.flush_bytes = flush_.bytes();
  if (referee_ != nullptr) referee_->forget();
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
  if (how.beside) cuda::check(cudaEventRecord(origin_, stream_));
  {
    const OpenGate open{gate_};
    if (how.beside) {
      gate_.close(stream_, beside_);
    } else {
      gate_.close(stream_);
    }
    if (reads_clock) clock_span_.begin(stream_);
    if (how.prime) how.prime(stream_);
    record(start_, start_beside_, how.beside);
    const CuptiReferee::Watch watch(referee_);
    for (int i = 0; i < calls; ++i) work(stream_);
    record(stop_, stop_beside_, how.beside);
  }
  if (reads_clock) clock_span_.end(stream_);
  stream_.synchronize();
  if (how.beside) beside_.synchronize();
  if (gate_.stood_open_by_itself()) {
    throw HeldUp(
        "the work waits for its stream or enqueues more than the queue holds, so it cannot be timed behind a gate: "
        "measure it by the host clock");
  }
  last_s_ = span_s(how.beside);
  if (const auto hz = reads_clock ? clock_span_.hz() : std::nullopt) clocks_hz_.push_back(*hz);
  return {last_s_, std::nullopt};
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

void Rig::begin_series() {
  constexpr std::chrono::milliseconds kForgotten{20};
  flush_.end_persistence();
  last_s_ = 0;
  clocks_hz_.clear();
  if (clock_.last_looked_at_before(kForgotten)) settle();
}

bool Rig::settle() {
  const bool memory_is_free = memory_.settle(stream_);  // first: the wait may let the clock fall
  return clock_.settle(stream_) && memory_is_free;
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
