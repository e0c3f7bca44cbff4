// The set-up of a benchmark of this family, all of it in values, and what is made once a process for it.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "bench/pipeline/bound.hpp"
#include "bench/pipeline/loader.hpp"

namespace cupel::bench::pipeline {

struct Setup {
  Format format = Format::jpeg;
  ReadBy read = ReadBy::pread;
  bool kept_decoded = false;
  std::int64_t samples = 16;  ///< of an epoch
  std::int64_t among = 0;     ///< as Recipe's
  std::int64_t batch = 8;
  int intra_threads = 1;
  WorkerKind kind = WorkerKind::thread;
  int workers = 0;
  int depth = 2;
  Handover handover = Handover::ring;
  double read_sleep_s = 0, jitter = 0;
  double consume_s = 0;  ///< of the consumer, a batch
  bool staged = false;   ///< the consumer copies each batch to a buffer of its own, as ahead of a copy to a GPU
  auto operator<=>(const Setup&) const = default;
};

/// The data of a format, made or opened once a process: the user's own where options().data has some. Says on stderr
/// how far it is, and counts in the row what of the user's was left out. Skips the benchmark where they cannot be made
/// here.
const DataSet& data_of(Format format);

Recipe recipe_of(const Setup& setup);
LoaderOptions options_of(const Setup& setup);

/// Checksums of the first 64 samples of epoch 0, of the first batch where loading is in line, made in line once a
/// process: what each way of loading must give. Says on stderr how far it is, and skips the benchmark on Ctrl-C.
const std::vector<std::uint64_t>& expected_sums(const Setup& setup);

/// The time of each stage alone; of augmenting by several threads of OpenMP, that with all workers at it. Times that
/// setups share are measured once a process.
StageTimes alone(const Setup& setup);

}  // namespace cupel::bench::pipeline
