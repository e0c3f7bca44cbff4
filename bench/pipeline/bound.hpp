// Which stage of a loader binds, from what each takes alone.
#pragma once

#include <array>
#include <string>

#include "bench/pipeline/loader.hpp"

namespace cupel::bench::pipeline {

enum class Stage { read, decode, augment, hand_over, copy, consume };
inline constexpr std::array kStages = {Stage::read,      Stage::decode, Stage::augment,
                                       Stage::hand_over, Stage::copy,   Stage::consume};

const char* to_string(Stage stage);

/// The time of one sample in one stage of one worker, in seconds.
struct StageTime {
  double wall_s = 0;
  double cpu_s = 0;           ///< of it, on a processor; the rest it waits, as for a disk
  bool side_by_side = false;  ///< with all other workers at it, too: wall_s has their shares of the processors in it
};

/// By Stage; copy (to a GPU) and consume are what the consumer takes, which is one for all workers.
using StageTimes = std::array<StageTime, kStages.size()>;

/// Runs the stages of making a batch alone, in the calling thread, on the first `samples` of an epoch. The least of
/// three passes. The other stages are left 0. Augmenting has one thread, whatever the recipe says: where it says more,
/// measure_augmenting_side_by_side() has the stage's time.
StageTimes measure_making(const Recipe& recipe, std::int64_t samples);

/// The same of one worker that makes nothing: what handing over takes; 0 in line.
StageTime measure_hand_over(const Recipe& recipe, const LoaderOptions& options, std::int64_t samples);

/// Measures augmenting in one of the loader's worker processes while all of them do it, each with the threads of
/// OpenMP that the recipe asks for: threads that wait for others take processors from them, which no worker alone would
/// show. The least of three epochs.
StageTime measure_augmenting_side_by_side(const Recipe& recipe, const LoaderOptions& options);

struct Bound {
  Stage stage = Stage::consume;
  std::array<double, kStages.size()> share_s = {};  ///< of each stage in the time between two samples, were it alone
};

/// Whether a batch is copied to the GPU beside the work on the one before, or one waits for the other.
enum class Copies { beside_work, between_work };

/// The stage that sets the rate, with so many workers on so many processors: workers wait beside each other, but share
/// the processors. What was measured side by side has that in its time. The consumer binds where it takes longer than
/// all of a worker's stages: by its copy or by its work, whichever takes longer.
Bound bound_of(const StageTimes& times, int workers, int cpus, Copies copies = Copies::beside_work);

/// Waits in the epochs that were measured, as shares of their time, 0 to 1.
struct Waits {
  double consumer = 0;  ///< waited for batches
  double first = 0;     ///< of that, for the first batch of an epoch
  double gpu = 0;       ///< without work
};

/// The loader that is to be changed, and where it runs.
struct Loading {
  int workers = 0;
  int cpus = 1;
  int intra_threads = 1;
};

/// The change that would make it faster, in a few words: "more workers, up to 8". In line even a consumer that takes
/// longest waits for each batch. That the loader keeps up is said only where nobody has waited for more than a fifth of
/// the epochs.
std::string what_to_change(const Bound& bound, const Loading& loading, const Waits& waits = {});

}  // namespace cupel::bench::pipeline
