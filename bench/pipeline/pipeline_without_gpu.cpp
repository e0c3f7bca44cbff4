// Feeding the GPU, as far as the host goes: reader, decoder, augmentation, workers and what hands batches over, each
// alone and together.
#include "bench/pipeline/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() { cupel::bench::pipeline::register_host_topics(false); }
