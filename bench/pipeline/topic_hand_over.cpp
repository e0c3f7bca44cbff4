// Batches of raw images from worker processes to the consumer: by name, by descriptor, through a pipe, and in places
// that stay. The workers have the images in memory and copy them, and the consumer copies each batch once more, as
// ahead of a copy to a GPU: so that handing over is what is seen.
#include "bench/pipeline/measure_epochs.hpp"
#include "bench/pipeline/topics.hpp"

namespace cupel::bench::pipeline {
namespace {

using record::Role;

harness::Definition& add_handover(Handover by, Role role) {
  const Setup setup = {.format = Format::raw,
                       .kept_decoded = true,
                       .samples = 128,
                       .among = 64,
                       .batch = 32,
                       .kind = WorkerKind::process,
                       .workers = 2,
                       .handover = by,
                       .staged = true};
  return harness::add(std::string("pipeline/handover/by:") + to_string(by),
                      [setup](benchmark::State& state) { measure_epochs(state, setup); })
      .host_only()
      .duration([setup](const auto&) { return duration_of(setup); })
      .advice("worker-sharing", role, "raw", role == Role::variant ? to_string(by) : "")
      .memory([setup](const auto&) { return memory_of(setup); });
}

}  // namespace

void register_hand_over() {
  add_handover(Handover::descriptor, Role::before);
  add_handover(Handover::shared_memory, Role::after);
  add_handover(Handover::pipe, Role::variant).from(harness::Profile::standard);
  add_handover(Handover::ring, Role::variant).from(harness::Profile::standard);
}

}  // namespace cupel::bench::pipeline
