// Operations one by one against the same operations in one kernel. docs/fusion.md says what is swept, timed and
// checked.
#include "bench/fusion/topics.hpp"
#include "cupel/harness/registry.hpp"

void register_benchmarks() {
  using namespace cupel::bench::fusion;
  register_pointwise();
  register_activations();
  register_norm();
  register_softmax();
  register_loss();
  register_batch_norm();
  register_reduce();
  register_attention();
  register_epilogue();
  register_conv_block();
  register_norm_relu();
  register_cudnn_norm();
}
