// The family's topics, one file each. Each function registers its own benchmarks.
#pragma once

namespace cupel::bench::host {

void register_memcpy();
void register_page_touch();
void register_reduce();

}  // namespace cupel::bench::host
