#include "bench/collective/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "bench/collective/by_rank.hpp"
#include "bench/collective/neighbour.hpp"
#include "bench/collective/rank_graphs.hpp"
#include "bench/collective/ranks.hpp"
#include "cupel/harness/clock.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/stats/quantile.hpp"
#include "cupel/timing/rig.hpp"

namespace cupel::bench::collective {
namespace {

using harness::Clock;
using harness::seconds_since;
using record::Mode;
using timing::Rig;

constexpr double kHeldSample_s = 1e-3;
// In a held sample: with one to three calls, 128 MiB and 1 GiB took 1 to 1.4 % longer than by nccl-tests (of other
// numbers).
constexpr int kFewestCalls = 8;
constexpr double kLongestForThem_s = 12e-3;
constexpr double kHostSample_s = 10e-3;  // of which waiting for all ranks is a thousandth
constexpr double kBurst_s = 20e-3;       // after so much work a power limit begins to take the clocks down
constexpr int kWarmUps = 2;
constexpr int kMostInGraph = 100;
constexpr int kMostLaunched = 1000;
constexpr int kBriefSamples = 10;  // of a round

void release(Ranks& ranks) {
  for (int rank = 0; rank < ranks.size(); ++rank) ranks[rank].hold.release();
}

// On every way out: a rank that stays held keeps its peers, which wait for it in a kernel.
struct ReleaseAll {
  Ranks& ranks;
  ~ReleaseAll() { release(ranks); }
};

void begin_holds(Ranks& ranks, bool beside) {
  ranks.each([&](int rank) {
    Rank& r = ranks[rank];
    if (beside) {
      r.hold.begin(r.stream, r.beside);
    } else {
      r.hold.begin(r.stream);
    }
  });
}

void record_on_all(Ranks& ranks, cuda::Event Rank::*on_stream, cuda::Event Rank::*on_beside, bool beside) {
  ranks.each([&](int rank) {
    Rank& r = ranks[rank];
    cuda::check(cudaEventRecord(r.*on_stream, r.stream));
    if (beside) cuda::check(cudaEventRecord(r.*on_beside, r.beside));
  });
}

void require_held(Ranks& ranks) {
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].hold.gave_up()) {
      throw timing::HeldUp("the work of rank " + std::to_string(rank) +
                           " waits for its stream, or is more than the queue behind a hold takes");
    }
  }
}

Spans spans_of(Ranks& ranks, bool beside) {
  Spans spans;
  ranks.each([&](int rank) {
    Rank& r = ranks[rank];
    spans.stream_s.push_back(cuda::elapsed_s(r.start, r.stop));
    if (beside) spans.beside_s.push_back(cuda::elapsed_s(r.start_beside, r.stop_beside));
  });
  return spans;
}

double slowest_s(const Spans& spans, const HeldSampling& how) { return std::ranges::max(spans.*how.timed); }

double launched_once_s(const Enqueue& enqueue, int calls) {
  const Clock::time_point start = Clock::now();
  enqueue(calls);
  Ranks::get().wait();
  return seconds_since(start);
}

// As everywhere, and on the other GPUs too.
void begin_sampling() {
  harness::begin_sampling();
  if (!Ranks::get().settle()) timing::Rig::get().saw_unsettled_clock();
}

// Loads kernels and lets NCCL connect, which it does at the first call of a kind.
void warm_up(const Enqueue& enqueue) {
  for (int i = 0; i < kWarmUps; ++i) launched_once_s(enqueue, 1);
}

double sample_of_s(Mode mode, double call_s) {
  if (mode == Mode::host) return kHostSample_s;
  return std::clamp(kFewestCalls * call_s, kHeldSample_s, kLongestForThem_s);
}

// trial_s: seconds of so many calls together.
int calls_that_last(const std::function<double(int calls)>& trial_s, Mode mode, int wanted, int most) {
  if (const std::int64_t earlier = harness::calls_of_earlier_rounds(mode); earlier > 0) {
    return static_cast<int>(earlier);
  }
  if (wanted > 0) return wanted;
  const int many = std::min(most, 8);
  const double call_s = std::max(trial_s(many) / many, 1e-7);
  const double calls = std::ceil(sample_of_s(mode, call_s) / call_s);
  return static_cast<int>(std::clamp(calls, 1.0, static_cast<double>(most)));
}

// The median of each rank, over all rounds up to now.
void count_ranks(Mode mode) {
  const record::Series& kept = *harness::kept_so_far(mode);
  for (std::size_t rank = 0; rank < kept.samples_by_rank_s.size(); ++rank) {
    harness::set_counter("rank_" + std::to_string(rank),
                         {stats::median(kept.samples_by_rank_s[rank]), "s", record::Better::lower, false});
  }
}

// Shows what a power limit has done to one of several GPUs: telemetry is of the GPU that the process measures.
void count_clocks() {
  Ranks& ranks = Ranks::get();
  ranks.each([&](int rank) {
    harness::set_counter("sm_clock_" + std::to_string(rank),
                         {ranks[rank].clock.read_hz(ranks[rank].stream), "Hz", record::Better::none, false});
  });
}

record::Series timed_by_events(const HeldSampling& how, int calls) {
  record::Series series;
  series.mode = Mode::hot;
  series.engine = how.engine;
  series.calls_per_sample = calls;
  series.resolution_s = Rig::get().calibration().event_resolution_s / calls;
  series.floor_s = series.correction_s = Rig::get().floor_s(how.engine) / calls;
  return series;
}

record::Series timed_by_host(int calls) {
  record::Series series;
  series.mode = Mode::host;
  series.calls_per_sample = calls;
  series.resolution_s = series.correction_s = series.floor_s = harness::clock_cost_s() / calls;
  return series;
}

// sample: seconds of all calls together, by each rank or once for all. Device times are of the clock that a burst
// finds; host times of what their own work makes of it, unless bursts are asked for.
void take(const record::Workload& work, record::Series series, const harness::Allowance& allowed,
          const std::function<std::vector<double>()>& sample, Clocks clocks = Clocks::as_the_work_leaves_them) {
  const bool in_bursts = series.mode == Mode::hot || clocks == Clocks::recovered;
  const auto calls = static_cast<double>(series.calls_per_sample);
  const Clock::time_point start = Clock::now();
  double timed_s = 0, burst_s = 0;
  std::optional<record::Stop> stop;
  while (!(stop = harness::reason_to_stop(series, allowed, seconds_since(start)))) {
    if (in_bursts && burst_s > kBurst_s) {
      Ranks::get().settle();
      burst_s = 0;
    }
    std::vector<double> taken_s = sample();
    burst_s += std::ranges::max(taken_s);
    timed_s += std::ranges::max(taken_s);
    for (double& of_rank_s : taken_s) of_rank_s /= calls;
    add_sample(series, taken_s);
  }
  series.stop = *stop;
  count_clocks();
  const Mode mode = series.mode;
  harness::keep(work, std::move(series), timed_s);
  count_ranks(mode);
}

void run_once(const record::Workload& work, const Enqueue& enqueue) {
  launched_once_s(enqueue, 1);
  harness::keep(work, {}, 0);
}

void take_held(const record::Workload& work, const std::function<void()>& enqueue, const HeldSampling& how, int calls) {
  held_once(enqueue, how);
  take(work, timed_by_events(how, calls), harness::allowance(), [&] { return held_once(enqueue, how).*how.timed; });
}

void take_launched(const record::Workload& work, const Enqueue& enqueue, int calls, const harness::Allowance& allowed,
                   Clocks clocks = Clocks::as_the_work_leaves_them) {
  take(
      work, timed_by_host(calls), allowed, [&] { return std::vector{launched_once_s(enqueue, calls)}; }, clocks);
}

// For work whose device time is the row's figure.
harness::Allowance brief(harness::Allowance allowed) {
  allowed.min_samples = allowed.max_samples = std::min(allowed.max_samples, kBriefSamples);
  return allowed;
}

}  // namespace

Spans held_once(const std::function<void()>& enqueue, const HeldSampling& how) {
  Ranks& ranks = Ranks::get();
  {
    const ReleaseAll releases{ranks};
    begin_holds(ranks, how.beside);
    if (how.prime) how.prime();
    record_on_all(ranks, &Rank::start, &Rank::start_beside, how.beside);
    enqueue();
    record_on_all(ranks, &Rank::stop, &Rank::stop_beside, how.beside);
  }
  ranks.wait();
  require_held(ranks);
  return spans_of(ranks, how.beside);
}

double median_held_s(const std::function<void()>& enqueue, const HeldSampling& how, int times) {
  held_once(enqueue, how);
  Ranks::get().settle();
  std::vector<double> seen_s;
  for (int i = 0; i < times; ++i) seen_s.push_back(slowest_s(held_once(enqueue, how), how));
  return stats::median(seen_s);
}

void sample_held(const record::Workload& work, const Enqueue& enqueue, const HeldSampling& how) {
  if (harness::options().once) return run_once(work, enqueue);
  warm_up(enqueue);
  begin_sampling();
  const auto trial_s = [&](int calls) { return launched_once_s(enqueue, calls); };
  const int calls = calls_that_last(trial_s, Mode::hot, how.calls, how.most_calls);
  take_held(
      work, [&] { enqueue(calls); }, how, calls);
}

void sample_launched(const record::Workload& work, const Enqueue& enqueue, int calls, Clocks clocks) {
  if (harness::options().once) return run_once(work, enqueue);
  warm_up(enqueue);
  begin_sampling();
  const auto trial_s = [&](int many) { return launched_once_s(enqueue, many); };
  calls = calls_that_last(trial_s, Mode::host, calls, kMostLaunched);
  launched_once_s(enqueue, calls);
  if (clocks == Clocks::recovered && !Ranks::get().settle()) timing::Rig::get().saw_unsettled_clock();
  take_launched(work, enqueue, calls, harness::allowance(), clocks);
}

void sample_graph(const record::Workload& work, const std::function<void()>& call) {
  const Enqueue enqueue = [&](int calls) {
    for (int i = 0; i < calls; ++i) call();
  };
  if (harness::options().once) return run_once(work, enqueue);
  const bool is_first_round = harness::calls_of_earlier_rounds(Mode::hot) == 0;
  warm_up(enqueue);
  begin_sampling();
  const auto trial_s = [&](int calls) {
    const RankGraphs graphs([&] { enqueue(calls); });
    launched_once_s([&](int) { graphs.launch(); }, 1);
    return slowest_s(held_once([&] { graphs.launch(); }), {});
  };
  const int calls = calls_that_last(trial_s, Mode::hot, 0, kMostInGraph);
  const RankGraphs graphs([&] { enqueue(calls); });
  const auto launch = [&](int) { graphs.launch(); };
  launched_once_s(launch, 1);  // the first launch uploads it
  take_held(
      work, [&] { graphs.launch(); }, {}, calls);
  take_launched(work, launch, calls, brief(harness::allowance()));
  if (is_first_round) count_product_slowdown([&] { graphs.launch(); });
}

}  // namespace cupel::bench::collective
