#include "kernels/dot/convolution.hpp"

#include <stdexcept>
#include <string>

namespace cupel::kernels::dot {
namespace {

std::int64_t volume(const Spatial& space) { return space[0] * space[1] * space[2]; }

void require_field(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("convolution: ") + what);
}

}  // namespace

void require_valid(const Convolution& shape) {
  require_field(shape.batch >= 1, "batch must be 1 or more");
  require_field(shape.in_channels >= 1 && shape.out_channels >= 1, "channels must be 1 or more");
  require_field(shape.groups >= 1 && shape.in_channels % shape.groups == 0 && shape.out_channels % shape.groups == 0,
                "groups must divide both numbers of channels");
  for (int a = 0; a < 3; ++a) {
    require_field(shape.in[a] >= 1 && shape.filter[a] >= 1, "input and filter must be 1 or more along each axis");
    require_field(shape.stride[a] >= 1 && shape.dilation[a] >= 1, "stride and dilation must be 1 or more");
    require_field(shape.padding[a] >= 0, "padding must be 0 or more");
    require_field(shape.dilation[a] * (shape.filter[a] - 1) < shape.in[a] + 2 * shape.padding[a],
                  "the filter must fit into the padded input");
  }
}

const char* to_string(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward_data:
      return "backward_data";
    case Pass::backward_filter:
      break;
  }
  return "backward_filter";
}

std::int64_t input_count(const Convolution& shape) { return shape.batch * shape.in_channels * volume(shape.in); }

std::int64_t filter_count(const Convolution& shape) {
  return shape.out_channels * (shape.in_channels / shape.groups) * volume(shape.filter);
}

std::int64_t output_count(const Convolution& shape) { return shape.batch * shape.out_channels * volume(shape.out()); }

std::int64_t result_count(const Convolution& shape, Pass pass) {
  switch (pass) {
    case Pass::forward:
      return output_count(shape);
    case Pass::backward_data:
      return input_count(shape);
    case Pass::backward_filter:
      break;
  }
  return filter_count(shape);
}

std::int64_t reduction_length(const Convolution& shape, Pass pass) {
  switch (pass) {
    case Pass::forward:
      return shape.in_channels / shape.groups * volume(shape.filter);
    case Pass::backward_data:
      return shape.out_channels / shape.groups * volume(shape.filter);
    case Pass::backward_filter:
      break;
  }
  return shape.batch * volume(shape.out());
}

std::int64_t flops(const Convolution& shape) {
  return 2 * output_count(shape) * (shape.in_channels / shape.groups) * volume(shape.filter);
}

Strides strides_of(Layout layout, std::int64_t channels, const Spatial& space) {
  const std::int64_t places = volume(space);
  if (layout == Layout::channels_first) {
    return {channels * places, places, {{space[1] * space[2], space[2], 1}}};
  }
  return {channels * places, 1, {{space[1] * space[2] * channels, space[2] * channels, channels}}};
}

Layouts layouts_of(Layout layout, const Convolution& shape) {
  return {strides_of(layout, shape.in_channels, shape.in),
          strides_of(layout, shape.in_channels / shape.groups, shape.filter),
          strides_of(layout, shape.out_channels, shape.out())};
}

}  // namespace cupel::kernels::dot
