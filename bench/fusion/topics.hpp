// The family's topics, one file each. Each function registers its own benchmarks; none touches the device.
#pragma once

namespace cupel::bench::fusion {

void register_pointwise();
void register_activations();
void register_norm();
void register_softmax();
void register_loss();
void register_batch_norm();
void register_reduce();
void register_attention();
void register_epilogue();
void register_conv_block();
void register_norm_relu();
void register_cudnn_norm();

}  // namespace cupel::bench::fusion
