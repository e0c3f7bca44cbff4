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

/// What one sample takes of one worker, in seconds.
struct StageTime {
  double wall_s = 0;
  double cpu_s = 0;  ///< of it, on a processor; the rest it waits, as for a disk
};

/// By Stage; copy (to a GPU) and consume are what the consumer takes, which is one for all workers.
using StageTimes = std::array<StageTime, kStages.size()>;

/// Runs the stages of making a batch alone, in the calling thread, on the first `samples` of an epoch. The least of
/// three passes. The other stages are left 0.
StageTimes measure_making(const Recipe& recipe, std::int64_t samples);

/// The same of one worker that makes nothing: what handing over takes; 0 in line.
StageTime measure_hand_over(const Recipe& recipe, const LoaderOptions& options, std::int64_t samples);

struct Bound {
  Stage stage = Stage::consume;
  std::array<double, kStages.size()> share_s = {};  ///< of each stage in the time between two samples, were it alone
};

/// Whether a batch is copied to the GPU beside the work on the one before, or one waits for the other.
enum class Copies { beside_work, between_work };

/// The stage that sets the rate, with so many workers on so many processors: workers wait beside each other, but share
/// the processors. The consumer binds where it takes longer than all of a worker's stages: by its copy or by its work,
/// whichever takes longer.
Bound bound_of(const StageTimes& times, int workers, int cpus, Copies copies = Copies::beside_work);

/// What would make it faster, in a few words: "more workers, up to 8". In line even a consumer that takes longest waits
/// for each batch.
std::string what_to_change(const Bound& bound, int workers, int cpus);

}  // namespace cupel::bench::pipeline
