#include "bench/pipeline/loader.hpp"

#include <limits>

#include "bench/pipeline/shared_memory.hpp"
#include "cupel/harness/clock.hpp"

namespace cupel::bench::pipeline {

Loader::Loader(const Recipe& recipe, const LoaderOptions& options)
    : recipe_(recipe), next_(std::numeric_limits<std::int64_t>::max()) {
  if (options.workers == 0) {
    maker_ = std::make_unique<BatchMaker>(recipe);
    buffer_.resize(static_cast<std::size_t>(recipe.batch * sample_bytes(recipe)));
    return;
  }
  if (options.kind == WorkerKind::process) sweep_shared_memory();
  for (int number = 0; number < options.workers; ++number) {
    workers_.push_back(std::make_unique<Worker>(recipe, Worker::Place{.number = number,
                                                                      .workers = options.workers,
                                                                      .depth = options.depth,
                                                                      .kind = options.kind,
                                                                      .handover = options.handover,
                                                                      .limit_s = options.limit_s}));
  }
}

Loader::~Loader() {
  for (const auto& worker : workers_) worker->ask_to_end();
  // The last first: later processes hold the ends of earlier pipes open, and a worker that writes to one would wait.
  while (!workers_.empty()) workers_.pop_back();
}

void Loader::start_epoch(std::int64_t epoch) {
  epoch_ = epoch;
  next_ = 0;
  order_ = order_of_epoch(recipe_, epoch);
  for (const auto& worker : workers_) worker->start_epoch(epoch);
}

Batch Loader::next() {
  const auto start = harness::Clock::now();
  const std::span<const std::int64_t> indices = batch_of(recipe_, order_, next_);
  const auto bytes = indices.size() * static_cast<std::size_t>(sample_bytes(recipe_));
  Batch batch = {indices, {}};
  if (maker_) {
    const std::span<std::byte> out = std::span(buffer_).first(bytes);
    maker_->make(indices, epoch_, out);
    batch.bytes = out;
  } else {
    batch.bytes = workers_[static_cast<std::size_t>(next_) % workers_.size()]->take().first(bytes);
  }
  const double waited_s = harness::seconds_since(start);
  waited_ += {.all_s = waited_s, .first_s = next_ == 0 ? waited_s : 0};
  ++next_;
  return batch;
}

double Loader::workers_cpu_s() const {
  double sum_s = 0;
  for (const auto& worker : workers_) sum_s += worker->cpu_s();
  return sum_s;
}

}  // namespace cupel::bench::pipeline
