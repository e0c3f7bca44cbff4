// A training step as a list of operations on tensors: what a network computes forward and backward, which is worked out
// once. Two machines run it, one in double on the host and one on the device. Host code only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/step/net.hpp"
#include "kernels/common/dtype.hpp"
#include "kernels/dot/convolution.hpp"
#include "kernels/pool/planes.hpp"

namespace cupel::bench::step {

using kernels::DType;
using kernels::dot::Layout;

enum class Precision {
  fp32,      ///< CUDA cores
  tf32,      ///< fp32 tensors; convolutions and products may round what they multiply
  amp_fp16,  ///< as autocast does it: parameters in fp32, casts before convolutions and products, a loss scale
  amp_bf16,  ///< likewise, without the scale
};
const char* to_string(Precision precision);

/// Type of what convolutions and products take and give.
DType product_type(Precision precision);

/// The part of the forward pass that is kept for the backward one. Others compute it again, from the outputs of a few
/// layers (about the root of how many there are to choose from), or each time from the images on.
enum class Keep { all, sqrt, none };
const char* to_string(Keep keep);

struct Options {
  std::int64_t batch = 1;
  Precision precision = Precision::fp32;
  Layout layout = Layout::channels_first;
  bool trains = true;  ///< else a forward pass with the running statistics of the norms, as in evaluation
  Keep keep = Keep::all;
  bool adds_gradients = false;  ///< to what is there; else they replace it
  bool inplace_relu = true;
  bool frozen_norms = false;     ///< batch norms have their running statistics in training too, and leave them
  bool fused_attention = false;  ///< one operation, which keeps a number for each query in the place of probabilities
  std::int64_t parts = 1;        ///< of the batch: the gradient is that of the loss divided by it
};

/// Elements of a tensor: numbers of a type, or bytes (places of a pool).
enum class Number { fp32, fp16, bf16, byte };
Number number_of(DType type);
DType dtype_of(Number number);
std::int64_t size_of(Number number);

/// Who gives a tensor its memory. All but `planned` live as long as the training does.
enum class Home { planned, image, loss, parameter, gradient, mean, inverse_deviation, running_mean, running_variance };
inline constexpr int kHomes = 9;

struct Tensor {
  std::string name;
  Number number = Number::fp32;
  std::int64_t count = 0;
  Home home = Home::planned;
  std::int64_t bytes() const { return count * size_of(number); }
};

/// Arguments in this order; scratch memory is behind a bar. d_x: the gradient of x.
enum class Op {
  cast,                    ///< x -> y, of another number
  add,                     ///< a, b -> y, which may be a
  accumulate,              ///< d -> gradient, added to it, or in its place in a first part of a batch
  convolution,             ///< x, filter -> y
  convolution_data,        ///< d_y, filter -> d_x
  convolution_filter,      ///< d_y, x -> d_filter
  bias,                    ///< y, bias -> y
  bias_gradient,           ///< d_y -> d_bias | partial
  batch_norm,              ///< x, gamma, beta -> y, mean, inverse | partial
  batch_norm_backward,     ///< x, d_y, gamma, mean, inverse -> d_x, d_gamma, d_beta | partial
  batch_norm_evaluation,   ///< x, gamma, beta, running mean, running variance -> y | factor, shift
  frozen_norm_backward,    ///< x, d_y, gamma, running mean, running variance -> d_x, d_gamma, d_beta
                           ///< | partial, inverse, factor, shift
  update_running,          ///< all running statistics
  relu,                    ///< x -> y, which may be x
  relu_backward,           ///< y, d_y -> d_x
  gelu,                    ///< x -> y
  gelu_backward,           ///< x, d_y -> d_x
  max_pool,                ///< x -> y, places
  max_pool_backward,       ///< d_y, places -> d_x
  mean_pool,               ///< x -> y
  mean_pool_backward,      ///< d_y -> d_x
  linear,                  ///< x, weight, bias -> y
  linear_data,             ///< d_y, weight -> d_x
  linear_weight,           ///< d_y, x -> d_weight
  layer_norm,              ///< x, gamma, beta -> y, mean, inverse
  layer_norm_backward,     ///< x, gamma, d_y, mean, inverse -> d_x
  layer_norm_parameters,   ///< x, d_y, mean, inverse -> d_gamma, d_beta | partial
  attention,               ///< query key value -> y, probabilities, or where it is fused its statistics
  attention_backward,      ///< query key value, probabilities, d_y -> d_query key value | d_probabilities, d_scores;
                           ///< fused: query key value, statistics, d_y, y -> d_query key value
  cross_entropy,           ///< scores -> losses, log sums, loss
  cross_entropy_backward,  ///< scores, log sums -> d_scores
  scale_loss,              ///< d -> d, times the loss scale
};

/// For the eye.
const char* to_string(Op op);

struct Operation {
  Op op;
  int layer;  ///< of the net
  std::vector<int> in, out;
};

struct Program {
  Net net;
  Options options;
  std::vector<Tensor> tensors;
  std::vector<Operation> operations;
  std::size_t forward_end = 0;  ///< operations before it are the forward pass and the loss

  const Layer& layer(const Operation& operation) const { return net.layers[static_cast<std::size_t>(operation.layer)]; }
  const Tensor& tensor(int id) const { return tensors[static_cast<std::size_t>(id)]; }
  /// Tensors of a home, in order: gradients in the order of their parameters.
  std::vector<int> of(Home home) const;
  /// Rows of scores, each with a label.
  std::int64_t labels() const { return options.batch * net.layers.back().out.places(); }
  std::int64_t images() const { return options.batch * net.layers.front().out.count(); }
};

/// PyTorch's: for batch norms and layer norms, and for running statistics.
inline constexpr float kEpsilon = 1e-5f;
inline constexpr float kMomentum = 0.1f;

/// Shapes of a layer's work, for the whole batch.
kernels::dot::Convolution convolution_of(const Program& program, const Layer& layer);
kernels::pool::Windows windows_of(const Program& program, const Layer& layer);

/// Elements that each batch norm has a mean of, in the order of the layers.
std::vector<double> norm_sizes(const Program& program);

/// Throws std::invalid_argument for what the net cannot: biases of convolutions, frozen norms and rows of tokens want
/// channels-last arrays.
Program make_program(const Net& net, const Options& options);

/// Casts of a step: how many, and the bytes that they read and write.
struct Casts {
  std::int64_t count = 0, bytes = 0;
};
Casts casts(const Program& program);

}  // namespace cupel::bench::step
