// One step of an optimizer over all parameters of a network. docs/optimizer.md says what is swept, timed and checked.
#include "bench/optimizer/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::optimizer;
  register_step();
  register_loss_scaling();
}
