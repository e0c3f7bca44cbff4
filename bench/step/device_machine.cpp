#include "bench/step/device_machine.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "bench/step/convolution.hpp"
#include "bench/step/cudnn_batch_norm.hpp"
#include "bench/step/product.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/vendor/cudnn_convolution.hpp"
#include "kernels/common/cuda_type.hpp"
#include "kernels/common/fill.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/pointwise/gradients.hpp"
#include "kernels/pointwise/pointwise.hpp"
#include "kernels/pool/pool.hpp"

namespace cupel::bench::step {
namespace {

namespace norm = kernels::norm;
namespace pointwise = kernels::pointwise;
namespace pool = kernels::pool;
using cuda::check;
using kernels::dot::Pass;
using pointwise::Activation;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr Home kLasting[] = {Home::parameter,         Home::gradient,     Home::mean,
                             Home::inverse_deviation, Home::running_mean, Home::running_variance};

bool is_convolution(Op op) {
  return op == Op::convolution || op == Op::convolution_data || op == Op::convolution_filter;
}

ConvolutionProblem problem_of(const Program& program, const Operation& operation) {
  const Pass pass = operation.op == Op::convolution        ? Pass::forward
                    : operation.op == Op::convolution_data ? Pass::backward_data
                                                           : Pass::backward_filter;
  return {.shape = convolution_of(program, program.layer(operation)),
          .pass = pass,
          .type = product_type(program.options.precision),
          .layout = program.options.layout,
          .tf32 = program.options.precision != Precision::fp32};
}

// Batch norms' n / (n - 1), for the elements of Home::mean as they lie in memory.
std::vector<float> unbias_of(const Program& program, const Plan& plan) {
  std::vector<float> factors(index(plan.bytes_of(Home::mean) / 4), 1.0f);
  const std::vector<int> means = program.of(Home::mean);
  const std::vector<double> sizes = norm_sizes(program);
  for (std::size_t n = 0; n < means.size(); ++n) {
    const std::int64_t first = plan.offset[index(means[n])] / 4;
    const double size = sizes[n];
    std::fill_n(factors.begin() + first, program.tensor(means[n]).count, static_cast<float>(size / (size - 1)));
  }
  return factors;
}

// Made once a process: a plan is compiled.
const vendor::CudnnPlan& fused_attention(const vendor::AttentionNode& node) {
  return harness::memoized<vendor::attention_forward>(node);
}
const vendor::CudnnPlan& fused_attention_backward(const vendor::AttentionNode& node) {
  return harness::memoized<vendor::attention_backward>(node);
}

}  // namespace

DeviceState::DeviceState(const Plan& plan) {
  for (const Home home : kLasting) {
    cuda::DeviceBuffer<char>& memory = memory_[static_cast<std::size_t>(home)];
    memory = cuda::DeviceBuffer<char>(index(plan.bytes_of(home)));
    // Statistics have gaps between layers, which are worked on, too.
    if (memory.size() > 0) check(cudaMemset(memory.data(), 0, memory.size()));
  }
  check(cudaDeviceSynchronize());
}

std::int64_t DeviceState::bytes(Home home) const {
  return static_cast<std::int64_t>(memory_[static_cast<std::size_t>(home)].size_bytes());
}

std::int64_t DeviceState::total_bytes() const {
  std::int64_t sum = 0;
  for (const Home home : kLasting) sum += bytes(home);
  return sum;
}

cuda::MemoryPool& DeviceState::pool() {
  if (!pool_) pool_.emplace(cuda::Keep::everything);
  return *pool_;
}

DeviceMachine::DeviceMachine(Program program, const std::vector<Lifetime>& lifetimes, DeviceState& state, Pool pool,
                             DeviceMachine* larger)
    : program_(std::move(program)),
      lifetimes_(lifetimes),
      plan_(make_plan(program_, lifetimes_)),
      state_(state),
      pool_(pool),
      pointer_(program_.tensors.size(), nullptr),
      images_(index(plan_.bytes_of(Home::image))),
      loss_(index(plan_.bytes_of(Home::loss))),
      labels_(index(program_.labels())) {
  const kernels::training::LossScale first;
  loss_scale_ = cuda::DeviceBuffer<kernels::training::LossScale>(std::span(&first, 1));
  const std::vector<float> unbias = unbias_of(program_, plan_);
  unbias_ = cuda::DeviceBuffer<float>(std::span<const float>(unbias));
  if (pool == Pool::planned && larger == nullptr) {
    planned_ = cuda::DeviceBuffer<char>(index(plan_.bytes_of(Home::planned)));
  }
  char* const planned = larger == nullptr ? planned_.data() : larger->planned_.data();
  for (std::size_t id = 0; id < pointer_.size(); ++id) {
    const Home home = program_.tensors[id].home;
    if (plan_.offset[id] < 0 || (home == Home::planned && pool != Pool::planned)) continue;
    char* memory = home == Home::planned ? planned
                   : home == Home::image ? images_.data()
                   : home == Home::loss  ? loss_.data()
                                         : state_.data(home);
    pointer_[id] = memory + plan_.offset[id];
  }
  prepare_workspace(larger);
}

void DeviceMachine::prepare_workspace(const DeviceMachine* larger) {
  std::int64_t bytes = 0;
  for (const Operation& operation : program_.operations) bytes = std::max(bytes, workspace_bytes(operation));
  if (larger != nullptr && bytes <= static_cast<std::int64_t>(larger->workspace_.size_bytes())) {
    workspace_at_ = larger->workspace_at_;
    return;
  }
  workspace_ = cuda::DeviceBuffer<char>(index(bytes));
  workspace_at_ = workspace_.data();
}

std::int64_t DeviceMachine::workspace_bytes(const Operation& operation) const {
  if (is_convolution(operation.op)) return convolution_plan(problem_of(program_, operation)).workspace_bytes();
  if (!program_.options.fused_attention) return 0;
  if (operation.op == Op::attention) return fused_attention(attention_of(operation)).workspace_bytes();
  if (operation.op == Op::attention_backward)
    return fused_attention_backward(attention_of(operation)).workspace_bytes();
  return 0;
}

std::int64_t DeviceMachine::bytes() const {
  return static_cast<std::int64_t>(planned_.size_bytes()) + plan_.bytes_of(Home::image) + plan_.bytes_of(Home::loss) +
         static_cast<std::int64_t>(workspace_.size_bytes() + labels_.size_bytes());
}

void DeviceMachine::run(cudaStream_t stream, bool first_part, Watcher* watcher) {
  for (std::size_t i = 0; i < program_.operations.size(); ++i) {
    const Operation& operation = program_.operations[i];
    if (watcher != nullptr) watcher->begins(Part::operation, i);
    if (pool_ != Pool::planned) take_tensors(static_cast<int>(i), stream);
    run(operation, stream, first_part);
    if (pool_ != Pool::planned) give_tensors_back(static_cast<int>(i), stream);
  }
  if (pool_ == Pool::emptied) {
    check(cudaStreamSynchronize(stream));
    state_.pool().trim();
  }
}

// Takes memory for the tensors that the operation at this place needs first.
void DeviceMachine::take_tensors(int place, cudaStream_t stream) {
  for (const int id : program_.operations[index(place)].out) {
    char*& data = pointer_[index(id)];
    if (program_.tensor(id).home != Home::planned || data != nullptr) continue;
    data = static_cast<char*>(state_.pool().allocate(program_.tensor(id).bytes(), stream));
  }
}

// Gives back the tensors that no later operation needs.
void DeviceMachine::give_tensors_back(int place, cudaStream_t stream) {
  const Operation& operation = program_.operations[index(place)];
  for (const std::vector<int>* tensors : {&operation.in, &operation.out}) {
    for (const int id : *tensors) {
      char*& data = pointer_[index(id)];
      const bool over = program_.tensor(id).home == Home::planned && lifetimes_[index(id)].last <= place;
      if (over && data != nullptr) check(cudaFreeAsync(std::exchange(data, nullptr), stream));
    }
  }
}

void DeviceMachine::run(const Operation& operation, cudaStream_t stream, bool first_part) {
  const Operation& o = operation;
  const std::int64_t count = o.out.empty() ? 0 : program_.tensor(o.out[0]).count;
  const Layer& layer = program_.layer(o);
  const std::int64_t rows = program_.options.batch * layer.out.places(), columns = layer.out.channels;
  switch (o.op) {
    case Op::cast:
      return pointwise::cast(type_in(o, 0), in(o, 0), dtype_of(program_.tensor(o.out[0]).number), out(o, 0), count,
                             stream);
    case Op::add:
      return pointwise::add(type_in(o, 0), in(o, 0), in(o, 1), out(o, 0), count, stream);
    case Op::accumulate:
      if (!first_part) return pointwise::add(DType::fp32, in(o, 0), out(o, 0), out(o, 0), count, stream);
      return check(cudaMemcpyAsync(out(o, 0), in(o, 0), index(4 * count), cudaMemcpyDeviceToDevice, stream));
    case Op::convolution:
    case Op::convolution_data:
    case Op::convolution_filter:
      return run_convolution(o, stream);
    case Op::bias:
      return pointwise::add_bias(type_in(o, 0), in(o, 0), in(o, 1), out(o, 0), rows, columns, stream);
    case Op::bias_gradient:
      return pointwise::bias_gradient(type_in(o, 0), in(o, 0), out(o, 0), out_floats(o, 1), rows, columns, stream);
    case Op::batch_norm:
    case Op::batch_norm_backward:
    case Op::batch_norm_evaluation:
      return run_batch_norm(o, stream);
    case Op::frozen_norm_backward:
      return run_frozen_norm_backward(o, stream);
    case Op::update_running:
      return update_running(stream);
    case Op::relu:
      return pointwise::activate(type_in(o, 0), Activation::relu, in(o, 0), out(o, 0), count, stream);
    case Op::relu_backward:
      return pointwise::activation_gradient(type_in(o, 0), Activation::relu, in(o, 0), in(o, 1), out(o, 0), count,
                                            stream);
    case Op::gelu:
      return pointwise::activate(type_in(o, 0), Activation::gelu_erf, in(o, 0), out(o, 0), count, stream);
    case Op::gelu_backward:
      return pointwise::activation_gradient(type_in(o, 0), Activation::gelu_erf, in(o, 0), in(o, 1), out(o, 0), count,
                                            stream);
    case Op::max_pool:
      return pool::max_pool(type_in(o, 0), in(o, 0), out(o, 0), reinterpret_cast<std::uint8_t*>(out(o, 1)),
                            windows_of(program_, layer), stream);
    case Op::max_pool_backward:
      return pool::max_pool_backward(type_in(o, 0), in(o, 0), reinterpret_cast<const std::uint8_t*>(in(o, 1)),
                                     out(o, 0), windows_of(program_, layer), stream);
    case Op::mean_pool:
      return pool::mean_pool(type_in(o, 0), in(o, 0), out(o, 0), windows_of(program_, layer).in, stream);
    case Op::mean_pool_backward:
      return pool::mean_pool_backward(type_in(o, 0), in(o, 0), out(o, 0), windows_of(program_, layer).in, stream);
    case Op::linear:
    case Op::linear_data:
    case Op::linear_weight:
      return run_product(o, stream);
    case Op::layer_norm:
      return norm::layer_norm(DType::fp32, in(o, 0), in(o, 1), in(o, 2), kEpsilon, out(o, 0), out_floats(o, 1),
                              out_floats(o, 2), {rows, columns}, stream);
    case Op::layer_norm_backward:
      return norm::layer_norm_backward(DType::fp32, in(o, 0), in(o, 1), in(o, 2), in_floats(o, 3), in_floats(o, 4),
                                       out(o, 0), {rows, columns}, stream);
    case Op::layer_norm_parameters:
      return norm::parameter_gradients(DType::fp32, in(o, 0), in(o, 1), in_floats(o, 2), in_floats(o, 3),
                                       out_floats(o, 0), out_floats(o, 1), out_floats(o, 2), {rows, columns}, stream);
    case Op::attention:
    case Op::attention_backward:
      return program_.options.fused_attention ? run_fused_attention(o, stream) : run_attention(o, stream);
    case Op::cross_entropy:
    case Op::cross_entropy_backward:
      return run_loss(o, stream);
    case Op::scale_loss:
      return kernels::training::scale_by(DType::fp32, out(o, 0), &loss_scale_.data()->scale, count, stream);
  }
}

void DeviceMachine::run_convolution(const Operation& o, cudaStream_t stream) {
  const bool forward = o.op == Op::convolution, data = o.op == Op::convolution_data;
  // The arguments of Op, by the tensors of the convolution.
  void* input = forward ? in(o, 0) : data ? out(o, 0) : in(o, 1);
  void* filter = forward || data ? in(o, 1) : out(o, 0);
  void* output = forward ? out(o, 0) : in(o, 0);
  convolution_plan(problem_of(program_, o))
      .execute({{vendor::kConvolutionInput, input},
                {vendor::kConvolutionFilter, filter},
                {vendor::kConvolutionOutput, output}},
               workspace_at_, stream);
}

void DeviceMachine::run_batch_norm(const Operation& o, cudaStream_t stream) {
  const Layer& layer = program_.layer(o);
  const DType type = type_in(o, 0);
  const norm::Shape rows{program_.options.batch * layer.out.places(), layer.out.channels};
  const NormShape planes{type, static_cast<int>(program_.options.batch), static_cast<int>(layer.out.channels),
                         static_cast<int>(layer.out.height), static_cast<int>(layer.out.width)};
  const bool last = program_.options.layout == Layout::channels_last;
  if (o.op == Op::batch_norm) {
    if (last) {
      return norm::batch_norm_training(type, in(o, 0), in_floats(o, 1), in_floats(o, 2), kEpsilon, false, out(o, 0),
                                       out_floats(o, 1), out_floats(o, 2), out_floats(o, 3), rows, stream);
    }
    return cudnn_batch_norm(planes, in(o, 0), in_floats(o, 1), in_floats(o, 2), out(o, 0), out_floats(o, 1),
                            out_floats(o, 2), stream);
  }
  if (o.op == Op::batch_norm_backward) {
    if (last) {
      return norm::batch_norm_backward(type, in(o, 0), in(o, 1), in_floats(o, 2), in_floats(o, 3), in_floats(o, 4),
                                       out(o, 0), out_floats(o, 1), out_floats(o, 2), out_floats(o, 3), rows, stream);
    }
    return cudnn_batch_norm_backward(planes, in(o, 0), in(o, 1), in_floats(o, 2), in_floats(o, 3), in_floats(o, 4),
                                     out(o, 0), out_floats(o, 1), out_floats(o, 2), stream);
  }
  if (!last) {
    return cudnn_batch_norm_evaluation(planes, in(o, 0), in_floats(o, 1), in_floats(o, 2), in_floats(o, 3),
                                       in_floats(o, 4), out(o, 0), stream);
  }
  norm::fold_batch_norm(in_floats(o, 1), in_floats(o, 2), in_floats(o, 3), in_floats(o, 4), kEpsilon, out_floats(o, 1),
                        out_floats(o, 2), rows.columns, stream);
  norm::scale_shift(type, in(o, 0), out_floats(o, 1), out_floats(o, 2), false, out(o, 0), rows, stream);
}

// By kernels that are there: those of the backward pass in training, whose gradient of x counts the statistics in, and
// over that the gradient times a factor. It is for what is right, not for what is fast.
void DeviceMachine::run_frozen_norm_backward(const Operation& o, cudaStream_t stream) {
  const Layer& layer = program_.layer(o);
  const norm::Shape rows{program_.options.batch * layer.out.places(), layer.out.channels};
  const DType type = type_in(o, 0);
  float *const gamma = in_floats(o, 2), *const mean = in_floats(o, 3), *const variance = in_floats(o, 4);
  float *const partial = out_floats(o, 3), *const inverse = out_floats(o, 4), *const factor = out_floats(o, 5);
  float* const shift = out_floats(o, 6);  // ones, then zeros
  kernels::fill_uniform(DType::fp32, shift, rows.columns, 0, 1, 1, stream);
  norm::fold_batch_norm(shift, shift, mean, variance, kEpsilon, inverse, partial, rows.columns, stream);
  norm::batch_norm_backward(type, in(o, 0), in(o, 1), gamma, mean, inverse, out(o, 0), out_floats(o, 1),
                            out_floats(o, 2), partial, rows, stream);
  norm::fold_batch_norm(gamma, shift, mean, variance, kEpsilon, factor, partial, rows.columns, stream);
  check(cudaMemsetAsync(shift, 0, index(rows.columns) * sizeof(float), stream));
  norm::scale_shift(type, in(o, 1), factor, shift, false, out(o, 0), rows, stream);
}

void DeviceMachine::update_running(cudaStream_t stream) {
  const auto all = [&](Home home) { return reinterpret_cast<float*>(state_.data(home)); };
  kernels::training::update_running({all(Home::mean), all(Home::inverse_deviation), unbias_.data(),
                                     all(Home::running_mean), all(Home::running_variance)},
                                    kEpsilon, kMomentum, static_cast<std::int64_t>(unbias_.size()), stream);
}

// Rows of tokens or samples lie one behind the other: as columns, to a library that takes those first.
void DeviceMachine::run_product(const Operation& o, cudaStream_t stream) {
  const Layer& layer = program_.layer(o);
  const std::int64_t rows = program_.options.batch * layer.out.places();
  const std::int64_t outs = layer.out.channels, ins = program_.net.input_of(layer).out.channels;
  Product product{.type = type_in(o, 0), .tf32 = tf32()};
  switch (o.op) {
    case Op::linear:
      product.m = outs, product.n = rows, product.k = ins, product.transpose_a = true;
      return multiply(product, in(o, 1), in(o, 0), out(o, 0), in(o, 2), stream);
    case Op::linear_data:
      product.m = ins, product.n = rows, product.k = outs;
      return multiply(product, in(o, 1), in(o, 0), out(o, 0), nullptr, stream);
    default:
      product.m = ins, product.n = outs, product.k = rows, product.transpose_b = true;
      return multiply(product, in(o, 1), in(o, 0), out(o, 0), nullptr, stream);
  }
}

// The heads of a sample at once. Its query, key and value lie side by side in each row of 3 * channels numbers, a
// head's `size` of them together.
void DeviceMachine::run_attention(const Operation& o, cudaStream_t stream) {
  const Layer& layer = program_.layer(o);
  const std::int64_t places = layer.out.places(), channels = layer.out.channels, heads = layer.heads;
  const std::int64_t size = channels / heads, wide = 3 * channels, squares = heads * places * places;
  const DType type = type_in(o, 0);
  const std::int64_t bytes = kernels::size_of(type);
  const float scale = 1 / std::sqrt(static_cast<float>(size));
  const norm::Shape softmax_rows{program_.options.batch * heads * places, places};
  const auto part_of = [&](const char* qkv, std::int64_t sample, std::int64_t which) {
    return Many{qkv + (sample * places * wide + which * channels) * bytes, wide, size};
  };
  const auto plain = [&](const char* y, std::int64_t sample) {
    return Many{y + sample * places * channels * bytes, channels, size};
  };
  const auto square = [&](const char* p, std::int64_t sample) {
    return Many{p + sample * squares * bytes, places, places * places};
  };
  const auto product = [&](std::int64_t m, std::int64_t n, std::int64_t k, bool transpose_a, bool transpose_b) {
    return Product{m, n, k, transpose_a, transpose_b, type, tf32()};
  };
  const Product to_square = product(places, places, size, true, false),
                from_square = product(size, places, places, false, false),
                from_transposed = product(size, places, places, false, true);
  char* const qkv = in(o, 0);
  if (o.op == Op::attention) {
    char *const y = out(o, 0), *const p = out(o, 1);
    for (std::int64_t s = 0; s < program_.options.batch; ++s) {  // scores = scale query key^T
      multiply_many(to_square, scale, part_of(qkv, s, 1), part_of(qkv, s, 0), square(p, s), heads, stream);
    }
    norm::softmax(type, p, p, softmax_rows, stream);
    for (std::int64_t s = 0; s < program_.options.batch; ++s) {  // y = probabilities value
      multiply_many(from_square, 1, part_of(qkv, s, 2), square(p, s), plain(y, s), heads, stream);
    }
    return;
  }
  char *const p = in(o, 1), *const d_y = in(o, 2);
  char *const d_qkv = out(o, 0), *const d_p = out(o, 1), *const d_scores = out(o, 2);
  for (std::int64_t s = 0; s < program_.options.batch; ++s) {
    multiply_many(to_square, 1, part_of(qkv, s, 2), plain(d_y, s), square(d_p, s), heads, stream);
    multiply_many(from_transposed, 1, plain(d_y, s), square(p, s), part_of(d_qkv, s, 2), heads, stream);
  }
  norm::softmax_backward(type, p, d_p, d_scores, softmax_rows, stream);
  for (std::int64_t s = 0; s < program_.options.batch; ++s) {
    multiply_many(from_square, scale, part_of(qkv, s, 1), square(d_scores, s), part_of(d_qkv, s, 0), heads, stream);
    multiply_many(from_transposed, scale, part_of(qkv, s, 0), square(d_scores, s), part_of(d_qkv, s, 1), heads, stream);
  }
}

// The same rows, which cuDNN takes as they lie.
vendor::AttentionNode DeviceMachine::attention_of(const Operation& o) const {
  const Layer& layer = program_.layer(o);
  const std::int64_t places = layer.out.places(), channels = layer.out.channels, size = channels / layer.heads;
  const DType type = type_in(o, 0);
  if (type == DType::fp32) throw std::invalid_argument("fused attention is of half formats");
  return {.type = kernels::cuda_type(type),
          .batch = program_.options.batch,
          .heads = layer.heads,
          .sequence = places,
          .size = size,
          .scale = 1 / std::sqrt(static_cast<double>(size)),
          .in = {places * 3 * channels, size, 3 * channels},
          .out = {places * channels, size, channels}};
}

void DeviceMachine::run_fused_attention(const Operation& o, cudaStream_t stream) {
  const vendor::AttentionNode node = attention_of(o);
  const std::int64_t third = program_.layer(o).out.channels * kernels::size_of(type_in(o, 0));
  std::unordered_map<std::int64_t, void*> tensors = {{vendor::kAttentionQuery, in(o, 0)},
                                                     {vendor::kAttentionKey, in(o, 0) + third},
                                                     {vendor::kAttentionValue, in(o, 0) + 2 * third}};
  if (o.op == Op::attention) {
    tensors.insert({{vendor::kAttentionOut, out(o, 0)}, {vendor::kAttentionStats, out(o, 1)}});
    return fused_attention(node).execute(std::move(tensors), workspace_at_, stream);
  }
  tensors.insert({{vendor::kAttentionStats, in(o, 1)},
                  {vendor::kAttentionOutGradient, in(o, 2)},
                  {vendor::kAttentionOut, in(o, 3)},
                  {vendor::kAttentionQueryGradient, out(o, 0)},
                  {vendor::kAttentionKeyGradient, out(o, 0) + third},
                  {vendor::kAttentionValueGradient, out(o, 0) + 2 * third}});
  fused_attention_backward(node).execute(std::move(tensors), workspace_at_, stream);
}

void DeviceMachine::run_loss(const Operation& o, cudaStream_t stream) {
  const norm::Shape shape{program_.labels(), program_.net.classes()};
  const float mean = 1 / static_cast<float>(shape.rows);
  if (o.op == Op::cross_entropy_backward) {
    const float scale = mean / static_cast<float>(program_.options.parts);
    return norm::cross_entropy_backward(DType::fp32, in(o, 0), labels_at_, in_floats(o, 1), scale, out(o, 0), shape,
                                        stream);
  }
  norm::cross_entropy(DType::fp32, in(o, 0), labels_at_, out_floats(o, 0), out_floats(o, 1), shape, stream);
  kernels::reduce::reduce(kernels::reduce::Reduction::sum, kernels::reduce::Passes::one, DType::fp32, out(o, 0),
                          shape.rows, sums_, out_floats(o, 2), stream);
  pointwise::scale(DType::fp32, out(o, 2), mean, out(o, 2), 1, stream);
}

}  // namespace cupel::bench::step
