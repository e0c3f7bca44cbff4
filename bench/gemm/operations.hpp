// The operations of the family, a file each.
#pragma once

namespace cupel::bench::gemm {

void register_square();
void register_inputs();
void register_layers();
void register_align();
void register_batched();
void register_choice();

}  // namespace cupel::bench::gemm
