// Time of work that all ranks do together: a sample is the slowest rank's.
#pragma once

#include <functional>
#include <vector>

#include "cupel/record/series.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::bench::collective {

/// Enqueues so many calls of the work on the streams of all ranks, back to back, and waits for none.
using Enqueue = std::function<void(int calls)>;

/// Seconds by each rank's own events.
struct Spans {
  std::vector<double> stream_s;
  std::vector<double> beside_s;  ///< empty where nothing is beside
};

struct HeldSampling {
  record::Engine engine = record::Engine::kernel;
  /// Behind the hold, right before the first event: a short operation of the same kind (copies need it).
  std::function<void()> prime = {};
  /// Work is on Rank::beside, too: both streams of a rank are let go at once.
  bool beside = false;
  /// Calls in a sample; 0: as many as last a millisecond.
  int calls = 0;
  /// No more than these fit behind a hold, whose queue takes about 1000 operations.
  int most_calls = 100;
  /// A sample is the slowest rank's time of this.
  std::vector<double> Spans::*timed = &Spans::stream_s;
};

/// Once: every GPU is held until all is enqueued, and then all are let go together, within a fraction of a microsecond.
/// Throws timing::HeldUp, CollectiveFailed.
Spans held_once(const std::function<void()>& enqueue, const HeldSampling& how = {});

/// The median over `times` of held_once(), the slowest rank of what is timed. After one that is not kept.
double median_held_s(const std::function<void()>& enqueue, const HeldSampling& how, int times = 7);

/// Device time, back to back, as record::Mode::hot; the slowest rank's median, and each rank's as counters. What a
/// pair of events costs is taken off.
void sample_held(const record::Workload& work, const Enqueue& enqueue, const HeldSampling& how = {});

/// Which clock a host time is of. recovered: every sample begins at it, or after 20 ms of work at most, so that ways
/// that draw more power and less are compared at one clock.
enum class Clocks { as_the_work_leaves_them, recovered };

/// Host time as record::Mode::host, from the first call until all ranks are done, divided by the calls: the host's
/// launches are in it. calls: 0 for as many as last ten milliseconds, 1000 at most.
void sample_launched(const record::Workload& work, const Enqueue& enqueue, int calls = 0,
                     Clocks clocks = Clocks::as_the_work_leaves_them);

/// The work as a graph of many calls for each rank: device time and then host time of the same.
void sample_graph(const record::Workload& work, const std::function<void()>& call);

}  // namespace cupel::bench::collective
