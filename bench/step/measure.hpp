// How a training is checked and timed.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "bench/step/training.hpp"
#include "cupel/harness/registry.hpp"
#include "cupel/record/workload.hpp"

namespace cupel::bench::step {

/// Losses of the first and of the fifth step, each the mean over its parts.
struct Learnt {
  double first_loss = 0, fifth_loss = 0;
};

/// Throws CheckFailed unless the losses of the training's first five steps, on two batches in turn, are those of the
/// same net, batches and numbers trained plainly in fp32 by the same rule, within a bound of the precision, and fall:
/// what trains wrongly has no time. In evaluation they only have to be the same; with several sizes in turn, and in
/// parts of a batch, each of which is another, those of the first step have to be, and all to fall. Trains the five
/// steps, and waits. A later process of a run trains two steps, whose losses need not fall. Returns nothing there, nor
/// in evaluation.
std::optional<Learnt> require_curve(Training& training, const Recipe& recipe);

/// Takes a step, and throws CheckFailed unless the optimizer makes of three elements of every parameter, and of their
/// moments, what its rule does in double. Waits.
void require_update(Training& training, const Recipe& recipe);

/// Both, ahead of the first samples of a benchmark in a process. The first process of a run keeps the losses beside its
/// time.
void require_training(Training& training, const Recipe& recipe);

/// How a step is sampled.
struct Sampled {
  std::int64_t steps = 1;    ///< of one call
  std::int64_t calls = 1;    ///< that share the wait at their end, at least
  std::int64_t samples = 0;  ///< that a call is said to have worked on, without what pads them; 0: all of them
};

/// Sampled::calls of a row that shows what a step takes where nothing in it waits: with one only, each would begin on a
/// device that has nothing to do.
inline constexpr std::int64_t kStepsBetweenWaits = 3;

/// Makes the training, checks its curve, once a process, and samples its steps by the host's clock. Sets its memory,
/// and its casts where there are any. Throws CheckFailed, OutOfMemory, and as Training.
void sample_recipe(benchmark::State& state, const Recipe& recipe, const Sampled& how = {});

/// Samples so many steps a call, whose losses are not looked at; so many calls, at least, share the wait at their end.
void sample_steps(benchmark::State& state, const record::Workload& work, Training& training, std::int64_t steps,
                  std::int64_t calls = 1);

/// Samples `call`, which may leave work under way; `finish` waits for it. So many calls in one measurement that the
/// wait at its end is a small part, the host going on until it has enqueued all of them.
void sample_calls(benchmark::State& state, const record::Workload& work, const std::function<void()>& call,
                  const std::function<void()>& finish);

/// Multiplications and additions in convolutions, products and attention for so many samples: three times the forward
/// pass's where there is a backward one.
std::int64_t flops_of(const Program& program, std::int64_t samples);

/// Sets the counters of the training's memory, and of its casts where there are any.
void count_memory(const Training& training);

/// Says what a row needs that trains by recipe(sizes), so many steps a call: device and host memory, and seconds.
harness::Definition& with_needs(harness::Definition& row,
                                std::function<Recipe(const std::vector<std::int64_t>& sizes)> recipe,
                                std::int64_t steps = 1);
harness::Definition& with_needs(harness::Definition& row, const Recipe& recipe, std::int64_t steps = 1);

}  // namespace cupel::bench::step
