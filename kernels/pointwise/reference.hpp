// The references of the kernels of pointwise.hpp, in plain C++ and double. Arrays are host memory, all of one size
// unless said.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/pointwise/functors.hpp"

namespace cupel::kernels::pointwise::reference {

using In = std::span<const double>;
using Out = std::span<double>;

void add(In a, In b, Out out);
void multiply(In a, In b, Out out);
void scale(In in, float factor, Out out);
/// in, out: rows of bias.size() columns.
void add_bias(In in, In bias, Out out);
void activate(Activation activation, In in, Out out);
void dropout(In in, float probability, std::uint64_t seed, Out out);
/// residual + dropout(activation(in + bias)).
void bias_activation_residual(Activation activation, In in, In bias, In residual, float probability, std::uint64_t seed,
                              Out out);
/// d_out times the activation's derivative at `in`.
void activation_gradient(Activation activation, In in, In d_out, Out d_in);
/// d_bias[c] = the sum of d_out[r][c]; rows of d_bias.size() columns.
void bias_gradient(In d_out, Out d_bias);
/// The first `operations` steps of the chain, 0 to kLongestChain.
void chain(In in, In other, int operations, Out out);

}  // namespace cupel::kernels::pointwise::reference
