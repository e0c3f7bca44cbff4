#include "bench/fusion/conv_block_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "bench/fusion/all_convolutions.hpp"
#include "bench/fusion/arrays.hpp"
#include "bench/fusion/conv_block_graph.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/device/peaks.hpp"
#include "cupel/harness/memoized.hpp"
#include "cupel/harness/run.hpp"
#include "cupel/timing/limits.hpp"
#include "kernels/common/convert.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::fusion {
namespace {

using kernels::DType;
using kernels::size_of;
using kernels::dot::Convolution;
using kernels::dot::Pass;
namespace norm = kernels::norm;
namespace pointwise = kernels::pointwise;

constexpr DType kType = DType::fp16;
constexpr double kEpsilon = 1e-5;
constexpr std::int64_t kCheckedChannels = 16;

// Memory beside the arrays of the family. Never destroyed: the driver may be gone before statics are.
struct Buffers {
  cuda::DeviceBuffer<float> factor, shift;
  cuda::DeviceBuffer<__half> filter, bias;
  cuda::DeviceBuffer<char> workspace;
};
Buffers& buffers() {
  static auto& all = *new Buffers;
  return all;
}

// The part of a block that cuDNN computes.
ConvGraph graph_of(Block block, ConvWay way, const Convolution& shape) {
  ConvGraph graph{.shape = shape};
  if (way == ConvWay::unfused || way == ConvWay::folded) return graph;
  graph.relu = graph.shifts = true;
  graph.scales = block == Block::norm_relu && way == ConvWay::fused;
  if (block == Block::bias_relu || way == ConvWay::folded_fused) graph.shift_type = kType;
  return graph;
}

bool is_folded(ConvWay way) { return way == ConvWay::folded || way == ConvWay::folded_fused; }

// The arrays, there once a problem has been made.
void* memory(Slot slot) { return device_memory(slot, 0); }

Stored of(Slot slot) {
  return [slot](std::int64_t i) { return input_at(slot, kType, i); };
}

}  // namespace

ConvBlockProblem::ConvBlockProblem(Block block, ConvWay way, const Convolution& shape)
    : block_(block), way_(way), shape_(shape), pixels_(output_count(shape) / shape.out_channels) {
  require_valid(shape);
  input(Slot::input, kType, input_count(shape));
  input(Slot::other, kType, filter_count(shape));
  input(Slot::columns, kType, shape.out_channels);
  if (block == Block::norm_relu) make_vectors();
  if (is_folded(way)) make_folded_filter();
  result(kType, output_count(shape));
}

void ConvBlockProblem::make_vectors() {
  folded_ =
      fold(random_norm(shape_.out_channels, reduction_length(shape_, Pass::forward), harness::options().seed * 8 + 6),
           kEpsilon);
  std::vector<float> factor = folded_.factor;
  if (is_folded(way_)) factor.assign(factor.size(), 1.0f);  // it is in the filter
  buffers().factor = cuda::DeviceBuffer<float>(std::span<const float>(factor));
  buffers().shift = cuda::DeviceBuffer<float>(std::span<const float>(folded_.shift));
  if (way_ == ConvWay::folded_fused) make_bias();
}

// Frameworks fold a norm into the bias that the convolution has, which is of its type.
void ConvBlockProblem::make_bias() {
  std::vector<__half> stored;
  for (float& shift : folded_.shift) {
    stored.push_back(kernels::from_float<__half>(shift));
    shift = kernels::to_float(stored.back());
  }
  buffers().bias = cuda::DeviceBuffer<__half>(std::span<const __half>(stored));
}

void ConvBlockProblem::make_folded_filter() {
  std::vector<__half> stored;
  for (const float weight : folded_filter(of(Slot::other), filter_count(shape_), folded_.factor)) {
    stored.push_back(kernels::from_float<__half>(weight));
    filter_.push_back(static_cast<double>(kernels::to_float(stored.back())));
  }
  buffers().filter = cuda::DeviceBuffer<__half>(std::span<const __half>(stored));
}

std::function<void(cudaStream_t)> ConvBlockProblem::work() {
  const ConvGraph graph = graph_of(block_, way_, shape_);
  const vendor::CudnnPlan& plan = harness::memoized<conv_plan>(graph);  // which may be compiled when it is made
  engine_ = plan.engine();
  workspace_bytes_ = plan.workspace_bytes();
  auto& workspace = buffers().workspace;
  if (static_cast<std::int64_t>(workspace.size()) < workspace_bytes_) {
    workspace = {};  // before the larger piece is made: both at once may not fit
    workspace = cuda::DeviceBuffer<char>(static_cast<std::size_t>(workspace_bytes_));
  }
  void* out = memory(Slot::out);
  void* const bias = way_ == ConvWay::folded_fused ? buffers().bias.data() : memory(Slot::columns);
  float *const factor = buffers().factor.data(), *const shift = buffers().shift.data();
  const auto convolve = [&plan,
                         tensors =
                             std::unordered_map<std::int64_t, void*>{
                                 {kConvInput, memory(Slot::input)},
                                 {kConvFilter, is_folded(way_) ? buffers().filter.data() : memory(Slot::other)},
                                 {kConvFactor, factor},
                                 {kConvShift, graph.shift_type == kType ? bias : shift},
                                 {kConvOutput, out}},
                         scratch = workspace_bytes_ == 0 ? nullptr : workspace.data()](cudaStream_t stream) {
    plan.execute(tensors, scratch, stream);
  };
  const norm::Shape shape{pixels_, shape_.out_channels};
  const std::int64_t count = output_count(shape_);
  switch (way_) {
    case ConvWay::unfused:
      return [=, block = block_](cudaStream_t stream) {
        convolve(stream);
        if (block == Block::bias_relu) {
          pointwise::add_bias(kType, out, bias, out, shape.rows, shape.columns, stream);
        } else {
          norm::scale_shift(kType, out, factor, shift, false, out, shape, stream);
        }
        pointwise::activate(kType, pointwise::Activation::relu, out, out, count, stream);
      };
    case ConvWay::folded:
      return [=](cudaStream_t stream) {
        convolve(stream);
        norm::scale_shift(kType, out, factor, shift, true, out, shape, stream);
      };
    case ConvWay::folded_fused:
    case ConvWay::fused:
      break;
  }
  return convolve;
}

int ConvBlockProblem::launches() const {
  if (way_ == ConvWay::unfused) return 3;
  return way_ == ConvWay::folded ? 2 : 1;
}

record::Workload ConvBlockProblem::workload() const {
  return {.bytes_read = size_of(kType) * (input_count(shape_) + filter_count(shape_)),
          .bytes_written = size_of(kType) * output_count(shape_),
          .flops = flops(shape_)};
}

void ConvBlockProblem::set_roof_limit() const { timing::set_roof_limit(device::Arithmetic::fp16, workload()); }

// A corner, where padding counts, the middle, and the opposite corner of the last image.
void ConvBlockProblem::require_right() const {
  const auto out = shape_.out();
  require_pixel(0, 0, 0);
  require_pixel(shape_.batch / 2, out[1] / 2, out[2] / 2);
  require_pixel(shape_.batch - 1, out[1] - 1, out[2] - 1);
  require_all_pixels();
}

void ConvBlockProblem::require_all_pixels() const {
  RightConvolution right{.shape = shape_, .in = memory(Slot::input), .filter = memory(Slot::other)};
  right.shift = memory(Slot::columns);
  if (is_folded(way_)) right.filter = buffers().filter.data();
  if (block_ == Block::norm_relu) {
    if (!is_folded(way_)) right.factor = buffers().factor.data();
    right.is_shift_fp32 = way_ != ConvWay::folded_fused;
    right.shift = right.is_shift_fp32 ? static_cast<const void*>(buffers().shift.data()) : buffers().bias.data();
  }
  const Wrong wrong = find_wrong(right, kType, memory(Slot::out));
  harness::require(wrong.elements == 0, "convolution block: " + std::to_string(wrong.elements) + " of " +
                                            std::to_string(output_count(shape_)) +
                                            " elements are wrong, the first is channel " +
                                            std::to_string(wrong.first % shape_.out_channels) + " of pixel " +
                                            std::to_string(wrong.first / shape_.out_channels));
}

void ConvBlockProblem::require_pixel(std::int64_t image, std::int64_t y, std::int64_t x) const {
  const auto space = shape_.out();
  const std::int64_t pixel = (image * space[1] + y) * space[2] + x, channels = shape_.out_channels;
  const std::int64_t count = std::min(kCheckedChannels, channels), first = (channels - count) / 2;
  const std::vector<double> seen = elements(kType, memory(Slot::out), pixel * channels + first, count);
  const Stored filter = is_folded(way_)
                            ? Stored([this](std::int64_t i) { return filter_[static_cast<std::size_t>(i)]; })
                            : of(Slot::other);
  const bool in_one = way_ == ConvWay::fused || way_ == ConvWay::folded_fused;
  const Rounding rounding{in_one ? Way::fused : Way::separate, kType, reduction_length(shape_, Pass::forward)};

  for (std::int64_t c = first; c < first + count; ++c) {
    const auto channel = static_cast<std::size_t>(c);
    const double factor =
        block_ == Block::bias_relu || is_folded(way_) ? 1.0 : static_cast<double>(folded_.factor[channel]);
    const double shift =
        block_ == Block::bias_relu ? input_at(Slot::columns, kType, c) : static_cast<double>(folded_.shift[channel]);
    Dot dot = convolved(shape_, of(Slot::input), filter, ((image * channels + c) * space[1] + y) * space[2] + x);
    dot = {factor * dot.sum, std::fabs(factor) * dot.magnitude};
    const Expected expected = forward(Operation::bias_relu, rounding, dot, shift);
    const double value = seen[static_cast<std::size_t>(c - first)];
    harness::require(std::fabs(value - expected.value) <= expected.allowed,  // false for NaN
                     "convolution block: channel " + std::to_string(c) + " of pixel " + std::to_string(pixel) + " is " +
                         std::to_string(value) + ", not " + std::to_string(expected.value) + " within " +
                         std::to_string(expected.allowed) + "; engine " + engine_);
  }
}

harness::Memory memory_of(const Convolution& shape, ConvWay way) {
  const std::int64_t filters = is_folded(way) ? 2 : 1;
  return {.device_bytes = size_of(kType) * (input_count(shape) + filters * filter_count(shape) + output_count(shape))};
}

}  // namespace cupel::bench::fusion
