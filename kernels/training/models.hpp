// The tensors of networks, as their sizes: what an optimizer sees of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupel::kernels::training {

/// Elements of each parameter tensor, in the order of the layers.
using Sizes = std::vector<std::int64_t>;

/// One tensor of 100 million.
Sizes one_large();

/// 160 tensors of 160 000.
Sizes many_equal();

/// ResNet-18 for 1000 classes: 62 tensors, 11 689 512 parameters. Source: as of resnet50().
Sizes resnet18();

/// ResNet-50 for 1000 classes: 161 tensors, 25 557 032 parameters.
/// Source: He et al. (2016), "Deep Residual Learning for Image Recognition", table 1; as torchvision builds it.
Sizes resnet50();

/// GPT-2 small: 148 tensors, 124 439 808 parameters, the output layer's being the embedding's.
/// Source: Radford et al. (2019), table 2; 12 layers, width 768, 50 257 words, 1024 positions.
Sizes gpt2_small();

/// By name: "one_large", "many_equal", "resnet18", "resnet50", "gpt2_small". Throws std::invalid_argument on another.
Sizes sizes_of(const std::string& model);

}  // namespace cupel::kernels::training
