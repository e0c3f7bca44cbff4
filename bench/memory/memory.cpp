// Device memory: what its rate and its latency are, and what allocating it costs. docs/memory.md says what is swept,
// timed and checked.
#include "bench/memory/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::memory;
  register_bandwidth();
  register_read_again();
  register_chase();
  register_near_far();
  register_alloc();
  register_empty_cache();
  register_room();
  register_fraction();
  register_fragmentation();
  register_scatter();
}
