#include "bench/conv/layers.hpp"

#include <stdexcept>

namespace cupel::bench::conv {
namespace {

using kernels::dot::Spatial;

// One deep: of sizes, filters and strides.
constexpr Spatial plane(std::int64_t size) { return {{1, size, size}}; }
constexpr Spatial kNone{{0, 0, 0}};

// A convolution of planes; 3 x 3 ones keep the size.
constexpr Layer of_planes(const char* name, std::int64_t in, std::int64_t out, std::int64_t size, std::int64_t filter,
                          std::int64_t stride, int times) {
  const std::int64_t padding = filter / 2;
  return {.name = name,
          .in_channels = in,
          .out_channels = out,
          .in = plane(size),
          .filter = plane(filter),
          .stride = plane(stride),
          .padding = padding == 0 ? kNone : Spatial{{0, padding, padding}},
          .times = times};
}

}  // namespace

const std::vector<Layer>& resnet50() {
  static const std::vector<Layer> layers = {
      of_planes("stem_7x7", 3, 64, 224, 7, 2, 1),
      of_planes("res2_1x1_first", 64, 64, 56, 1, 1, 1),
      of_planes("res2_3x3", 64, 64, 56, 3, 1, 3),
      of_planes("res2_1x1_expand", 64, 256, 56, 1, 1, 4),  // the shortcut's is the same
      of_planes("res2_1x1_reduce", 256, 64, 56, 1, 1, 2),
      of_planes("res3_1x1_first", 256, 128, 56, 1, 1, 1),
      of_planes("res3_3x3_stride", 128, 128, 56, 3, 2, 1),
      of_planes("res3_1x1_shortcut", 256, 512, 56, 1, 2, 1),
      of_planes("res3_1x1_expand", 128, 512, 28, 1, 1, 4),
      of_planes("res3_1x1_reduce", 512, 128, 28, 1, 1, 3),
      of_planes("res3_3x3", 128, 128, 28, 3, 1, 3),
      of_planes("res4_1x1_first", 512, 256, 28, 1, 1, 1),
      of_planes("res4_3x3_stride", 256, 256, 28, 3, 2, 1),
      of_planes("res4_1x1_shortcut", 512, 1024, 28, 1, 2, 1),
      of_planes("res4_1x1_expand", 256, 1024, 14, 1, 1, 6),
      of_planes("res4_1x1_reduce", 1024, 256, 14, 1, 1, 5),
      of_planes("res4_3x3", 256, 256, 14, 3, 1, 5),
      of_planes("res5_1x1_first", 1024, 512, 14, 1, 1, 1),
      of_planes("res5_3x3_stride", 512, 512, 14, 3, 2, 1),
      of_planes("res5_1x1_shortcut", 1024, 2048, 14, 1, 2, 1),
      of_planes("res5_1x1_expand", 512, 2048, 7, 1, 1, 3),
      of_planes("res5_1x1_reduce", 2048, 512, 7, 1, 1, 2),
      of_planes("res5_3x3", 512, 512, 7, 3, 1, 2),
  };
  return layers;
}

const std::vector<Layer>& others() {
  static const std::vector<Layer> layers = [] {
    Layer depthwise = of_planes("depthwise_3x3", 256, 256, 28, 3, 1, 1);
    depthwise.groups = 256;
    Layer grouped = of_planes("grouped_3x3", 128, 128, 56, 3, 1, 1);
    grouped.groups = 32;
    Layer dilated = of_planes("dilated_3x3", 512, 512, 14, 3, 1, 1);
    dilated.dilation = {{1, 2, 2}};
    dilated.padding = {{0, 2, 2}};
    const Layer volume{.name = "volume_3x3x3",
                       .in_channels = 64,
                       .out_channels = 128,
                       .in = {{16, 56, 56}},
                       .filter = {{3, 3, 3}},
                       .padding = {{1, 1, 1}}};
    return std::vector<Layer>{depthwise, grouped, dilated, volume};
  }();
  return layers;
}

const std::vector<Layer>& examples() {
  static const std::vector<Layer> layers = {of_planes("example_3x3", 3, 64, 32, 3, 1, 1)};
  return layers;
}

const Layer& layer(const std::string& name) {
  for (const auto* list : {&resnet50(), &others(), &examples()}) {
    for (const Layer& layer : *list) {
      if (layer.name == name) return layer;
    }
  }
  throw std::invalid_argument("no convolution is called " + name);
}

kernels::dot::Convolution shape_of(const Layer& layer, std::int64_t batch) {
  return {.batch = batch,
          .in_channels = layer.in_channels,
          .out_channels = layer.out_channels,
          .groups = layer.groups,
          .in = layer.in,
          .filter = layer.filter,
          .padding = layer.padding,
          .stride = layer.stride,
          .dilation = layer.dilation};
}

}  // namespace cupel::bench::conv
