// A data loader: batches of an epoch one after another, made in line or ahead of time by workers.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/pipeline/batch_maker.hpp"
#include "bench/pipeline/worker.hpp"

namespace cupel::bench::pipeline {

struct LoaderOptions {
  WorkerKind kind = WorkerKind::thread;
  int workers = 0;  ///< 0: in line, by the consumer itself
  int depth = 2;    ///< batches that each worker has under way
  Handover handover = Handover::ring;
  double limit_s = 30;  ///< a worker that gives nothing and does not compute for so long hangs
};

struct Batch {
  std::span<const std::int64_t> indices;
  std::span<const std::byte> bytes;  ///< sample_bytes() for each index
};

/// Seconds that the consumer waited for batches.
struct Waited {
  double all_s = 0;
  double first_s = 0;  ///< of that, for the first batch of an epoch, which nobody makes ahead
  Waited operator-(const Waited& before) const { return {all_s - before.all_s, first_s - before.first_s}; }
  Waited& operator+=(const Waited& more) {
    all_s += more.all_s;
    first_s += more.first_s;
    return *this;
  }
};

class Loader {
 public:
  /// Starts the workers. recipe.data and recipe.kept must outlive it.
  Loader(const Recipe& recipe, const LoaderOptions& options);

  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// From here on next() gives the batches of this epoch; those of the one before were all taken.
  void start_epoch(std::int64_t epoch);

  bool has_next() const { return next_ < batches_of_epoch(recipe_); }

  /// The next batch, in the order of the epoch whatever the workers; valid until the next call. Throws what
  /// Worker::take() throws, and what BatchMaker throws where there are none.
  Batch next();

  /// The time that next() has waited so far.
  const Waited& waited() const { return waited_; }

  /// CPU seconds of worker processes so far.
  double workers_cpu_s() const;

  const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }

 private:
  Recipe recipe_;
  std::unique_ptr<BatchMaker> maker_;  // in line
  std::vector<std::byte> buffer_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<std::int64_t> order_;
  std::int64_t epoch_ = 0, next_ = 0;
  Waited waited_;
};

}  // namespace cupel::bench::pipeline
