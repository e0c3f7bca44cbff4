// Moving data between host and device: what the link gives, and which of the usual advice about it pays.
// docs/transfer.md says what is swept, timed and checked.
#include "bench/transfer/operations.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::transfer;
  register_copies();
  register_zero_copy();
  register_issue();
  register_pin();
  register_split();
  register_fill();
  register_roundtrip();
  register_overlap();
  register_loader();
  register_numa_copies();
  register_managed();
}
