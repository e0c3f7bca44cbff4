// The networks of the family, layer by layer. Host code only.
#pragma once

#include <cstdint>
#include <string>

#include "bench/step/net.hpp"

namespace cupel::bench::step {

/// ResNet-18: of `images` 224, for 1000 classes, as torchvision builds it; of 32, for 10 classes, with a first
/// convolution of 3 x 3 without stride and no pool behind it, as is usual for CIFAR-10. conv_bias: convolutions have a
/// bias, which the norm behind each takes away again.
/// Source: He et al. (2016), "Deep Residual Learning for Image Recognition", table 1 and section 4.2.
Net resnet18(int images, bool conv_bias = false);

/// Blocks of a transformer, one behind another, the norms first, over 512 tokens: attention of heads of 64 and a
/// perceptron four times as wide. A token's output is taken for its scores of `hidden` classes.
/// Sources: Vaswani et al. (2017), "Attention Is All You Need"; Xiong et al. (2020), "On Layer Normalization in the
/// Transformer Architecture", figure 1 (b).
Net transformer(const std::string& name, std::int64_t hidden, int blocks = 1, std::int64_t tokens = 512,
                std::int64_t head = 64);

/// By name: "resnet18_224", "resnet18_32", "transformer_1024", "transformer_4096", twelve blocks as
/// "transformer_1024x12", and small ones with all kinds of layers for tests, "toy_images", "toy_tokens",
/// "toy_tokens_x3". Throws std::invalid_argument on another.
Net net_of(const std::string& name);

}  // namespace cupel::bench::step
