// The family's topics, one file each. Each function registers its own benchmarks.
#pragma once

namespace cupel::bench::pipeline {

// Work of the host.

void register_read();
void register_decode();
/// with_gpu: beside the GPU's, of which it is the before.
void register_augment(bool with_gpu);
void register_load();
void register_cpu_threads();
void register_hand_over();
void register_prefetch();
void register_cache();

/// All of these.
void register_host_topics(bool with_gpu);

// Work that needs a GPU.

void register_decode_on_gpu();
void register_augment_on_gpu();
void register_read_to_gpu();
void register_stage();
void register_stall();
void register_beside();

}  // namespace cupel::bench::pipeline
