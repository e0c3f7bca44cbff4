// The convolutions that are measured, as data. Host code only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/dot/convolution.hpp"

namespace cupel::bench::conv {

struct Layer {
  const char* name;
  std::int64_t in_channels, out_channels;
  kernels::dot::Spatial in;
  kernels::dot::Spatial filter;
  kernels::dot::Spatial stride = {{1, 1, 1}};
  kernels::dot::Spatial padding = {{0, 0, 0}};
  kernels::dot::Spatial dilation = {{1, 1, 1}};
  std::int64_t groups = 1;
  int times = 1;  ///< how often the network has it
};

/// All distinct convolutions of ResNet-50 for images of 224 x 224, with the stride in the 3 x 3 convolution, as
/// frameworks have it ("version 1.5"). Source: He et al. (2016), "Deep Residual Learning for Image Recognition",
/// table 1.
const std::vector<Layer>& resnet50();

/// Depthwise, grouped, dilated and three-dimensional ones. Sources: Howard et al. (2017), "MobileNets", table 1; Xie et
/// al. (2017), "Aggregated Residual Transformations", table 1 (ResNeXt-50 32x4d); Chen et al. (2017), "Rethinking
/// Atrous Convolution", section 3 (rate 2 in the fourth block); Tran et al. (2015), "Learning Spatiotemporal Features
/// with 3D Convolutional Networks", figure 3 (second convolution).
const std::vector<Layer>& others();

/// A first convolution of an image of 32 x 32, as tutorials have it: so small that a launch is most of it.
const std::vector<Layer>& examples();

/// The layer of that name, in any of the lists. Throws std::invalid_argument on a name that is in none.
const Layer& layer(const std::string& name);

kernels::dot::Convolution shape_of(const Layer& layer, std::int64_t batch);

}  // namespace cupel::bench::conv
