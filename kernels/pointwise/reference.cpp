#include "kernels/pointwise/reference.hpp"

#include <cstddef>

#include "kernels/pointwise/gradient_functors.hpp"

namespace cupel::kernels::pointwise {

const char* to_string(Activation activation) {
  switch (activation) {
    case Activation::tanh:
      return "tanh";
    case Activation::sigmoid:
      return "sigmoid";
    case Activation::gelu_erf:
      return "gelu_erf";
    case Activation::gelu_tanh:
      return "gelu_tanh";
    case Activation::silu:
      return "silu";
    case Activation::relu:
      break;
  }
  return "relu";
}

namespace reference {
namespace {

template <int step>
void one_step(In other, Out data) {
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = chain_step<step>(data[i], other[i]);
}

}  // namespace

void add(In a, In b, Out out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Add()(a[i], b[i]);
}

void multiply(In a, In b, Out out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Multiply()(a[i], b[i]);
}

void scale(In in, float factor, Out out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = Scale{factor}(in[i]);
}

void add_bias(In in, In bias, Out out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i] + bias[i % bias.size()];
}

void activate(Activation activation, In in, Out out) {
  with_activation(activation, [&](auto function) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = function(in[i]);
  });
}

void dropout(In in, float probability, std::uint64_t seed, Out out) {
  const Dropout drop(probability, seed);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = drop(static_cast<std::int64_t>(i), in[i]);
}

void bias_activation_residual(Activation activation, In in, In bias, In residual, float probability, std::uint64_t seed,
                              Out out) {
  add_bias(in, bias, out);
  activate(activation, out, out);
  dropout(out, probability, seed, out);
  add(out, residual, out);
}

void activation_gradient(Activation activation, In in, In d_out, Out d_in) {
  with_activation_gradient(activation, [&](auto function) {
    for (std::size_t i = 0; i < d_in.size(); ++i) d_in[i] = function(in[i], d_out[i]);
  });
}

void bias_gradient(In d_out, Out d_bias) {
  for (double& sum : d_bias) sum = 0;
  for (std::size_t i = 0; i < d_out.size(); ++i) d_bias[i % d_bias.size()] += d_out[i];
}

void chain(In in, In other, int operations, Out out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[i];
  if (operations > 0) one_step<0>(other, out);
  if (operations > 1) one_step<1>(other, out);
  if (operations > 2) one_step<2>(other, out);
  if (operations > 3) one_step<3>(other, out);
  if (operations > 4) one_step<4>(other, out);
  if (operations > 5) one_step<5>(other, out);
  if (operations > 6) one_step<6>(other, out);
  if (operations > 7) one_step<7>(other, out);
}

}  // namespace reference
}  // namespace cupel::kernels::pointwise
