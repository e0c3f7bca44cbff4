// Convolutions as cuDNN computes them: what each precision and layout gives, what its engines differ in, and whether
// searching for the fastest one pays. docs/conv.md says what is swept, timed and checked.
#include "bench/conv/operations.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::conv;
  register_startup();
  register_passes();
  register_channels();
  register_choice();
  register_legacy();
  register_autotune_cost();
}
