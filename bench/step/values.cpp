#include "bench/step/values.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "cupel/verify/generator.hpp"

namespace cupel::bench::step {
namespace {

using kernels::dot::Place;
using kernels::dot::Spatial;
using kernels::dot::Strides;
using verify::Generator;

// For each parameter, batch and pattern another generator.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t which) { return verify::mix(seed * 65537 + which); }

// Uniform with variance 1.
double noise(const Generator& random, std::int64_t i) {
  return (2 * random.uniform(static_cast<std::uint64_t>(i)) - 1) * std::sqrt(3.0);
}

// Elements of outer x channels x height x width, numbered in this order and put where the layout has them. All threads
// make them.
template <class Make>
std::vector<float> in_layout(Layout layout, std::int64_t outer, std::int64_t channels, std::int64_t height,
                             std::int64_t width, const Make& make) {
  std::vector<float> values(static_cast<std::size_t>(outer * channels * height * width));
  const Strides strides = strides_of(layout, channels, Spatial{{1, height, width}});
#pragma omp parallel for
  for (std::int64_t n = 0; n < outer; ++n) {
    std::int64_t i = n * channels * height * width;
    for (std::int64_t c = 0; c < channels; ++c) {
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x, ++i) {
          values[static_cast<std::size_t>(offset(strides, Place{n, c, {{0, y, x}}}))] =
              static_cast<float>(make(n, c, y * width + x, i));
        }
      }
    }
  }
  return values;
}

// The layer of a parameter, and which of its parameters it is.
struct Owner {
  const Layer* layer = nullptr;
  int which = 0;
};

Owner owner_of(const Program& program, const std::string& name) {
  for (const Layer& layer : program.net.layers) {
    if (!name.starts_with(layer.name + ".")) continue;
    const std::string suffix = name.substr(layer.name.size() + 1);
    if (suffix == "weight" || suffix == "gamma") return {&layer, 0};
    if (suffix == "bias") return {&layer, 1};
  }
  throw std::invalid_argument("no layer has a parameter " + name);
}

// The first batch of what batches_of() takes.
Batch labelled_images(const Program& program, std::string_view cifar10) {
  const Extent& in = program.net.layers.front().out;
  const auto byte = [&](std::int64_t i) { return static_cast<unsigned char>(cifar10[static_cast<std::size_t>(i)]); };
  Batch batch;
  for (std::int64_t n = 0; n < program.options.batch; ++n) {
    batch.labels.push_back(byte(n * (1 + in.count())));
    if (batch.labels.back() >= program.net.classes()) {
      throw std::invalid_argument("label " + std::to_string(batch.labels.back()) + " of " +
                                  std::to_string(program.net.classes()) + " classes");
    }
  }
  batch.images = in_layout(program.options.layout, program.options.batch, in.channels, in.height, in.width,
                           [&](std::int64_t n, auto, auto, std::int64_t i) {
                             return static_cast<float>(byte(i + n + 1)) / 127.5f - 1;  // n + 1 labels are before it
                           });
  return batch;
}

}  // namespace

std::vector<float> first_values(const Program& program, int tensor, std::uint64_t seed) {
  const Tensor& of = program.tensor(tensor);
  const auto all = [&](float value) { return std::vector<float>(static_cast<std::size_t>(of.count), value); };
  if (of.home == Home::running_mean) return all(0);
  if (of.home == Home::running_variance) return all(1);
  const auto [layer, which] = owner_of(program, of.name);
  if (layer->kind == Kind::batch_norm || layer->kind == Kind::layer_norm) return all(which == 0 ? 1.0f : 0.0f);

  const std::vector<int> parameters = program.of(Home::parameter);
  const auto ordinal = std::ranges::find(parameters, tensor) - parameters.begin();
  const Generator random(seed_of(seed, 16 + static_cast<std::uint64_t>(ordinal)));
  const std::int64_t in = program.net.input_of(*layer).out.channels;
  if (layer->kind == Kind::convolution && which == 0) {
    const double fan_out = static_cast<double>(layer->out.channels * layer->window * layer->window);
    return in_layout(program.options.layout, layer->out.channels, in, layer->window, layer->window,
                     [&](auto, auto, auto, std::int64_t i) {
                       return std::sqrt(2 / fan_out) * random.normal(static_cast<std::uint64_t>(i));
                     });
  }
  const std::int64_t window = layer->kind == Kind::convolution ? layer->window * layer->window : 1;
  const double bound = 1 / std::sqrt(static_cast<double>(in * window));
  return in_layout(Layout::channels_first, of.count, 1, 1, 1, [&](auto, auto, auto, std::int64_t i) {
    return bound * (2 * random.uniform(static_cast<std::uint64_t>(i)) - 1);
  });
}

Batch make_batch(const Program& program, std::uint64_t seed) {
  const Extent& in = program.net.layers.front().out;
  const std::int64_t rows = program.net.layers.back().out.places();  // of scores, for each sample
  Batch batch;
  const Generator choice(seed_of(seed, 1));
  const int classes = static_cast<int>(program.net.classes());
  for (std::int64_t i = 0; i < program.labels(); ++i) {
    batch.labels.push_back(choice.small_integer(static_cast<std::uint64_t>(i), 0, classes - 1));
  }
  const Generator random(seed_of(seed, 2)), patterns(seed_of(0, 3));
  batch.images =
      in_layout(program.options.layout, program.options.batch, in.channels, in.height, in.width,
                [&](std::int64_t n, std::int64_t c, std::int64_t place, std::int64_t i) {
                  // A label of its own for each place, or one for all places of a sample.
                  const std::int64_t row = rows > 1 ? place : 0, within = rows > 1 ? c : c * in.places() + place;
                  const auto label = static_cast<std::int64_t>(batch.labels[static_cast<std::size_t>(n * rows + row)]);
                  return noise(random, i) + noise(patterns, label * in.count() + within);
                });
  return batch;
}

std::vector<Batch> batches_of(const Program& program, std::string_view cifar10) {
  const Extent& in = program.net.layers.front().out;
  const auto sample_bytes = static_cast<std::size_t>(1 + in.count());
  const auto samples = static_cast<std::size_t>(program.options.batch);
  if (program.options.batch < 1) throw std::invalid_argument("a batch has samples");
  if (cifar10.size() % sample_bytes != 0 || cifar10.size() < samples * sample_bytes) {
    throw std::invalid_argument(std::to_string(cifar10.size()) + " bytes are no batch of samples of " +
                                std::to_string(sample_bytes) + " bytes each");
  }
  std::vector<Batch> batches;
  for (; cifar10.size() >= samples * sample_bytes; cifar10.remove_prefix(samples * sample_bytes)) {
    batches.push_back(labelled_images(program, cifar10));
  }
  return batches;
}

}  // namespace cupel::bench::step
