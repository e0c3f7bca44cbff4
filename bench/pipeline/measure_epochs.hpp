// How an epoch of a loader is measured.
#pragma once

#include <benchmark/benchmark.h>

#include "bench/pipeline/bound.hpp"
#include "bench/pipeline/setup.hpp"
#include "cupel/harness/registry.hpp"

namespace cupel::bench::pipeline {

enum class Workers { kept, respawned };

/// Host time of one epoch: from its start until the consumer has taken the last batch. An epoch that warms up is held
/// against expected_sums() ahead of it, by the same workers; respawned ones are started and ended in each epoch. Says
/// the share of the time that the consumer waits, CPU seconds a sample, and, of kept workers, what each stage gives
/// alone and which one binds.
void measure_epochs(benchmark::State& state, const Setup& setup, Workers workers = Workers::kept);

/// Counters of what each stage gives alone, and a note of the one that binds and what to change about the loader.
/// times: of the stages alone. waits: of the epochs that were measured.
void tell_what_binds(const Setup& setup, const StageTimes& times, const Waits& waits,
                     Copies copies = Copies::beside_work);

/// The time that an epoch and its warm-up take.
harness::Duration duration_of(const Setup& setup, Workers workers = Workers::kept);

/// Memory of the loader: its batches, and the images that it keeps.
harness::Memory memory_of(const Setup& setup);

}  // namespace cupel::bench::pipeline
