// The rig of one process, with which it times work on its device, made once: the stream that is timed, the hold, the
// flush, the events, and what an event pair costs here.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cupel/cuda/cuda.hpp"
#include "cupel/record/calibration.hpp"
#include "cupel/record/floor.hpp"
#include "cupel/record/series.hpp"
#include "cupel/timing/clock_span.hpp"
#include "cupel/timing/cupti_referee.hpp"
#include "cupel/timing/flush.hpp"
#include "cupel/timing/hold.hpp"
#include "cupel/timing/memory_watch.hpp"
#include "cupel/timing/sm_clock.hpp"

namespace cupel::timing {

/// A piece of work, which is enqueued on the stream it is given.
using Work = std::function<void(cudaStream_t)>;

/// Thrown when the hold gave up: the work waits for its stream, or does not fit into the queue behind the hold.
class HeldUp : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns the shortest work on devices of that compute capability, as CUPTI once showed it, or, where nobody has
/// looked, as assumed. `cupel run` has CUPTI look on the device at hand, where it is installed, and that goes before
/// this table.
record::ShortestWork shortest_work(int compute_major, int compute_minor);

/// Times work on this process's device: each sample is the work behind a hold, between two events, in seconds. Used by
/// one thread; sample_device() is the door for benchmarks.
class Rig {
 public:
  /// Returns the process's rig, made at the first call: wakes the device, finds its clock, a quick stream and what
  /// measuring costs. With --cupel_once it does none of that, and only its streams may be used. Throws CudaError;
  /// std::runtime_error where launches wait for the device (CUDA_LAUNCH_BLOCKING, some profilers).
  static Rig& get();

  /// Returns the stream of the work that is timed: the quickest of many, see quick_streams().
  cudaStream_t stream() const { return stream_; }
  /// Returns a second stream for work that runs beside the timed one, made right after it: the driver deals streams out
  /// to a few queues (CUDA_DEVICE_MAX_CONNECTIONS, 8 by default) in turn, and two that share one run one after the
  /// other.
  cudaStream_t beside() const { return beside_; }
  /// Returns the device's SM clock, and the wait for it to recover.
  SmClock& clock() { return clock_; }
  /// Returns the watch on the device's memory.
  MemoryWatch& memory() { return memory_; }
  /// Returns the cost of measuring, as read so far.
  const record::Calibration& calibration() const { return calibration_; }

  /// Reads what a pair of events around the shortest work says now, and pools it with the earlier readings into the
  /// floors of the calibration. Waits for the clock to recover.
  void read_event_pair(int round);
  /// Returns the seconds that a pair of events adds to work of that engine.
  double floor_s(record::Engine engine) const;

  /// The times of one sample, in seconds.
  struct Sample {
    double events_s = 0;               ///< between two events around the work, as read
    double enqueue_s = 0;              ///< host time to enqueue the work while the stream is held
    std::optional<double> activity_s;  ///< from the first start to the last end of the work's operations, by CUPTI
  };

  /// The preparation of a sample.
  struct Preparation {
    Work before = {};   ///< enqueued ahead of the hold
    Work prime = {};    ///< enqueued behind the hold, right before the first event: a short operation of the same kind,
                        ///< which puts the stream on the engine that does the work
    bool flush = true;  ///< L2 is cold when the work starts
    std::int64_t bytes_written = 0;  ///< bytes the work writes. From the size of L2 on, the flush writes too, so that
                                     ///< the work starts with a dirty L2
    bool beside = false;  ///< the work is on beside() too: both streams are released at once, and the time is from the
                          ///< first start to the last end on either
  };

  /// Times the work once, enqueued behind the hold. Throws HeldUp.
  Sample once(const Work& work, const Preparation& how);

  /// Times the work `calls` times back to back behind one hold, L2 as the work leaves it. Times are for all calls
  /// together. Throws HeldUp.
  Sample batch(const Work& work, int calls, const Preparation& how);

  /// Waits until clock and memory are as on an idle device; false when the time ran out, which take_unsettled() tells.
  bool settle();

  /// Begins a series: ends persisting L2 lines and returns the bytes that were set aside for them. Settles again if the
  /// clock was last read over 20 ms ago, since making inputs on the host may have let it fall; not noted for sustained
  /// work.
  std::int64_t begin_series();

  /// Makes the L2 cold now; waits.
  void flush();

  /// Returns one mean SM clock in Hz for each sample that follows one of 0.2 ms or more, since the last call or
  /// begin_series().
  std::vector<double> take_clocks_hz() { return std::exchange(clocks_hz_, {}); }

  /// The SM clock while work runs.
  ClockSpan& clock_span() { return clock_span_; }

  /// Records whether work that went on back to back came to rest, and at which clock; for take_clocks_hz() and
  /// take_unsettled().
  void saw_sustained(bool steady, std::optional<double> clock_hz);
  /// Records that the clock of one of the GPUs that work together had not settled.
  void saw_unsettled_clock() { unsettled_.insert("clock"); }
  /// Returns the parts that had not settled since the last call, by the names of record::Telemetry.
  std::set<std::string> take_unsettled() { return std::exchange(unsettled_, {}); }

  /// Returns, with --cupel_timer=cupti, the median seconds that an empty kernel and a copy of 4 bytes to the host take
  /// by the device's own account.
  record::ShortestWork read_shortest_work();

  /// Completes, with --cupel_timer=cupti, the activity_s of samples taken since the last call, in order.
  void collect(std::vector<Sample>& samples);

 private:
  Rig();
  void take_quick_streams();
  void calibrate();
  std::vector<Sample> shortest_kernels();
  std::vector<Sample> shortest_copies();
  std::vector<Sample> pair_samples(const Work& work, const Preparation& how);
  Sample timed(const Work& work, int calls, const Preparation& how);
  void record(const cuda::Event& here, const cuda::Event& there, bool beside);
  double span_s(bool beside) const;

  CuptiReferee* referee_;  // first: it has to be there before the context is
  cuda::Stream stream_;
  cuda::Stream beside_;
  cuda::Event origin_;  // before the hold, for what is on both streams
  cuda::Event start_;
  cuda::Event stop_;
  cuda::Event start_beside_;
  cuda::Event stop_beside_;
  ClockSpan clock_span_;
  std::vector<double> clocks_hz_;
  static constexpr std::size_t kPrimeBytes = 1 << 16;
  cuda::DeviceBuffer<char> short_copy_from_{kPrimeBytes};
  cuda::PinnedBuffer<char> short_copy_to_{kPrimeBytes};
  std::set<std::string> unsettled_;
  double last_s_ = 0;  // of a sample, in this series
  Hold hold_;
  Flush flush_;
  MemoryWatch memory_{flush_};
  SmClock clock_;
  record::Calibration calibration_;
};

}  // namespace cupel::timing
