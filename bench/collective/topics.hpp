// The topics of the family, a file each.
#pragma once

namespace cupel::bench::collective {

void register_links();
void register_collectives();
void register_small();
void register_beside();
void register_gradients();
void register_real_backward();
void register_parallel();
void register_compress();
void register_no_sync();
void register_shard();
void register_transport();

}  // namespace cupel::bench::collective
