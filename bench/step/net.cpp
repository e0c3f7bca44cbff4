#include "bench/step/net.hpp"

#include <algorithm>

namespace cupel::bench::step {

bool Net::has_planes() const {
  return std::ranges::any_of(layers, [](const Layer& layer) { return layer.kind == Kind::convolution; });
}

std::vector<std::int64_t> parameter_counts(const Net& net, const Layer& layer) {
  const auto in = [&] { return net.input_of(layer).out.channels; };
  const std::int64_t out = layer.out.channels;
  switch (layer.kind) {
    case Kind::convolution: {
      std::vector<std::int64_t> counts = {out * in() * layer.window * layer.window};
      if (layer.bias) counts.push_back(out);
      return counts;
    }
    case Kind::linear:
      return {out * in(), out};
    case Kind::batch_norm:
    case Kind::layer_norm:
      return {out, out};
    default:
      return {};
  }
}

std::int64_t parameter_count(const Net& net) {
  std::int64_t sum = 0;
  for (const Layer& layer : net.layers) {
    for (const std::int64_t count : parameter_counts(net, layer)) sum += count;
  }
  return sum;
}

std::int64_t forward_flops(const Net& net) {
  std::int64_t sum = 0;
  for (const Layer& layer : net.layers) {
    const std::int64_t places = layer.out.places();
    if (layer.kind == Kind::convolution || layer.kind == Kind::linear) {
      sum += 2 * places * parameter_counts(net, layer).front();
    } else if (layer.kind == Kind::attention) {
      sum += 4 * places * places * layer.out.channels;  // scores, and the values they weigh
    }
  }
  return sum;
}

std::vector<int> cuts(const Net& net) {
  const auto size = static_cast<int>(net.layers.size());
  std::vector<int> found;
  for (int place = 1; place + 1 < size; ++place) {
    bool alone = true;
    for (int later = place + 1; later < size && alone; ++later) {
      const std::vector<int>& from = net.layers[static_cast<std::size_t>(later)].from;
      alone = std::ranges::all_of(from, [&](int input) { return input >= place; });
    }
    if (alone && net.layers[static_cast<std::size_t>(place + 1)].kind != Kind::relu) found.push_back(place);
  }
  return found;
}

}  // namespace cupel::bench::step
