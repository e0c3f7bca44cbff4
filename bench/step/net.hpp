// A network as a list of layers. Host code only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupel::bench::step {

enum class Kind {
  input,
  convolution,
  batch_norm,
  relu,
  gelu,
  add,
  max_pool,
  mean_pool,  ///< of whole planes
  linear,     ///< of each place's channels
  layer_norm,
  attention,  ///< of all places of a sample; its input has query, key and value, one behind the other
};

/// The output of a layer for one sample. Tokens are places: `height` of them.
struct Extent {
  std::int64_t channels = 1, height = 1, width = 1;
  std::int64_t places() const { return height * width; }
  std::int64_t count() const { return channels * places(); }
  bool operator==(const Extent&) const = default;
};

struct Layer {
  std::string name;  ///< as torchvision has it
  Kind kind = Kind::input;
  std::vector<int> from;  ///< places in the list, all before this one
  Extent out;
  std::int64_t window = 0, stride = 1, padding = 0;  ///< of convolutions and pools; windows are square
  bool bias = false;                                 ///< of convolutions; linear layers have one
  std::int64_t heads = 1;                            ///< of attention
};

/// The first layer is the input; the last one's channels are the scores of classes, for each place a label.
struct Net {
  std::string name;
  std::vector<Layer> layers;

  const Layer& input_of(const Layer& layer, int which = 0) const {
    return layers[static_cast<std::size_t>(layer.from[static_cast<std::size_t>(which)])];
  }
  std::int64_t classes() const { return layers.back().out.channels; }

  /// Whether there is a choice of layouts: rows of tokens are always channels-last.
  bool has_planes() const;
};

/// Elements of each parameter of a layer: weight and bias, or gamma and beta; none if it has no parameters.
std::vector<std::int64_t> parameter_counts(const Net& net, const Layer& layer);

std::int64_t parameter_count(const Net& net);

/// Multiplications and additions of a forward pass of one sample, in convolutions, products and attention.
std::int64_t forward_flops(const Net& net);

/// Layers behind which nothing but their output is wanted of all that was before, so that what follows can be computed
/// again from it. Not where an activation follows, which may be written over it. Ascending; without input and last.
std::vector<int> cuts(const Net& net);

}  // namespace cupel::bench::step
