// The family's topics, one file each. Each function registers its own benchmarks; none touches the device.
#pragma once

namespace cupel::bench::sync {

void register_launch();
void register_wait();
void register_step();
void register_readback();
void register_graph();
void register_nvtx();
void register_launch_blocking();
void register_event();
void register_host_function();

}  // namespace cupel::bench::sync
