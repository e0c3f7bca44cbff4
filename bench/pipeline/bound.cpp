#include "bench/pipeline/bound.hpp"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <span>

#include "cupel/harness/clock.hpp"

namespace cupel::bench::pipeline {
namespace {

double thread_cpu_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Adds what `work` takes.
template <class Work>
void account(StageTime& time, const Work& work) {
  const auto start = harness::Clock::now();
  const double cpu_s = thread_cpu_s();
  work();
  time.cpu_s += thread_cpu_s() - cpu_s;
  time.wall_s += harness::seconds_since(start);
}

StageTime& of(StageTimes& times, Stage stage) { return times[static_cast<std::size_t>(stage)]; }

// The least of several: another program in between makes a stage look slow.
constexpr int kPasses = 3;

void keep_least(StageTime& least, const StageTime& time) {
  if (least.wall_s == 0 || time.wall_s < least.wall_s) least = time;
}

// The first samples of its epochs, without threads of OpenMP, which this process may not use.
Recipe first_of(Recipe recipe, std::int64_t samples) {
  recipe.intra_threads = 1;
  recipe.samples = std::min(samples, samples_of_epoch(recipe));
  return recipe;
}

void share_out(StageTime& time, std::int64_t samples) {
  time.wall_s /= static_cast<double>(samples);
  time.cpu_s /= static_cast<double>(samples);
}

}  // namespace

StageTime measure_hand_over(const Recipe& recipe, const LoaderOptions& options, std::int64_t samples) {
  if (options.workers == 0) return {};
  Recipe some = first_of(recipe, samples);
  some.part = Part::none;
  LoaderOptions one = options;
  one.workers = 1;
  Loader loader(some, one);
  StageTime least;
  for (int pass = 0; pass <= kPasses; ++pass) {
    const auto start = harness::Clock::now();
    const double cpu_s = loader.workers_cpu_s();
    for (loader.start_epoch(pass); loader.has_next();) loader.next();
    const StageTime time = {harness::seconds_since(start), loader.workers_cpu_s() - cpu_s};
    if (pass > 0) keep_least(least, time);  // the first finds no pages there
  }
  share_out(least, some.samples);
  return least;
}

const char* to_string(Stage stage) {
  switch (stage) {
    case Stage::read:
      return "read";
    case Stage::decode:
      return "decode";
    case Stage::augment:
      return "augment";
    case Stage::hand_over:
      return "hand_over";
    case Stage::copy:
      return "copy";
    case Stage::consume:
      break;
  }
  return "consume";
}

StageTimes measure_making(const Recipe& recipe, std::int64_t samples) {
  const Recipe some = first_of(recipe, samples);
  StageTimes least;
  BatchMaker maker(some);
  const std::vector<std::int64_t> order = order_of_epoch(some, 0);
  std::vector<std::byte> out(static_cast<std::size_t>(some.batch * sample_bytes(some)));
  maker.make(batch_of(some, order, 0), 0, out);  // pages, tables and caches are there
  for (int pass = 0; pass < kPasses; ++pass) {
    StageTimes times;
    for (std::int64_t b = 0; b < batches_of_epoch(some); ++b) {
      const std::span<const std::int64_t> indices = batch_of(some, order, b);
      account(of(times, Stage::read), [&] { maker.read(indices, 0); });
      account(of(times, Stage::decode), [&] { maker.decode(indices); });
      account(of(times, Stage::augment), [&] { maker.augment(indices, 0, out); });
    }
    for (const Stage stage : {Stage::read, Stage::decode, Stage::augment})
      keep_least(of(least, stage), of(times, stage));
  }
  for (StageTime& time : least) share_out(time, some.samples);
  return least;
}

StageTime measure_augmenting_side_by_side(const Recipe& recipe, const LoaderOptions& options) {
  Recipe some = recipe;
  some.part = Part::augmentation;
  some.samples = samples_of_epoch(recipe);
  LoaderOptions by_ring = options;
  by_ring.handover = Handover::ring;  // which takes nothing
  Loader loader(some, by_ring);
  StageTime least = {.side_by_side = true};
  for (int pass = 0; pass <= kPasses; ++pass) {
    const auto start = harness::Clock::now();
    for (loader.start_epoch(pass); loader.has_next();) loader.next();
    const double worker_s = harness::seconds_since(start) * options.workers;
    if (pass > 0) keep_least(least, {.wall_s = worker_s, .side_by_side = true});  // the first decodes
  }
  share_out(least, some.samples);
  return least;
}

Bound bound_of(const StageTimes& times, int workers, int cpus, Copies copies) {
  const double waiting = std::max(workers, 1), computing = std::clamp(workers, 1, cpus);
  Bound bound;
  for (const Stage stage : kStages) {
    const StageTime& time = times[static_cast<std::size_t>(stage)];
    const double on_cpu_s = time.side_by_side ? 0 : std::min(time.cpu_s, time.wall_s);
    bound.share_s[static_cast<std::size_t>(stage)] =
        stage >= Stage::copy ? time.wall_s : on_cpu_s / computing + (time.wall_s - on_cpu_s) / waiting;
  }
  const auto making = std::span(bound.share_s).first(static_cast<std::size_t>(Stage::copy));
  const auto slowest = std::ranges::max_element(making);
  const double copy_s = bound.share_s[static_cast<std::size_t>(Stage::copy)], work_s = bound.share_s.back();
  const bool in_line = workers == 0;
  const double made_s = in_line ? *slowest : std::accumulate(making.begin(), making.end(), 0.0);
  const bool one_by_one = copies == Copies::between_work && !in_line;
  const double taken_s = one_by_one ? copy_s + work_s : std::max(copy_s, work_s);
  if (taken_s < made_s) {
    bound.stage = kStages[static_cast<std::size_t>(slowest - making.begin())];
  } else {
    bound.stage = copy_s > work_s ? Stage::copy : Stage::consume;
  }
  return bound;
}

namespace {

std::string more_workers(const Loading& loading) { return "more workers, up to " + std::to_string(loading.cpus); }

// Stages alone say what the loader could give; waits of the epochs themselves say whether it does.
std::string change_for_the_consumer(const Loading& loading, const Waits& waits) {
  constexpr double kKeepsUp = 0.2;
  if (loading.workers == 0) return "a worker, to load beside the consumer";
  if (waits.consumer - waits.first > kKeepsUp) {
    return loading.workers < loading.cpus ? more_workers(loading)
                                          : "more processors: the stages keep up alone, but not side by side";
  }
  if (waits.consumer > kKeepsUp) return "longer epochs: this one waits for its first batch";
  if (waits.gpu > kKeepsUp) return "copies and launches: the loader keeps up, but the GPU waits";
  return "nothing: the loader keeps up";
}

}  // namespace

std::string what_to_change(const Bound& bound, const Loading& loading, const Waits& waits) {
  if (bound.stage == Stage::consume) return change_for_the_consumer(loading, waits);
  if (bound.stage == Stage::copy) return "pinned memory, copied on a stream of its own; fewer bytes";
  const bool threads_crowd = loading.workers * loading.intra_threads > loading.cpus;
  if (bound.stage == Stage::augment && loading.intra_threads > 1 && threads_crowd) return "one thread in each worker";
  if (loading.workers < loading.cpus) return more_workers(loading);
  switch (bound.stage) {
    case Stage::read:
      return "packed files, or faster storage";
    case Stage::decode:
      return "decode on the GPU, or keep the data decoded";
    case Stage::augment:
      return "augment on the GPU";
    default:
      return "hand batches over in shared memory that stays";
  }
}

}  // namespace cupel::bench::pipeline
