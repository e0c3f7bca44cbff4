// A source of a family that is compiled without optimisation, whatever the harness was built as.
#include "cupel/harness/registry.hpp"

namespace cupel::harness {

void add_unoptimised() {
  add("fake/unoptimised", [](benchmark::State&) {});
}

}  // namespace cupel::harness
