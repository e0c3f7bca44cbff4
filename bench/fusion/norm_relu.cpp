// Batch norm in training and the ReLU behind it: a kernel of its own, or in the norm's last pass. Forward our norm
// reads an array that does not fit on the multiprocessors twice, so that the ReLU adds a read and a write to three
// passes; backward the ReLU's gradient is three passes before five, and fused it is a third array that the norm reads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/fusion/cudnn_norm_relu.hpp"
#include "bench/fusion/norm_operation.hpp"
#include "bench/fusion/topics.hpp"
#include "cupel/cuda/cuda.hpp"
#include "cupel/harness/run.hpp"
#include "kernels/norm/norm.hpp"
#include "kernels/norm/reference.hpp"
#include "kernels/pointwise/gradients.hpp"
#include "kernels/pointwise/pointwise.hpp"

namespace cupel::bench::fusion {
namespace {

using benchmark::State;
using harness::Definition;
using harness::Profile;
using kernels::DType;
using kernels::norm::Shape;
using kernels::pointwise::Activation;
using record::Role;
namespace norm = kernels::norm;
namespace pointwise = kernels::pointwise;
namespace reference = kernels::norm::reference;

constexpr double kEpsilon = static_cast<double>(kNormEpsilon);

enum class Impl { unfused, fused };

// The output of a convolution that has batch norm and ReLU behind it, in square planes. Named as in the family conv.
// Source: He et al. (2016), "Deep Residual Learning for Image Recognition", table 1.
struct Layer {
  const char* name;
  std::int64_t channels, size;
};
constexpr Layer kLayers[] = {{"stem_7x7", 64, 112}, {"res3_3x3", 128, 28}, {"res5_3x3", 512, 7}};

Shape shape_of(const Layer& layer, std::int64_t batch) { return {batch * layer.size * layer.size, layer.channels}; }

std::int64_t count_of(const Shape& shape) { return shape.rows * shape.columns; }

// Inputs and gamma are below 2, one over the deviation is 0.87 and a normalised number below 1.75. The mean is off by
// twice an average's error and the inverse deviation by half of it, relatively: 2 x 0.87 x 2 + 3.5 / 2 of them, and a
// few roundings of numbers below 6. The ReLU passes errors on, if anything.
Tolerance of_output(const Shape& shape) {
  return {6 * average_error(shape) + 24 * 0x1p-24, 1.01 * kernels::unit_roundoff(kNormType)};
}

// d_out is below 2: its average is off by 2 errors, that of its products with normalised numbers by 3.5, which counts
// 1.75 times; all times gamma over the deviation, 1.75, makes 14. The inverse deviation's own error adds 2 of a result
// below 4.
Tolerance of_gradient(const Shape& shape) {
  return {20 * average_error(shape) + 24 * 0x1p-24, 1.01 * kernels::unit_roundoff(kNormType)};
}

Tolerance of_statistics(const Shape& shape) { return {2 * average_error(shape), 1e-6}; }

// The arrays that one forward pass reads and writes.
struct Forward {
  explicit Forward(const Shape& of)
      : shape(of),
        in(input(Slot::input, kNormType, count_of(of))),
        gamma(column_floats(Slot::columns, of)),
        beta(column_floats(Slot::more_columns, of)),
        out(result(kNormType, count_of(of))),
        mean(floats(of.columns)),
        inverse(floats(of.columns)) {}

  NormOperation operation() const {
    NormOperation operation;
    operation.bytes_read = norm_bytes(shape) + words(2 * shape.columns);
    operation.bytes_written = norm_bytes(shape) + words(2 * shape.columns);
    operation.check = [this] {
      for (const std::int64_t c : looked_at(shape.columns)) require_right(c);
      const RightColumns right = require_all_columns({.in = in, .gamma = gamma, .beta = beta, .relu = true}, shape, out,
                                                     of_output(shape), "batch norm with ReLU");
      require_floats(right.mean, mean, of_statistics(shape), "mean");
      require_floats(right.inverse, inverse, of_statistics(shape), "inverse deviation");
    };
    return operation;
  }

  // The statistics too, which the backward pass reads.
  void require_right(std::int64_t c) const {
    const std::vector<double> x = column_of(Slot::input, shape, c), g = inputs(Slot::columns, DType::fp32, c, 1),
                              b = inputs(Slot::more_columns, DType::fp32, c, 1);
    std::vector<double> expected(x.size()), center(1), variance(1);
    reference::batch_norm(x, g, b, kEpsilon, true, expected, center, variance, 1);
    require_column(shape, out, c, expected, of_output(shape), "batch norm with ReLU");
    const Tolerance tolerance = of_statistics(shape);
    require_close(center, elements(DType::fp32, mean.data(), c, 1), tolerance, c, "mean");
    require_close({1 / std::sqrt(variance[0] + kEpsilon)}, elements(DType::fp32, inverse.data(), c, 1), tolerance, c,
                  "inverse deviation");
  }

  Shape shape;
  const void* in;
  const float *gamma, *beta;
  void* out;
  mutable cuda::DeviceBuffer<float> mean, inverse;
};

void forward(State& state, const Layer& layer, Impl impl) {
  const Shape shape = shape_of(layer, state.range(0));
  const Forward pass(shape);
  cuda::DeviceBuffer<float> partial = floats(norm::partial_floats(shape));
  const bool fused = impl == Impl::fused;

  NormOperation operation = pass.operation();
  operation.launches = fused ? 3 : 4;
  operation.run = [&](cudaStream_t stream) {
    norm::batch_norm_training(kNormType, pass.in, pass.gamma, pass.beta, kNormEpsilon, fused, pass.out,
                              pass.mean.data(), pass.inverse.data(), partial.data(), shape, stream);
    if (!fused) pointwise::activate(kNormType, Activation::relu, pass.out, pass.out, count_of(shape), stream);
  };
  measure_norm(state, shape, operation);
}

void forward_by_cudnn(State& state, const Layer& layer) {
  const Shape shape = shape_of(layer, state.range(0));
  const CudnnNormRelu cudnn({state.range(0), layer.size, layer.size, layer.channels}, kEpsilon);
  const Forward pass(shape);
  void* workspace = device_memory(Slot::other, cudnn.workspace_bytes());
  cuda::DeviceBuffer<char> reserve(static_cast<std::size_t>(std::max<std::int64_t>(1, cudnn.reserve_bytes())));

  NormOperation operation = pass.operation();
  operation.run = [&](cudaStream_t stream) {
    cudnn.forward(pass.in, pass.gamma, pass.beta, pass.out, pass.mean.data(), pass.inverse.data(), workspace,
                  reserve.data(), stream);
  };
  measure_norm(state, shape, operation);
  const double bytes = static_cast<double>(cudnn.workspace_bytes() + cudnn.reserve_bytes());
  harness::set_counter("workspace", {.value = bytes, .unit = "bytes"});
}

// The ReLU's output is random too: which elements pass is then known on the host without the device's roundings.
void* relu_output(Slot slot, const Shape& shape) {
  input(slot, kNormType, count_of(shape));
  void* out = device_memory(slot, norm_bytes(shape));
  const cuda::Stream setup;
  pointwise::activate(kNormType, Activation::relu, out, out, count_of(shape), setup);
  setup.synchronize();
  return out;
}

void backward(State& state, const Layer& layer, Impl impl) {
  const Shape shape = shape_of(layer, state.range(0));
  const std::int64_t count = count_of(shape);
  const void *in = input(Slot::input, kNormType, count), *d_out = input(Slot::other, kNormType, count),
             *out = relu_output(Slot::more_columns, shape);
  const float* gamma = column_floats(Slot::columns, shape);
  void* d_in = result(kNormType, count);
  cuda::DeviceBuffer<float> mean = floats(shape.columns), inverse = floats(shape.columns),
                            d_gamma = floats(shape.columns), d_beta = floats(shape.columns),
                            partial = floats(norm::partial_floats(shape));
  const cuda::Stream setup;
  norm::batch_norm_training(kNormType, in, gamma, gamma, kNormEpsilon, true, d_in, mean.data(), inverse.data(),
                            partial.data(), shape, setup);
  setup.synchronize();
  result(kNormType, count);

  NormOperation operation;
  operation.bytes_read = 3 * norm_bytes(shape) + words(3 * shape.columns);
  operation.bytes_written = norm_bytes(shape) + words(2 * shape.columns);
  operation.launches = impl == Impl::fused ? 3 : 4;
  operation.run = [&](cudaStream_t stream) {
    if (impl == Impl::fused) {
      norm::batch_norm_relu_backward(kNormType, in, out, d_out, gamma, mean.data(), inverse.data(), d_in,
                                     d_gamma.data(), d_beta.data(), partial.data(), shape, stream);
    } else {
      pointwise::activation_gradient(kNormType, Activation::relu, out, d_out, d_in, count, stream);
      norm::batch_norm_backward(kNormType, in, d_in, gamma, mean.data(), inverse.data(), d_in, d_gamma.data(),
                                d_beta.data(), partial.data(), shape, stream);
    }
  };
  operation.check = [&] {
    for (const std::int64_t c : looked_at(shape.columns)) {
      const std::vector<double> x = column_of(Slot::input, shape, c), y = column_of(Slot::more_columns, shape, c),
                                d = column_of(Slot::other, shape, c), g = inputs(Slot::columns, DType::fp32, c, 1);
      std::vector<double> expected(x.size()), of_gamma(1), of_beta(1);
      reference::batch_norm_relu_backward(x, y, d, g, kEpsilon, expected, of_gamma, of_beta, 1);
      require_column(shape, d_in, c, expected, of_gradient(shape), "batch norm with ReLU backward");
      require_close(of_gamma, elements(DType::fp32, d_gamma.data(), c, 1), of_sum(shape), c, "d_gamma");
      require_close(of_beta, elements(DType::fp32, d_beta.data(), c, 1), of_sum(shape), c, "d_beta");
    }
    const RightColumns right = require_all_columns(
        {.kind = Columnwise::Kind::batch_norm_backward, .in = in, .d_out = d_out, .relu_out = out, .gamma = gamma},
        shape, d_in, of_gradient(shape), "batch norm with ReLU backward");
    require_floats(right.d_gamma, d_gamma, of_sum(shape), "d_gamma");
    require_floats(right.d_beta, d_beta, of_sum(shape), "d_beta");
  };
  measure_norm(state, shape, operation);
}

// `arrays` with the shape; the strips' sums; cuDNN keeps a bit an element.
Definition& place(Definition& definition, const Layer& layer, std::int64_t arrays, Profile smallest) {
  return definition.sweep("batch", {.quick = {64}, .full = {8, 256}})
      .memory([=](const std::vector<std::int64_t>& batch) {
        const Shape shape = shape_of(layer, batch[0]);
        return harness::Memory{.device_bytes = arrays * norm_bytes(shape) + count_of(shape) / 8 +
                                               words(norm::partial_floats(shape))};
      })
      .from(smallest);
}

// Names are put together here: "fusion/norm_relu/pass:<pass>/layer:<layer>/impl:<way>/batch:<batch>".
void register_pass(const std::string& pass, void (*body)(State&, const Layer&, Impl), const Layer& layer,
                   std::int64_t arrays, Profile smallest) {
  const std::string where = "pass:" + pass + "/layer:" + layer.name, scenario = "norm_relu/" + where;
  const auto define = [&](const std::string& impl, Impl which) -> Definition& {
    return place(
        harness::add("fusion/norm_relu/" + where + "/impl:" + impl, [=](State& state) { body(state, layer, which); }),
        layer, arrays, smallest);
  };
  define("unfused", Impl::unfused).advice("fuse-conv-bn", Role::before, scenario);
  define("fused", Impl::fused).advice("fuse-conv-bn", Role::after, scenario, "fused");
}

void register_cudnn(const Layer& layer) {
  const std::string where = std::string("pass:forward/layer:") + layer.name;
  place(
      harness::add("fusion/norm_relu/" + where + "/impl:cudnn", [=](State& state) { forward_by_cudnn(state, layer); }),
      layer, 2, Profile::standard)
      .advice("fuse-conv-bn", Role::after, "norm_relu/" + where, "cudnn");
}

}  // namespace

void register_norm_relu() {
  for (const Layer& layer : kLayers) {
    register_pass("forward", forward, layer, 2, Profile::standard);
    register_cudnn(layer);
    // Its gradients take the host a quarter of a second to check, 0.8 million of them in a column.
    const bool long_columns = layer.size > 100;
    register_pass("backward", backward, layer, 4, long_columns ? Profile::full : Profile::standard);
  }
}

}  // namespace cupel::bench::fusion
