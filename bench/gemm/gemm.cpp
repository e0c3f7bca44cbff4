// Matrix products as cuBLAS and cuBLASLt compute them: what each precision gives, in speed and in error, and which of
// the usual advice about them pays. docs/gemm.md says what is swept, timed and checked.
#include "bench/gemm/operations.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::gemm;
  register_square();
  register_inputs();
  register_layers();
  register_align();
  register_batched();
  register_choice();
}
