#include "bench/step/program.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "kernels/norm/norm.hpp"
#include "kernels/pointwise/gradients.hpp"

namespace cupel::bench::step {
namespace {

std::size_t at(int place) { return static_cast<std::size_t>(place); }

// The tensors that the backward pass of a layer needs, besides its gradient.
struct Saved {
  int input = -1;                // as the layer took it
  int weight = -1;               // likewise
  std::vector<int> others = {};  // statistics, places, probabilities
};

class Builder {
 public:
  Builder(const Net& net, const Options& options)
      : program_{net, options, {}, {}, 0},
        value_(net.layers.size(), -1),
        saved_(net.layers.size()),
        gradient_(net.layers.size(), -1),
        number_(net.layers.size()) {}

  Program build() && {
    declare();
    for (int layer = 1; layer <= last(); ++layer) forward(layer);
    if (has_batch_statistics() && !program_.of(Home::mean).empty()) emit(Op::update_running, last(), {}, {});
    const auto [scores, log_sums] = loss();
    program_.forward_end = program_.operations.size();
    if (program_.options.trains) backward(scores, log_sums);
    return std::move(program_);
  }

 private:
  // ---- tensors

  int last() const { return static_cast<int>(program_.net.layers.size()) - 1; }
  const Layer& layer_at(int layer) const { return program_.net.layers[at(layer)]; }
  std::int64_t count_of(int layer) const { return program_.options.batch * layer_at(layer).out.count(); }
  std::int64_t rows_of(int layer) const { return program_.options.batch * layer_at(layer).out.places(); }
  bool has_batch_statistics() const { return program_.options.trains && !program_.options.frozen_norms; }
  Number product() const { return number_of(product_type(program_.options.precision)); }
  Number number(int tensor) const { return program_.tensor(tensor).number; }

  int tensor(const std::string& name, Number number, std::int64_t count, Home home = Home::planned) {
    program_.tensors.push_back({name, number, count, home});
    return static_cast<int>(program_.tensors.size()) - 1;
  }
  int of_layer(const char* what, int layer, Number number, std::int64_t count) {
    return tensor(layer_at(layer).name + "." + what, number, count);
  }
  // Like the layer's output.
  int output(int layer, Number number) { return of_layer("out", layer, number, count_of(layer)); }
  int gradient_like(int tensor_id) {
    const Tensor like = program_.tensor(tensor_id);
    return tensor("d " + like.name, like.number, like.count);
  }

  void declare() {
    value_[0] = tensor("images", Number::fp32, count_of(0), Home::image);
    number_[0] = Number::fp32;
    parameters_.resize(program_.net.layers.size());
    gradients_.resize(program_.net.layers.size());
    statistics_.resize(program_.net.layers.size());
    for (int layer = 1; layer <= last(); ++layer) declare(layer);
  }

  void declare(int layer) {
    const bool is_norm = layer_at(layer).kind == Kind::batch_norm || layer_at(layer).kind == Kind::layer_norm;
    int k = 0;
    for (const std::int64_t count : parameter_counts(program_.net, layer_at(layer))) {
      const char* suffix = k++ > 0 ? "bias" : is_norm ? "gamma" : "weight";
      const std::string name = layer_at(layer).name + "." + suffix;
      parameters_[at(layer)].push_back(tensor(name, Number::fp32, count, Home::parameter));
      gradients_[at(layer)].push_back(tensor("d " + name, Number::fp32, count, Home::gradient));
    }
    if (layer_at(layer).kind != Kind::batch_norm) return;
    const std::pair<const char*, Home> statistics[] = {{"mean", Home::mean},
                                                       {"inverse_deviation", Home::inverse_deviation},
                                                       {"running_mean", Home::running_mean},
                                                       {"running_variance", Home::running_variance}};
    for (const auto& [name, home] : statistics) {
      statistics_[at(layer)].push_back(
          tensor(layer_at(layer).name + "." + name, Number::fp32, layer_at(layer).out.channels, home));
    }
  }

  void emit(Op op, int layer, std::vector<int> in, std::vector<int> out) {
    program_.operations.push_back({op, layer, std::move(in), std::move(out)});
  }

  // The tensor in another number: itself, or a cast of it. Those of parameters are made once a step, as autocast keeps
  // them.
  int as(Number wanted, int id, int layer) {
    if (number(id) == wanted) return id;
    const bool is_parameter = program_.tensor(id).home == Home::parameter;
    if (const auto found = casts_.find(id); is_parameter && found != casts_.end()) return found->second;
    const int cast = tensor("cast " + program_.tensor(id).name, wanted, program_.tensor(id).count);
    emit(Op::cast, layer, {id}, {cast});
    if (is_parameter) casts_[id] = cast;
    return cast;
  }

  std::int64_t partial_floats(int layer, std::int64_t columns) const {
    return kernels::norm::partial_floats({rows_of(layer), columns});
  }

  // ---- forward

  void forward(int layer) {
    const Layer& l = layer_at(layer);
    const int x = value_[at(l.from[0])];
    switch (l.kind) {
      case Kind::convolution:
        forward_convolution(layer, x);
        break;
      case Kind::batch_norm:
        forward_batch_norm(layer, x);
        break;
      case Kind::relu: {
        const int y = program_.options.inplace_relu ? x : output(layer, number(x));
        emit(Op::relu, layer, {x}, {y});
        keep(layer, y, {.input = y});
        break;
      }
      case Kind::gelu: {
        const int y = output(layer, number(x));
        emit(Op::gelu, layer, {x}, {y});
        keep(layer, y, {.input = x});
        break;
      }
      case Kind::add:
        forward_add(layer);
        break;
      case Kind::max_pool: {
        const int y = output(layer, number(x)), places = of_layer("places", layer, Number::byte, count_of(layer));
        emit(Op::max_pool, layer, {x}, {y, places});
        keep(layer, y, {.others = {places}});
        break;
      }
      case Kind::mean_pool: {
        const int y = output(layer, number(x));
        emit(Op::mean_pool, layer, {x}, {y});
        keep(layer, y, {});
        break;
      }
      case Kind::linear:
        forward_linear(layer, x);
        break;
      case Kind::layer_norm:
        forward_layer_norm(layer, x);
        break;
      case Kind::attention: {
        const std::int64_t places = l.out.places(), queries = program_.options.batch * l.heads * places;
        const int y = output(layer, number(x));
        if (program_.options.fused_attention) {
          const int statistics = of_layer("statistics", layer, Number::fp32, queries);
          emit(Op::attention, layer, {x}, {y, statistics});
          keep(layer, y, {.input = x, .others = {statistics, y}});
          break;
        }
        const int probabilities = of_layer("probabilities", layer, number(x), queries * places);
        emit(Op::attention, layer, {x}, {y, probabilities});
        keep(layer, y, {.input = x, .others = {probabilities}});
        break;
      }
      case Kind::input:
        throw std::invalid_argument("a net has one input, its first layer");
    }
  }

  void keep(int layer, int value, Saved saved) {
    value_[at(layer)] = value;
    number_[at(layer)] = number(value);
    saved_[at(layer)] = std::move(saved);
  }

  void forward_convolution(int layer, int value) {
    const int x = as(product(), value, layer), weight = as(product(), parameters_[at(layer)][0], layer);
    const int y = output(layer, product());
    emit(Op::convolution, layer, {x, weight}, {y});
    if (layer_at(layer).bias) {
      if (program_.options.layout != Layout::channels_last) {
        throw std::invalid_argument("biases of convolutions want channels-last arrays");
      }
      emit(Op::bias, layer, {y, as(product(), parameters_[at(layer)][1], layer)}, {y});
    }
    keep(layer, y, {.input = x, .weight = weight});
  }

  void forward_batch_norm(int layer, int x) {
    const std::int64_t channels = layer_at(layer).out.channels;
    const std::vector<int>&parameters = parameters_[at(layer)], &statistics = statistics_[at(layer)];
    const int y = output(layer, number(x));
    if (has_batch_statistics()) {
      const int partial = of_layer("partial", layer, Number::fp32, partial_floats(layer, channels));
      emit(Op::batch_norm, layer, {x, parameters[0], parameters[1]}, {y, statistics[0], statistics[1], partial});
    } else {
      if (program_.options.trains && program_.options.layout != Layout::channels_last) {
        throw std::invalid_argument("norms that are frozen want channels-last arrays");
      }
      const int factor = of_layer("factor", layer, Number::fp32, channels);
      const int shift = of_layer("shift", layer, Number::fp32, channels);
      emit(Op::batch_norm_evaluation, layer, {x, parameters[0], parameters[1], statistics[2], statistics[3]},
           {y, factor, shift});
    }
    keep(layer, y, {.input = x});
  }

  // As torchvision does it: over what a norm gave, which nobody wants any more.
  void forward_add(int layer) {
    const std::vector<int>& from = layer_at(layer).from;
    int a = value_[at(from[0])], b = value_[at(from[1])];
    const Number wider = number(a) == number(b) ? number(a) : Number::fp32;
    a = as(wider, a, layer);
    b = as(wider, b, layer);
    const int y = layer_at(from[0]).kind == Kind::batch_norm ? a : output(layer, wider);
    emit(Op::add, layer, {a, b}, {y});
    keep(layer, y, {});
  }

  void forward_linear(int layer, int value) {
    const std::vector<int>& parameters = parameters_[at(layer)];
    const int x = as(product(), value, layer), weight = as(product(), parameters[0], layer);
    const int bias = as(product(), parameters[1], layer);
    const int y = output(layer, product());
    emit(Op::linear, layer, {x, weight, bias}, {y});
    keep(layer, y, {.input = x, .weight = weight});
  }

  // Autocast runs it in fp32.
  void forward_layer_norm(int layer, int value) {
    const std::vector<int>& parameters = parameters_[at(layer)];
    const int x = as(Number::fp32, value, layer), y = output(layer, Number::fp32);
    const int mean = of_layer("mean", layer, Number::fp32, rows_of(layer));
    const int inverse = of_layer("inverse_deviation", layer, Number::fp32, rows_of(layer));
    emit(Op::layer_norm, layer, {x, parameters[0], parameters[1]}, {y, mean, inverse});
    keep(layer, y, {.input = x, .others = {mean, inverse}});
  }

  std::pair<int, int> loss() {
    const int scores = as(Number::fp32, value_[at(last())], last());
    const int losses = of_layer("losses", last(), Number::fp32, program_.labels());
    const int log_sums = of_layer("log_sums", last(), Number::fp32, program_.labels());
    const int loss = tensor("loss", Number::fp32, 1, Home::loss);
    emit(Op::cross_entropy, last(), {scores}, {losses, log_sums, loss});
    return {scores, log_sums};
  }

  // ---- backward

  void backward(int scores, int log_sums) {
    const int d_scores = gradient_like(scores);
    emit(Op::cross_entropy_backward, last(), {scores, log_sums}, {d_scores});
    if (program_.options.precision == Precision::amp_fp16) emit(Op::scale_loss, last(), {d_scores}, {d_scores});
    give(last(), d_scores);

    const std::vector<int> ends = segment_ends();
    for (std::size_t s = ends.size(); s-- > 0;) {
      const int begin = s == 0 ? 1 : ends[s - 1] + 1;
      if (s + 1 < ends.size()) {  // the last one was computed a moment ago
        for (int layer = program_.options.keep == Keep::none ? 1 : begin; layer <= ends[s]; ++layer) forward(layer);
      }
      for (int layer = ends[s]; layer >= begin; --layer) backward(layer);
    }
  }

  // The last layer of each part of the net that is computed again as a whole.
  std::vector<int> segment_ends() const {
    std::vector<int> ends;
    const std::vector<int> all = cuts(program_.net);
    if (program_.options.keep == Keep::none) ends = all;
    if (program_.options.keep == Keep::sqrt) {
      const auto segments = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(all.size() + 1))));
      for (std::size_t s = 1; s < segments; ++s) ends.push_back(all[s * (all.size() + 1) / segments - 1]);
    }
    ends.push_back(last());
    return ends;
  }

  // Adds to the gradient of a layer's output. What two layers were given alike is not written over.
  void give(int layer, int gradient) {
    if (layer == 0) return;
    gradient = as(number_[at(layer)], gradient, layer);
    int& sum = gradient_[at(layer)];
    if (sum < 0) {
      sum = gradient;
      return;
    }
    const bool shared = std::ranges::count(gradient_, sum) > 1;
    const int result = shared ? gradient_like(sum) : sum;
    emit(Op::add, layer, {sum, gradient}, {result});
    sum = result;
  }

  // Has `write` make the gradient of a parameter in some number, and brings it where it belongs.
  template <class Write>
  void parameter_gradient(int layer, int which, Number made, const Write& write) {
    const int gradient = gradients_[at(layer)][at(which)];
    const bool adds = program_.options.adds_gradients;
    const Tensor like = program_.tensor(gradient);
    const auto temporary = [&](Number as_number) { return tensor("new " + like.name, as_number, like.count); };
    int result = made == Number::fp32 && !adds ? gradient : temporary(made);
    write(result);
    if (made != Number::fp32) {
      const int wide = adds ? temporary(Number::fp32) : gradient;
      emit(Op::cast, layer, {result}, {wide});
      result = wide;
    }
    if (adds) emit(Op::accumulate, layer, {result}, {gradient});
  }

  void backward(int layer) {
    const Layer& l = layer_at(layer);
    const Saved& saved = saved_[at(layer)];
    const int d_y = std::exchange(gradient_[at(layer)], -1);
    const int from = l.from[0];
    switch (l.kind) {
      case Kind::convolution:
        backward_product(layer, d_y, Op::convolution_data, Op::convolution_filter, l.bias);
        break;
      case Kind::linear:
        backward_product(layer, as(product(), d_y, layer), Op::linear_data, Op::linear_weight, true);
        break;
      case Kind::batch_norm:
        backward_batch_norm(layer, d_y);
        break;
      case Kind::layer_norm:
        backward_layer_norm(layer, d_y);
        break;
      case Kind::relu:
      case Kind::gelu: {
        const int d_x = gradient_like(d_y);
        emit(l.kind == Kind::relu ? Op::relu_backward : Op::gelu_backward, layer, {saved.input, d_y}, {d_x});
        give(from, d_x);
        break;
      }
      case Kind::add:
        for (const int input : l.from) give(input, d_y);
        break;
      case Kind::max_pool:
      case Kind::mean_pool: {
        const int d_x = gradient_of_input(layer, number(d_y));
        if (l.kind == Kind::max_pool) {
          emit(Op::max_pool_backward, layer, {d_y, saved.others[0]}, {d_x});
        } else {
          emit(Op::mean_pool_backward, layer, {d_y}, {d_x});
        }
        give(from, d_x);
        break;
      }
      case Kind::attention: {
        const int d_x = gradient_of_input(layer, number(d_y));
        if (program_.options.fused_attention) {
          emit(Op::attention_backward, layer, {saved.input, saved.others[0], d_y, saved.others[1]}, {d_x});
          give(from, d_x);
          break;
        }
        const int d_probabilities = gradient_like(saved.others[0]), d_scores = gradient_like(saved.others[0]);
        emit(Op::attention_backward, layer, {saved.input, saved.others[0], d_y}, {d_x, d_probabilities, d_scores});
        give(from, d_x);
        break;
      }
      case Kind::input:
        break;
    }
  }

  int gradient_of_input(int layer, Number number) {
    const int from = layer_at(layer).from[0];
    return tensor("d " + layer_at(from).name + ".out", number, count_of(from));
  }

  // For what multiplies: convolutions and linear layers.
  void backward_product(int layer, int d_y, Op data, Op weight, bool bias) {
    const Saved& saved = saved_[at(layer)];
    const int from = layer_at(layer).from[0];
    if (from != 0) {
      const int d_x = gradient_of_input(layer, product());
      emit(data, layer, {d_y, saved.weight}, {d_x});
      give(from, d_x);
    }
    parameter_gradient(layer, 0, product(), [&](int result) { emit(weight, layer, {d_y, saved.input}, {result}); });
    if (!bias) return;
    const int partial =
        of_layer("partial", layer, Number::fp32, kernels::pointwise::kBiasStrips * layer_at(layer).out.channels);
    parameter_gradient(layer, 1, product(), [&](int result) {
      emit(Op::bias_gradient, layer, {d_y}, {result, partial});
    });
  }

  void backward_batch_norm(int layer, int d_y) {
    const std::vector<int>& statistics = statistics_[at(layer)];
    const std::int64_t channels = layer_at(layer).out.channels;
    const int x = saved_[at(layer)].input, d_x = gradient_like(d_y), gamma = parameters_[at(layer)][0];
    const int partial = of_layer("partial", layer, Number::fp32, partial_floats(layer, channels));
    norm_gradients(layer, [&](int d_gamma, int d_beta) {
      if (has_batch_statistics()) {
        return emit(Op::batch_norm_backward, layer, {x, d_y, gamma, statistics[0], statistics[1]},
                    {d_x, d_gamma, d_beta, partial});
      }
      std::vector<int> out = {d_x, d_gamma, d_beta, partial};
      for (const char* what : {"inverse", "factor", "shift"}) {
        out.push_back(of_layer(what, layer, Number::fp32, channels));
      }
      emit(Op::frozen_norm_backward, layer, {x, d_y, gamma, statistics[2], statistics[3]}, std::move(out));
    });
    give(layer_at(layer).from[0], d_x);
  }

  void backward_layer_norm(int layer, int d_y) {
    const Saved& saved = saved_[at(layer)];
    const int d_x = gradient_like(d_y), mean = saved.others[0], inverse = saved.others[1];
    emit(Op::layer_norm_backward, layer, {saved.input, parameters_[at(layer)][0], d_y, mean, inverse}, {d_x});
    const int partial = of_layer("partial", layer, Number::fp32, partial_floats(layer, layer_at(layer).out.channels));
    norm_gradients(layer, [&](int d_gamma, int d_beta) {
      emit(Op::layer_norm_parameters, layer, {saved.input, d_y, mean, inverse}, {d_gamma, d_beta, partial});
    });
    give(layer_at(layer).from[0], d_x);
  }

  // One operation makes both.
  template <class Write>
  void norm_gradients(int layer, const Write& write) {
    parameter_gradient(layer, 0, Number::fp32, [&](int d_gamma) {
      parameter_gradient(layer, 1, Number::fp32, [&](int d_beta) { write(d_gamma, d_beta); });
    });
  }

  Program program_;
  std::vector<int> value_;                                             // of each layer, its output
  std::vector<Saved> saved_;                                           // of each layer
  std::vector<int> gradient_;                                          // of each layer's output; -1: none yet
  std::vector<Number> number_;                                         // of each layer's output
  std::vector<std::vector<int>> parameters_, gradients_, statistics_;  // of each layer
  std::map<int, int> casts_;                                           // of parameters
};

}  // namespace

const char* to_string(Precision precision) {
  switch (precision) {
    case Precision::tf32:
      return "tf32";
    case Precision::amp_fp16:
      return "amp_fp16";
    case Precision::amp_bf16:
      return "amp_bf16";
    case Precision::fp32:
      break;
  }
  return "fp32";
}

DType product_type(Precision precision) {
  if (precision == Precision::amp_fp16) return DType::fp16;
  if (precision == Precision::amp_bf16) return DType::bf16;
  return DType::fp32;
}

const char* to_string(Keep keep) {
  switch (keep) {
    case Keep::sqrt:
      return "sqrt";
    case Keep::none:
      return "none";
    case Keep::all:
      break;
  }
  return "all";
}

Number number_of(DType type) {
  switch (type) {
    case DType::fp16:
      return Number::fp16;
    case DType::bf16:
      return Number::bf16;
    case DType::fp32:
      break;
  }
  return Number::fp32;
}

DType dtype_of(Number number) {
  switch (number) {
    case Number::fp16:
      return DType::fp16;
    case Number::bf16:
      return DType::bf16;
    case Number::fp32:
      return DType::fp32;
    case Number::byte:
      break;
  }
  throw std::logic_error("bytes are no numbers");
}

std::int64_t size_of(Number number) { return number == Number::byte ? 1 : kernels::size_of(dtype_of(number)); }

const char* to_string(Op op) {
  static constexpr const char* kNames[] = {"cast",
                                           "add",
                                           "accumulate",
                                           "convolution",
                                           "convolution_data",
                                           "convolution_filter",
                                           "bias",
                                           "bias_gradient",
                                           "batch_norm",
                                           "batch_norm_backward",
                                           "batch_norm_evaluation",
                                           "frozen_norm_backward",
                                           "update_running",
                                           "relu",
                                           "relu_backward",
                                           "gelu",
                                           "gelu_backward",
                                           "max_pool",
                                           "max_pool_backward",
                                           "mean_pool",
                                           "mean_pool_backward",
                                           "linear",
                                           "linear_data",
                                           "linear_weight",
                                           "layer_norm",
                                           "layer_norm_backward",
                                           "layer_norm_parameters",
                                           "attention",
                                           "attention_backward",
                                           "cross_entropy",
                                           "cross_entropy_backward",
                                           "scale_loss"};
  return kNames[static_cast<std::size_t>(op)];
}

std::vector<int> Program::of(Home home) const {
  std::vector<int> found;
  for (std::size_t id = 0; id < tensors.size(); ++id) {
    if (tensors[id].home == home) found.push_back(static_cast<int>(id));
  }
  return found;
}

kernels::dot::Convolution convolution_of(const Program& program, const Layer& layer) {
  const Extent& in = program.net.input_of(layer).out;
  const auto plane = [](std::int64_t height, std::int64_t width) { return kernels::dot::Spatial{{1, height, width}}; };
  return {.batch = program.options.batch,
          .in_channels = in.channels,
          .out_channels = layer.out.channels,
          .in = plane(in.height, in.width),
          .filter = plane(layer.window, layer.window),
          .padding = {{0, layer.padding, layer.padding}},
          .stride = plane(layer.stride, layer.stride)};
}

kernels::pool::Windows windows_of(const Program& program, const Layer& layer) {
  const Extent& in = program.net.input_of(layer).out;
  return {{program.options.batch, in.channels, in.height, in.width, program.options.layout == Layout::channels_last},
          layer.window,
          layer.stride,
          layer.padding};
}

std::vector<double> norm_sizes(const Program& program) {
  std::vector<double> sizes;
  for (const Layer& layer : program.net.layers) {
    if (layer.kind != Kind::batch_norm) continue;
    sizes.push_back(static_cast<double>(program.options.batch * layer.out.places()));
  }
  return sizes;
}

Program make_program(const Net& net, const Options& options) {
  if (!net.has_planes() && options.layout != Layout::channels_last) {
    throw std::invalid_argument("rows of tokens are channels-last");
  }
  return Builder(net, options).build();
}

Casts casts(const Program& program) {
  Casts all;
  for (const Operation& operation : program.operations) {
    if (operation.op != Op::cast) continue;
    ++all.count;
    all.bytes += program.tensor(operation.in[0]).bytes() + program.tensor(operation.out[0]).bytes();
  }
  return all;
}

}  // namespace cupel::bench::step
