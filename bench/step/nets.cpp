#include "bench/step/nets.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace cupel::bench::step {
namespace {

// Adds layers; each call returns the place of its layer.
class Table {
 public:
  Table(std::string name, const Extent& input) : net_{std::move(name), {{"input", Kind::input, {}, input}}} {}

  int convolution(const std::string& name, int from, std::int64_t channels, std::int64_t window, std::int64_t stride,
                  std::int64_t padding, bool bias) {
    Layer layer{name,   Kind::convolution, {from}, windowed(from, window, stride, padding), window,
                stride, padding,           bias};
    layer.out.channels = channels;
    return add(layer);
  }
  int max_pool(const std::string& name, int from, std::int64_t window, std::int64_t stride, std::int64_t padding) {
    return add({name, Kind::max_pool, {from}, windowed(from, window, stride, padding), window, stride, padding});
  }
  int mean_pool(const std::string& name, int from) {
    return add({name, Kind::mean_pool, {from}, {out(from).channels}});
  }
  int linear(const std::string& name, int from, std::int64_t channels) {
    return add({name, Kind::linear, {from}, {channels, out(from).height, out(from).width}});
  }
  int attention(const std::string& name, int from, std::int64_t heads) {
    Layer layer{name, Kind::attention, {from}, out(from)};
    layer.out.channels /= 3;
    layer.heads = heads;
    return add(layer);
  }
  // Adds a layer that leaves the extent as it is.
  int same(const std::string& name, Kind kind, std::vector<int> from) {
    const Extent extent = out(from.front());
    return add({name, kind, std::move(from), extent});
  }

  const Extent& out(int place) const { return net_.layers[static_cast<std::size_t>(place)].out; }
  Net net() && { return std::move(net_); }

 private:
  int add(Layer layer) {
    net_.layers.push_back(std::move(layer));
    return static_cast<int>(net_.layers.size()) - 1;
  }
  Extent windowed(int from, std::int64_t window, std::int64_t stride, std::int64_t padding) const {
    const Extent& in = out(from);
    return {in.channels, (in.height + 2 * padding - window) / stride + 1,
            (in.width + 2 * padding - window) / stride + 1};
  }

  Net net_;
};

// Two convolutions of 3 x 3 beside a shortcut, which is a convolution of 1 x 1 where the extent changes.
int basic_block(Table& table, const std::string& name, int from, std::int64_t channels, std::int64_t stride,
                bool bias) {
  int x = table.convolution(name + ".conv1", from, channels, 3, stride, 1, bias);
  x = table.same(name + ".bn1", Kind::batch_norm, {x});
  x = table.same(name + ".relu1", Kind::relu, {x});
  x = table.convolution(name + ".conv2", x, channels, 3, 1, 1, bias);
  x = table.same(name + ".bn2", Kind::batch_norm, {x});
  int shortcut = from;
  if (stride != 1 || table.out(from).channels != channels) {
    shortcut = table.convolution(name + ".downsample.0", from, channels, 1, stride, 0, bias);
    shortcut = table.same(name + ".downsample.1", Kind::batch_norm, {shortcut});
  }
  x = table.same(name + ".add", Kind::add, {x, shortcut});
  return table.same(name + ".relu2", Kind::relu, {x});
}

// x + what `branch` makes of the layer norm of x.
template <class Branch>
int residual(Table& table, const std::string& norm, int from, const Branch& branch) {
  const int normed = table.same(norm, Kind::layer_norm, {from});
  return table.same(norm + ".add", Kind::add, {from, branch(normed)});
}

Net toy_images() {
  Table table("toy_images", {3, 9, 9});
  int x = table.convolution("conv1", 0, 8, 3, 1, 1, false);
  x = table.same("bn1", Kind::batch_norm, {x});
  x = table.same("relu", Kind::relu, {x});
  x = table.max_pool("maxpool", x, 3, 2, 1);
  x = basic_block(table, "layer1.0", x, 8, 1, false);
  x = basic_block(table, "layer2.0", x, 16, 2, false);
  x = table.mean_pool("avgpool", x);
  table.linear("fc", x, 8);
  return std::move(table).net();
}

}  // namespace

Net resnet18(int images, bool conv_bias) {
  if (images != 224 && images != 32) throw std::invalid_argument("resnet18: images are of 224 or of 32");
  const bool large = images == 224;
  Table table(large ? "resnet18_224" : "resnet18_32", {3, images, images});
  int x = large ? table.convolution("conv1", 0, 64, 7, 2, 3, conv_bias)
                : table.convolution("conv1", 0, 64, 3, 1, 1, conv_bias);
  x = table.same("bn1", Kind::batch_norm, {x});
  x = table.same("relu", Kind::relu, {x});
  if (large) x = table.max_pool("maxpool", x, 3, 2, 1);

  struct Stage {
    const char* name;
    std::int64_t channels, stride;
  };
  static constexpr Stage kStages[] = {{"layer1", 64, 1}, {"layer2", 128, 2}, {"layer3", 256, 2}, {"layer4", 512, 2}};
  for (const Stage& stage : kStages) {
    x = basic_block(table, std::string(stage.name) + ".0", x, stage.channels, stage.stride, conv_bias);
    x = basic_block(table, std::string(stage.name) + ".1", x, stage.channels, 1, conv_bias);
  }

  x = table.mean_pool("avgpool", x);
  table.linear("fc", x, large ? 1000 : 10);
  return std::move(table).net();
}

Net transformer(const std::string& name, std::int64_t hidden, int blocks, std::int64_t tokens, std::int64_t head) {
  Table table(name, {hidden, tokens});
  int x = 0;
  for (int block = 0; block < blocks; ++block) {
    const std::string prefix = blocks > 1 ? "block" + std::to_string(block) + "." : "";
    x = residual(table, prefix + "norm1", x, [&](int normed) {
      const int qkv = table.linear(prefix + "attention.qkv", normed, 3 * hidden);
      return table.linear(prefix + "attention.out", table.attention(prefix + "attention", qkv, hidden / head), hidden);
    });
    x = residual(table, prefix + "norm2", x, [&](int normed) {
      const int up = table.linear(prefix + "mlp.up", normed, 4 * hidden);
      return table.linear(prefix + "mlp.down", table.same(prefix + "mlp.gelu", Kind::gelu, {up}), hidden);
    });
  }
  return std::move(table).net();
}

Net net_of(const std::string& name) {
  if (name == "resnet18_224") return resnet18(224);
  if (name == "resnet18_32") return resnet18(32);
  if (name == "transformer_1024") return transformer(name, 1024);
  if (name == "transformer_4096") return transformer(name, 4096);
  if (name == "transformer_1024x12") return transformer(name, 1024, 12);
  if (name == "toy_images") return toy_images();
  if (name == "toy_tokens") return transformer(name, 16, 1, 6, 8);
  if (name == "toy_tokens_x3") return transformer(name, 16, 3, 6, 8);
  throw std::invalid_argument("there is no net \"" + name + "\"");
}

}  // namespace cupel::bench::step
