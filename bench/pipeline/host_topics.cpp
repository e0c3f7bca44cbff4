#include "bench/pipeline/topics.hpp"

namespace cupel::bench::pipeline {

void register_host_topics(bool with_gpu) {
  register_read();
  register_decode();
  register_augment(with_gpu);
  register_load();
  register_cpu_threads();
  register_hand_over();
  register_prefetch();
  register_cache();
}

}  // namespace cupel::bench::pipeline
