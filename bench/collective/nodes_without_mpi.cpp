#include "bench/collective/nodes.hpp"

namespace cupel::bench::collective {

bool has_nodes() { return false; }
void register_nodes() {}

}  // namespace cupel::bench::collective
