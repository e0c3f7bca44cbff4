// Feeding the GPU: reader, decoder, augmentation, workers and what hands batches over, each alone and together; and how
// batches go to the device beside its work.
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::pipeline;
  register_host_topics(true);
  register_decode_on_gpu();
  register_augment_on_gpu();
  register_read_to_gpu();
  register_stage();
  register_stall();
  register_beside();
}
