#include "bench/step/host_machine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/dot/convolution.hpp"
#include "kernels/norm/reference.hpp"
#include "kernels/pointwise/reference.hpp"
#include "kernels/pool/reference.hpp"

namespace cupel::bench::step {
namespace {

using kernels::dot::Pass;
using Values = std::vector<double>;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

Values convolve(const Program& program, const Layer& layer, Pass pass, const Values& left, const Values& right) {
  const kernels::dot::Convolution shape = convolution_of(program, layer);
  const kernels::dot::Reduction reduction(shape, pass, layouts_of(program.options.layout, shape));
  Values result(index(result_count(shape, pass)));
  for (std::int64_t i = 0; i < result_count(shape, pass); ++i) {
    const kernels::dot::Sum sum = reduction.sum(i);
    double& value = result[index(reduction.result_offset(sum))];
    for (std::int64_t term = 0; term < reduction_length(shape, pass); ++term) {
      const kernels::dot::Product product = reduction.product(sum, term);
      if (product.present) value += left[index(product.left)] * right[index(product.right)];
    }
  }
  return result;
}

// One operand of a product: element (i, j) is at i * row + j * column.
struct Matrix {
  const Values& values;
  std::int64_t row, column;
  double operator()(std::int64_t i, std::int64_t j) const { return values[index(i * row + j * column)]; }
};

Values multiply(const Matrix& a, const Matrix& b, std::int64_t m, std::int64_t k, std::int64_t n) {
  Values c(index(m * n));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t l = 0; l < k; ++l) c[index(i * n + j)] += a(i, l) * b(l, j);
    }
  }
  return c;
}

// Calls function(h) for each head of each sample, with where its query, key, value and result begin.
struct Head {
  std::int64_t query, key, value, out, scores;  // first elements
};
template <class Function>
void for_each_head(const Program& program, const Layer& layer, const Function& function) {
  const std::int64_t places = layer.out.places(), channels = layer.out.channels, size = channels / layer.heads;
  for (std::int64_t sample = 0; sample < program.options.batch; ++sample) {
    for (std::int64_t h = 0; h < layer.heads; ++h) {
      const std::int64_t query = sample * places * 3 * channels + h * size;
      function(Head{query, query + channels, query + 2 * channels, sample * places * channels + h * size,
                    (sample * layer.heads + h) * places * places});
    }
  }
}

}  // namespace

HostMachine::HostMachine(const Program& program, const Plan& plan) : program_(program), plan_(plan) {
  for (int home = 0; home < kHomes; ++home) {
    // What nobody wrote must not look like a number.
    memory_[static_cast<std::size_t>(home)].assign(index(plan.bytes[static_cast<std::size_t>(home)]),
                                                   std::numeric_limits<double>::quiet_NaN());
  }
}

double& HostMachine::at(int tensor, std::size_t i) {
  const Tensor& t = program_.tensor(tensor);
  const std::int64_t byte = plan_.offset[index(tensor)] + static_cast<std::int64_t>(i) * size_of(t.number);
  return memory_[static_cast<std::size_t>(t.home)][index(byte)];
}

void HostMachine::set(int tensor, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) at(tensor, i) = values[i];
}

void HostMachine::set(int tensor, std::span<const float> values) {
  for (std::size_t i = 0; i < values.size(); ++i) at(tensor, i) = static_cast<double>(values[i]);
}

std::vector<double> HostMachine::get(int tensor) const {
  const Tensor& t = program_.tensor(tensor);
  const Values& memory = memory_[static_cast<std::size_t>(t.home)];
  Values values(index(t.count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = memory[index(plan_.offset[index(tensor)] + static_cast<std::int64_t>(i) * size_of(t.number))];
  }
  return values;
}

void HostMachine::run(bool first_part) {
  for (const Operation& operation : program_.operations) run(operation, first_part);
}

void HostMachine::run_forward() {
  for (std::size_t i = 0; i < program_.forward_end; ++i) run(program_.operations[i], true);
}

// The channel of an element of the layer's output, or of its input where both have the same planes.
std::size_t HostMachine::channel_of(const Layer& layer, std::size_t i) const {
  const bool last = program_.options.layout == Layout::channels_last || !program_.net.has_planes();
  const auto places = last ? 1 : index(layer.out.places());
  return i / places % index(layer.out.channels);
}

void HostMachine::run(const Operation& operation, bool first_part) {
  const Layer& layer = program_.layer(operation);
  const auto put = [&](const Values& values, std::size_t which = 0) { set(operation.out[which], values); };
  const auto fresh = [&](std::size_t which = 0) { return Values(index(program_.tensor(operation.out[which]).count)); };
  switch (operation.op) {
    case Op::cast:
      return put(in(operation, 0));
    case Op::add:
    case Op::accumulate: {
      Values sum = in(operation, 0);
      const bool alone = operation.op == Op::accumulate && first_part;
      const Values other = operation.op == Op::add ? in(operation, 1)
                           : alone                 ? Values(sum.size())
                                                   : get(operation.out[0]);
      std::ranges::transform(sum, other, sum.begin(), std::plus());
      return put(sum);
    }
    case Op::convolution:
      return put(convolve(program_, layer, Pass::forward, in(operation, 0), in(operation, 1)));
    case Op::convolution_data:
      return put(convolve(program_, layer, Pass::backward_data, in(operation, 0), in(operation, 1)));
    case Op::convolution_filter:
      return put(convolve(program_, layer, Pass::backward_filter, in(operation, 0), in(operation, 1)));
    case Op::bias: {
      Values y = in(operation, 0);
      const Values bias = in(operation, 1);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += bias[channel_of(layer, i)];
      return put(y);
    }
    case Op::bias_gradient: {
      const Values d = in(operation, 0);
      Values sum = fresh();
      for (std::size_t i = 0; i < d.size(); ++i) sum[channel_of(layer, i)] += d[i];
      return put(sum);
    }
    case Op::update_running:
      return update_running();
    case Op::relu:
    case Op::gelu: {
      Values y = fresh();
      kernels::pointwise::reference::activate(
          operation.op == Op::relu ? kernels::pointwise::Activation::relu : kernels::pointwise::Activation::gelu_erf,
          in(operation, 0), y);
      return put(y);
    }
    case Op::relu_backward:
    case Op::gelu_backward: {
      Values d_x = fresh();
      kernels::pointwise::reference::activation_gradient(operation.op == Op::relu_backward
                                                             ? kernels::pointwise::Activation::relu
                                                             : kernels::pointwise::Activation::gelu_erf,
                                                         in(operation, 0), in(operation, 1), d_x);
      return put(d_x);
    }
    case Op::max_pool: {
      Values y = fresh();
      std::vector<std::uint8_t> places(y.size());
      kernels::pool::reference::max_pool(in(operation, 0), y, places, windows_of(program_, layer));
      put(y);
      return put(Values(places.begin(), places.end()), 1);
    }
    case Op::max_pool_backward: {
      const Values places = in(operation, 1);
      Values d_x = fresh();
      kernels::pool::reference::max_pool_backward(
          in(operation, 0), std::vector<std::uint8_t>(places.begin(), places.end()), d_x, windows_of(program_, layer));
      return put(d_x);
    }
    case Op::mean_pool: {
      Values y = fresh();
      kernels::pool::reference::mean_pool(in(operation, 0), y, windows_of(program_, layer).in);
      return put(y);
    }
    case Op::mean_pool_backward: {
      Values d_x = fresh();
      kernels::pool::reference::mean_pool_backward(in(operation, 0), d_x, windows_of(program_, layer).in);
      return put(d_x);
    }
    case Op::scale_loss: {
      Values d = in(operation, 0);
      for (double& x : d) x *= loss_scale;
      return put(d);
    }
    case Op::linear:
    case Op::linear_data:
    case Op::linear_weight:
      return run_product(operation);
    case Op::attention:
    case Op::attention_backward:
      return run_attention(operation);
    case Op::cross_entropy:
    case Op::cross_entropy_backward:
      return run_loss(operation);
    default:
      return run_norm(operation);
  }
}

void HostMachine::run_product(const Operation& operation) {
  const Layer& layer = program_.layer(operation);
  const std::int64_t out = layer.out.channels, in_channels = program_.net.input_of(layer).out.channels;
  const std::int64_t rows = program_.options.batch * layer.out.places();
  const Values first = in(operation, 0), second = in(operation, 1);
  Values result;
  if (operation.op == Op::linear) {  // y = x weight^T + bias; the weight is out x in
    result = multiply({first, in_channels, 1}, {second, 1, in_channels}, rows, in_channels, out);
    const Values bias = in(operation, 2);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += bias[i % index(out)];
  } else if (operation.op == Op::linear_data) {
    result = multiply({first, out, 1}, {second, in_channels, 1}, rows, out, in_channels);
  } else {
    result = multiply({first, 1, out}, {second, in_channels, 1}, out, rows, in_channels);
  }
  set(operation.out[0], result);
}

void HostMachine::run_norm(const Operation& operation) {
  const Layer& layer = program_.layer(operation);
  const std::size_t channels = index(layer.out.channels);
  const double epsilon = static_cast<double>(kEpsilon);
  const bool of_rows = layer.kind == Kind::layer_norm;
  // Which mean an element has.
  const auto group = [&](std::size_t i) { return of_rows ? i / channels : channel_of(layer, i); };
  const Values x = in(operation, 0);
  const std::size_t groups = of_rows ? x.size() / channels : channels;
  const double size = static_cast<double>(x.size()) / static_cast<double>(groups);

  const auto normalise = [&](const Values& mean, const Values& inverse, const Values& gamma, const Values& beta) {
    Values y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t c = channel_of(layer, i);
      y[i] = (x[i] - mean[group(i)]) * inverse[group(i)] * gamma[c] + beta[c];
    }
    set(operation.out[0], y);
  };
  // From d_out and the statistics: sums over each channel.
  const auto parameter_gradients = [&](const Values& d_out, const Values& mean, const Values& inverse,
                                       std::size_t first) {
    Values d_gamma(channels), d_beta(channels);
    for (std::size_t i = 0; i < x.size(); ++i) {
      d_gamma[channel_of(layer, i)] += d_out[i] * (x[i] - mean[group(i)]) * inverse[group(i)];
      d_beta[channel_of(layer, i)] += d_out[i];
    }
    set(operation.out[first], d_gamma);
    set(operation.out[first + 1], d_beta);
  };
  // d_x = inverse * (g - mean of g - x^ * mean of g x^) with g = d_out * gamma, means over each group.
  const auto backward = [&](const Values& d_out, const Values& gamma, const Values& mean, const Values& inverse) {
    Values g(x.size()), sum(groups), product(groups), d_x(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      g[i] = d_out[i] * gamma[channel_of(layer, i)];
      sum[group(i)] += g[i] / size;
      product[group(i)] += g[i] * (x[i] - mean[group(i)]) * inverse[group(i)] / size;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double normal = (x[i] - mean[group(i)]) * inverse[group(i)];
      d_x[i] = inverse[group(i)] * (g[i] - sum[group(i)] - normal * product[group(i)]);
    }
    set(operation.out[0], d_x);
  };

  switch (operation.op) {
    case Op::batch_norm:
    case Op::layer_norm: {
      Values mean(groups), inverse(groups);
      for (std::size_t i = 0; i < x.size(); ++i) mean[group(i)] += x[i] / size;
      for (std::size_t i = 0; i < x.size(); ++i)
        inverse[group(i)] += (x[i] - mean[group(i)]) * (x[i] - mean[group(i)]) / size;
      for (double& variance : inverse) variance = 1 / std::sqrt(variance + epsilon);
      set(operation.out[1], mean);
      set(operation.out[2], inverse);
      return normalise(mean, inverse, in(operation, 1), in(operation, 2));
    }
    case Op::batch_norm_evaluation: {
      Values inverse = in(operation, 4);
      for (double& variance : inverse) variance = 1 / std::sqrt(variance + epsilon);
      return normalise(in(operation, 3), inverse, in(operation, 1), in(operation, 2));
    }
    case Op::frozen_norm_backward: {
      const Values d_y = in(operation, 1), gamma = in(operation, 2);
      Values inverse = in(operation, 4), d_x(x.size());
      for (double& variance : inverse) variance = 1 / std::sqrt(variance + epsilon);
      for (std::size_t i = 0; i < x.size(); ++i) d_x[i] = d_y[i] * gamma[channel_of(layer, i)] * inverse[group(i)];
      set(operation.out[0], d_x);
      return parameter_gradients(d_y, in(operation, 3), inverse, 1);
    }
    case Op::batch_norm_backward:
      parameter_gradients(in(operation, 1), in(operation, 3), in(operation, 4), 1);
      return backward(in(operation, 1), in(operation, 2), in(operation, 3), in(operation, 4));
    case Op::layer_norm_backward:
      return backward(in(operation, 2), in(operation, 1), in(operation, 3), in(operation, 4));
    default:
      return parameter_gradients(in(operation, 1), in(operation, 2), in(operation, 3), 0);
  }
}

void HostMachine::update_running() {
  const std::vector<int> means = program_.of(Home::mean), inverses = program_.of(Home::inverse_deviation);
  const std::vector<int> running_means = program_.of(Home::running_mean);
  const std::vector<int> running_variances = program_.of(Home::running_variance);
  const std::vector<double> sizes = norm_sizes(program_);
  for (std::size_t n = 0; n < means.size(); ++n) {
    const Values mean = get(means[n]), inverse = get(inverses[n]);
    for (std::size_t c = 0; c < mean.size(); ++c) {
      const double variance = 1 / (inverse[c] * inverse[c]) - static_cast<double>(kEpsilon);
      const double unbiased = variance * sizes[n] / (sizes[n] - 1);
      at(running_means[n], c) += static_cast<double>(kMomentum) * (mean[c] - at(running_means[n], c));
      at(running_variances[n], c) += static_cast<double>(kMomentum) * (unbiased - at(running_variances[n], c));
    }
  }
}

void HostMachine::run_attention(const Operation& operation) {
  const Layer& layer = program_.layer(operation);
  const std::int64_t places = layer.out.places(), channels = layer.out.channels, size = channels / layer.heads;
  const double scale = 1 / std::sqrt(static_cast<double>(size));
  const Values qkv = in(operation, 0);
  const auto dot = [&](const Values& a, std::int64_t a_from, const Values& b, std::int64_t b_from) {
    double sum = 0;
    for (std::int64_t s = 0; s < size; ++s) sum += a[index(a_from + s)] * b[index(b_from + s)];
    return sum;
  };
  const std::int64_t step = 3 * channels;  // from one place to the next in qkv
  const bool forward = operation.op == Op::attention;
  Values probabilities = forward ? Values(index(program_.tensor(operation.out[1]).count)) : in(operation, 1);
  if (forward) {
    Values scores(probabilities.size()), y(index(program_.tensor(operation.out[0]).count));
    for_each_head(program_, layer, [&](const Head& h) {
      for (std::int64_t i = 0; i < places * places; ++i) {
        scores[index(h.scores + i)] = scale * dot(qkv, h.query + i / places * step, qkv, h.key + i % places * step);
      }
    });
    kernels::norm::reference::softmax(scores, probabilities, places);
    for_each_head(program_, layer, [&](const Head& h) {
      for (std::int64_t i = 0; i < places * places; ++i) {
        for (std::int64_t s = 0; s < size; ++s) {
          y[index(h.out + i / places * channels + s)] +=
              probabilities[index(h.scores + i)] * qkv[index(h.value + i % places * step + s)];
        }
      }
    });
    set(operation.out[0], y);
    return set(operation.out[1], probabilities);
  }
  const Values d_y = in(operation, 2);
  Values d_qkv(qkv.size()), d_probabilities(probabilities.size()), d_scores(probabilities.size());
  for_each_head(program_, layer, [&](const Head& h) {
    for (std::int64_t i = 0; i < places * places; ++i) {
      const std::int64_t d_row = h.out + i / places * channels, value = h.value + i % places * step;
      d_probabilities[index(h.scores + i)] = dot(d_y, d_row, qkv, value);
      for (std::int64_t s = 0; s < size; ++s) {
        d_qkv[index(value + s)] += probabilities[index(h.scores + i)] * d_y[index(d_row + s)];
      }
    }
  });
  kernels::norm::reference::softmax_backward(probabilities, d_probabilities, d_scores, places);
  for_each_head(program_, layer, [&](const Head& h) {
    for (std::int64_t i = 0; i < places * places; ++i) {
      const std::int64_t query = h.query + i / places * step, key = h.key + i % places * step;
      for (std::int64_t s = 0; s < size; ++s) {
        d_qkv[index(query + s)] += scale * d_scores[index(h.scores + i)] * qkv[index(key + s)];
        d_qkv[index(key + s)] += scale * d_scores[index(h.scores + i)] * qkv[index(query + s)];
      }
    }
  });
  set(operation.out[0], d_qkv);
}

void HostMachine::run_loss(const Operation& operation) {
  const std::int64_t classes = program_.net.classes();
  const Values scores = in(operation, 0);
  const auto rows = static_cast<double>(program_.labels());
  if (operation.op == Op::cross_entropy_backward) {
    Values d(scores.size());
    kernels::norm::reference::cross_entropy_backward(
        scores, labels_, 1 / (rows * static_cast<double>(program_.options.parts)), d, classes);
    return set(operation.out[0], d);
  }
  Values losses(index(program_.labels())), log_sums(losses.size());
  kernels::norm::reference::cross_entropy(scores, labels_, losses, classes);
  for (std::size_t row = 0; row < losses.size(); ++row) {
    log_sums[row] = losses[row] + scores[row * index(classes) + index(labels_[row])];
  }
  set(operation.out[0], losses);
  set(operation.out[1], log_sums);
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) / rows;
  set(operation.out[2], std::span(&mean, 1));
}

}  // namespace cupel::bench::step
