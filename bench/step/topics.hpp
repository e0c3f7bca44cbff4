// The family's topics, one file each. Each function registers its own benchmarks; none touches the device.
#pragma once

namespace cupel::bench::step {

void register_train();
void register_waterfall();
void register_batch();
void register_memory();
void register_habits();
void register_profiler();
void register_use_the_gpu();

}  // namespace cupel::bench::step
