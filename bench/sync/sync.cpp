// Synchronisation and launch: what it costs the host to hand work to the device, to wait for it and to hear that it is
// done.
#include "bench/sync/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::sync;
  register_launch();
  register_wait();
  register_step();
  register_readback();
  register_graph();
  register_nvtx();
  register_launch_blocking();
  register_event();
  register_host_function();
}
