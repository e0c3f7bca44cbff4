// The references of the kernels of norm.hpp, in plain C++ and double: the formulas, a loop each. Arrays are host
// memory.
#pragma once

#include <cstdint>
#include <span>

namespace cupel::kernels::norm::reference {

using In = std::span<const double>;
using Out = std::span<double>;

// `columns` divides the size of the arrays; gamma and beta have one element a column.
void layer_norm(In in, In gamma, In beta, double epsilon, Out out, std::int64_t columns);
/// d_gamma, d_beta: one element a column.
void layer_norm_backward(In in, In gamma, In d_out, double epsilon, Out d_in, Out d_gamma, Out d_beta,
                         std::int64_t columns);
void rms_norm(In in, In gamma, double epsilon, Out out, std::int64_t columns);
void rms_norm_backward(In in, In gamma, In d_out, double epsilon, Out d_in, Out d_gamma, std::int64_t columns);
void softmax(In in, Out out, std::int64_t columns);
/// out is what softmax() gave.
void softmax_backward(In out, In d_out, Out d_in, std::int64_t columns);
/// The same for squares one below the other: row r of each sees the columns 0 to r, and is 0 behind them.
void causal_softmax(In in, Out out, std::int64_t columns);
void causal_softmax_backward(In out, In d_out, Out d_in, std::int64_t columns);
/// loss: one element a row.
void cross_entropy(In in, std::span<const std::int32_t> label, Out loss, std::int64_t columns);
void cross_entropy_backward(In in, std::span<const std::int32_t> label, double scale, Out d_in, std::int64_t columns);
/// mean, variance: one element a column; the variance is divided by the number of rows.
void batch_norm(In in, In gamma, In beta, double epsilon, bool relu, Out out, Out mean, Out variance,
                std::int64_t columns);
void batch_norm_backward(In in, In d_out, In gamma, double epsilon, Out d_in, Out d_gamma, Out d_beta,
                         std::int64_t columns);
/// out is what batch_norm() with ReLU gave.
void batch_norm_relu_backward(In in, In out, In d_out, In gamma, double epsilon, Out d_in, Out d_gamma, Out d_beta,
                              std::int64_t columns);

}  // namespace cupel::kernels::norm::reference
