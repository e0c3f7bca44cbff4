// The CPU's side: the copies, page faults and sums that stand on the host's side of a GPU's work. Runs on any
// machine.
#include "bench/host/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::host;
  register_memcpy();
  register_page_touch();
  register_reduce();
}
