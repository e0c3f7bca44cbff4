// Whole training steps: what advice gives to one, piece by piece.
#include "bench/step/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::step;
  register_train();
  register_waterfall();
  register_batch();
  register_memory();
  register_habits();
  register_profiler();
  register_use_the_gpu();
}
