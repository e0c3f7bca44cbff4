// What the kernels of pointwise.hpp do, in plain C++ and double. Arrays are host memory, all of one size unless said.
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
/// The first `operations` steps of the chain, 0 to kLongestChain.
void chain(In in, In other, int operations, Out out);

}  // namespace cupel::kernels::pointwise::reference
