// More than one GPU: what collectives take, and what they take from the work beside them.
// docs/collective.md says what is swept, timed and checked.
#include "bench/collective/nodes.hpp"
#include "bench/collective/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::collective;
  if (has_nodes()) return register_nodes();
  register_links();
  register_collectives();
  register_small();
  register_beside();
  register_gradients();
  register_real_backward();
  register_parallel();
  register_compress();
  register_no_sync();
  register_shard();
  register_transport();
}
