#include "bench/step/host_machine.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "bench/step/host_attention.hpp"
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

}  // namespace

HostMachine::HostMachine(const Program& program, const Plan& plan) : program_(program), plan_(plan) {
  for (int home = 0; home < kHomes; ++home) {
    // NaN, so that memory that was never written does not look like a number.
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

NormIndex HostMachine::norm_index(const Layer& layer, std::size_t count) const {
  NormIndex result;
  result.channels = index(layer.out.channels);
  const bool of_rows = layer.kind == Kind::layer_norm;
  result.groups = of_rows ? count / result.channels : result.channels;
  for (std::size_t i = 0; i < count; ++i) {
    result.channel.push_back(channel_of(layer, i));
    result.group.push_back(of_rows ? i / result.channels : result.channel.back());
  }
  return result;
}

// d_gamma and d_beta, from the tensor `first` on.
void HostMachine::put_parameter_gradients(const Operation& operation, std::size_t first, const Values& d_out,
                                          const Values& standard, const NormIndex& norm) {
  set(operation.out[first], channel_sums(times(d_out, standard), norm));
  set(operation.out[first + 1], channel_sums(d_out, norm));
}

void HostMachine::run_norm(const Operation& operation) {
  const auto input = [&](std::size_t which) { return in(operation, which); };
  const auto put = [&](std::size_t which, const Values& values) { set(operation.out[which], values); };
  const Values x = input(0);
  const NormIndex norm = norm_index(program_.layer(operation), x.size());
  switch (operation.op) {
    case Op::batch_norm:
    case Op::layer_norm: {
      const Values mean = group_means(x, norm), inverse = inverse_deviations(group_variances(x, mean, norm));
      put(1, mean);
      put(2, inverse);
      return put(0, scaled(standardised(x, mean, inverse, norm), input(1), input(2), norm));
    }
    case Op::batch_norm_evaluation:
      return put(0, scaled(standardised(x, input(3), inverse_deviations(input(4)), norm), input(1), input(2), norm));
    case Op::frozen_norm_backward: {
      const Values inverse = inverse_deviations(input(4));
      put_parameter_gradients(operation, 1, input(1), standardised(x, input(3), inverse, norm), norm);
      return put(0, frozen_input_gradient(input(1), input(2), inverse, norm));
    }
    case Op::batch_norm_backward: {
      const Values standard = standardised(x, input(3), input(4), norm);
      put_parameter_gradients(operation, 1, input(1), standard, norm);
      return put(0, input_gradient(input(1), standard, input(2), input(4), norm));
    }
    case Op::layer_norm_backward:
      return put(0, input_gradient(input(2), standardised(x, input(3), input(4), norm), input(1), input(4), norm));
    default:
      return put_parameter_gradients(operation, 0, input(1), standardised(x, input(2), input(3), norm), norm);
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
  const AttentionShape shape{program_.options.batch, layer.out.places(), layer.out.channels, layer.heads};
  const bool fused = program_.options.fused_attention;
  if (operation.op == Op::attention_backward) {
    const Values probabilities = fused ? attend(in(operation, 0), shape).probabilities : in(operation, 1);
    return set(operation.out[0], attend_backward(in(operation, 0), probabilities, in(operation, 2), shape));
  }
  const Attended attended = attend(in(operation, 0), shape);
  set(operation.out[0], attended.out);
  // Fused, the backward pass computes probabilities again: statistics are what a library makes of them.
  set(operation.out[1], fused ? Values(index(program_.tensor(operation.out[1]).count)) : attended.probabilities);
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
