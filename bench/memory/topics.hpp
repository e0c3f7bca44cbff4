// The family's topics, one file each. Each function registers its own benchmarks; none touches the device.
#pragma once

namespace cupel::bench::memory {

void register_bandwidth();
void register_read_again();
void register_chase();
void register_near_far();
void register_alloc();
void register_empty_cache();
void register_room();
void register_fraction();
void register_fragmentation();
void register_scatter();

}  // namespace cupel::bench::memory
