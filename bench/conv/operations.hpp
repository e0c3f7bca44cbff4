// The operations of the family, a file each.
#pragma once

namespace cupel::bench::conv {

void register_passes();
void register_channels();
void register_choice();
void register_legacy();
void register_autotune_cost();
void register_startup();

}  // namespace cupel::bench::conv
