// A convolution: its sizes, and which products each element of a result sums up. Two-dimensional ones have depth 1.
// Cross-correlation, as in networks: the filter is not turned round.
#pragma once

#include <compare>
#include <cstdint>

#include "cupel/verify/host_device.hpp"

namespace cupel::kernels::dot {

/// Depth, height, width.
struct Spatial {
  std::int64_t extent[3] = {0, 0, 0};
  CUPEL_HOST_DEVICE constexpr std::int64_t operator[](int axis) const { return extent[axis]; }
  CUPEL_HOST_DEVICE constexpr std::int64_t& operator[](int axis) { return extent[axis]; }
  auto operator<=>(const Spatial&) const = default;
};

struct Convolution {
  std::int64_t batch = 1;
  std::int64_t in_channels = 1;
  std::int64_t out_channels = 1;
  std::int64_t groups = 1;  ///< channels of one group see only each other; as many as channels: depthwise
  Spatial in = {{1, 1, 1}};
  Spatial filter = {{1, 1, 1}};
  Spatial padding = {{0, 0, 0}};
  Spatial stride = {{1, 1, 1}};
  Spatial dilation = {{1, 1, 1}};

  CUPEL_HOST_DEVICE constexpr std::int64_t out(int a) const {
    return (in[a] + 2 * padding[a] - dilation[a] * (filter[a] - 1) - 1) / stride[a] + 1;
  }
  CUPEL_HOST_DEVICE constexpr Spatial out() const { return {{out(0), out(1), out(2)}}; }
  auto operator<=>(const Convolution&) const = default;
};

/// Throws std::invalid_argument, naming the field, unless it has at least one output and its groups divide its
/// channels.
void require_valid(const Convolution& shape);

enum class Pass { forward, backward_data, backward_filter };

const char* to_string(Pass pass);

/// Elements of the three tensors: batch x channels x space; the filter is out_channels x in_channels / groups x space.
std::int64_t input_count(const Convolution& shape);
std::int64_t filter_count(const Convolution& shape);
std::int64_t output_count(const Convolution& shape);

/// Elements of what a pass computes: output, input gradient or filter gradient.
std::int64_t result_count(const Convolution& shape, Pass pass);

/// Products that an element of the result sums up, at most: padding leaves some out.
std::int64_t reduction_length(const Convolution& shape, Pass pass);

/// Multiplications and additions of a pass, those with padding included, as is usual: 2 N K P Q C R S / groups. They
/// are the same for all passes.
std::int64_t flops(const Convolution& shape);

/// Where an element of a tensor lies: index (outer, channel, depth, height, width) times these, summed. The outer index
/// is the image, or of a filter the output channel.
struct Strides {
  std::int64_t outer = 0, channel = 0;
  Spatial space = {};
};

/// Channels before space (NCHW, NCDHW; KCRS of a filter), or after it (NHWC, NDHWC; KRSC).
enum class Layout { channels_first, channels_last };

Strides strides_of(Layout layout, std::int64_t channels, const Spatial& space);

struct Layouts {
  Strides input, filter, output;
};

/// All three tensors in one layout.
Layouts layouts_of(Layout layout, const Convolution& shape);

/// One product: element `left` of the first operand and `right` of the second, as offsets. present: it is not in the
/// padding. Operands are (input, filter), (output gradient, filter) and (output gradient, input).
struct Product {
  std::int64_t left = 0, right = 0;
  bool present = false;
};

struct Place {
  std::int64_t outer, channel;
  Spatial at;
};

CUPEL_HOST_DEVICE constexpr std::int64_t offset(const Strides& strides, const Place& place) {
  return place.outer * strides.outer + place.channel * strides.channel + place.at[0] * strides.space[0] +
         place.at[1] * strides.space[1] + place.at[2] * strides.space[2];
}

/// Coordinates of element `index` of a tensor in the order outer, channel, depth, height, width, whatever its layout.
CUPEL_HOST_DEVICE constexpr Place place_of(std::int64_t index, std::int64_t channels, const Spatial& space) {
  Place place{};
  for (int a = 2; a >= 0; --a) {
    place.at[a] = index % space[a];
    index /= space[a];
  }
  place.channel = index % channels;
  place.outer = index / channels;
  return place;
}

/// An element of a result, and what all of its products have in common.
struct Sum {
  Place at;
  std::int64_t first_channel = 0;  ///< that it sees, of the tensor that is summed over
  std::int64_t in_group = 0;       ///< channel of the input gradient within its group
};

/// Which products each element of a pass's result sums up. What all of them need of the shape is worked out here, and
/// what those of one element need by sum(): a division of indices takes a GPU as long as several products.
class Reduction {
 public:
  /// shape: as require_valid() has it.
  constexpr Reduction(const Convolution& shape, Pass pass, const Layouts& layouts)
      : shape_(shape),
        pass_(pass),
        layouts_(layouts),
        out_(shape.out()),
        in_of_group_(shape.in_channels / shape.groups),
        out_of_group_(shape.out_channels / shape.groups) {}

  /// Elements are counted in the order of place_of().
  CUPEL_HOST_DEVICE constexpr Sum sum(std::int64_t element) const {
    switch (pass_) {
      case Pass::forward: {
        const Place y = place_of(element, shape_.out_channels, out_);
        return {y, y.channel / out_of_group_ * in_of_group_};
      }
      case Pass::backward_data: {
        const Place x = place_of(element, shape_.in_channels, shape_.in);
        return {x, x.channel / in_of_group_ * out_of_group_, x.channel % in_of_group_};
      }
      case Pass::backward_filter:
        break;
    }
    const Place w = place_of(element, in_of_group_, shape_.filter);
    return {w, w.outer / out_of_group_ * in_of_group_};
  }

  /// Where it lies in the result.
  CUPEL_HOST_DEVICE constexpr std::int64_t result_offset(const Sum& sum) const {
    switch (pass_) {
      case Pass::forward:
        return offset(layouts_.output, sum.at);
      case Pass::backward_data:
        return offset(layouts_.input, sum.at);
      case Pass::backward_filter:
        break;
    }
    return offset(layouts_.filter, sum.at);
  }

  /// Product `term` of 0 to reduction_length() - 1.
  CUPEL_HOST_DEVICE constexpr Product product(const Sum& sum, std::int64_t term) const {
    switch (pass_) {
      case Pass::forward: {
        const Place w = place_of(term, in_of_group_, shape_.filter);
        Place x{sum.at.outer, sum.first_channel + w.channel, {}};
        if (!meet(sum.at.at, w.at, x.at)) return {};
        return {offset(layouts_.input, x), offset(layouts_.filter, {sum.at.channel, w.channel, w.at}), true};
      }
      case Pass::backward_data: {
        const Place w = place_of(term, out_of_group_, shape_.filter);
        Place y{sum.at.outer, sum.first_channel + w.channel, {}};
        for (int a = 0; a < 3; ++a) {
          const std::int64_t scaled = sum.at.at[a] + shape_.padding[a] - w.at[a] * shape_.dilation[a];
          if (scaled < 0) return {};
          y.at[a] = scaled / shape_.stride[a];
          if (y.at[a] * shape_.stride[a] != scaled || y.at[a] >= out_[a]) return {};
        }
        return {offset(layouts_.output, y), offset(layouts_.filter, {y.channel, sum.in_group, w.at}), true};
      }
      case Pass::backward_filter:
        break;
    }
    const Place y = place_of(term, 1, out_);  // its outer index is the image: one channel of the output is used
    Place x{y.outer, sum.first_channel + sum.at.channel, {}};
    if (!meet(y.at, sum.at.at, x.at)) return {};
    return {offset(layouts_.output, {y.outer, sum.at.outer, y.at}), offset(layouts_.input, x), true};
  }

 private:
  /// Where output and filter meet in the input; false if that is padding.
  CUPEL_HOST_DEVICE constexpr bool meet(const Spatial& output, const Spatial& filter, Spatial& input) const {
    for (int a = 0; a < 3; ++a) {
      input[a] = output[a] * shape_.stride[a] - shape_.padding[a] + filter[a] * shape_.dilation[a];
      if (input[a] < 0 || input[a] >= shape_.in[a]) return false;
    }
    return true;
  }

  Convolution shape_;
  Pass pass_;
  Layouts layouts_;
  Spatial out_;
  std::int64_t in_of_group_, out_of_group_;
};

}  // namespace cupel::kernels::dot
