// The operations of the family, a file each.
#pragma once

namespace cupel::bench::transfer {

void register_copies();
void register_zero_copy();
void register_issue();
void register_loader();
void register_pin();
void register_split();
void register_fill();
void register_roundtrip();
void register_overlap();
void register_numa_copies();
void register_managed();

}  // namespace cupel::bench::transfer
